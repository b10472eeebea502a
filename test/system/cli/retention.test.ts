/** `stowage retention` as its users run it, and its scripts in the shells that are here: the tree is compared with the JSON. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RetentionReport } from '../../../src/core/retention/retentionReport.js';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';
import { isExhaustive } from '../../builders/seed.js';
import { stowage } from './stowage.js';

const validate = compileSchemaFile('docs/retention-report.schema.json');
const hourMs = 3_600_000;
const startMs = Date.now() - 1000 * hourMs;
/** Nothing in these is special to who reads them as a name. */
const oddName = `'a' "b" $(touch hacked) \n-rf iter_400`;

let folder = '';
let run = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stowage-'));
  run = path.join(folder, 'a run');
  for (const step of [100, 200, 300, 500, 600, 700]) save(`step-${step}`, step);
  save(oddName, 400);
  writeFileSync(path.join(run, 'latest'), 'step-700\n');
  setTime(path.join(run, 'latest'), startMs);
  mkdirSync(path.join(run, '.stowage'));
  writePolicy('keepLast: 2\nmilestones: [100]\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function setTime(file: string, ms: number): void {
  utimesSync(file, ms / 1000, ms / 1000);
}

/** Two ranks, of a megabyte each. */
function save(name: string, step: number): void {
  const directory = path.join(run, name);
  mkdirSync(directory, { recursive: true });
  for (const file of ['__0_0.distcp', '__1_0.distcp', '.metadata']) {
    writeFileSync(path.join(directory, file), 'x');
    truncateSync(path.join(directory, file), 1e6);
    setTime(path.join(directory, file), startMs + step * hourMs + 60_000);
  }
}

it('keeps what links in the workspace lead to', () => {
  expect(paths(report().drop)).toContain('step-200');
  const workspace = path.join(folder, 'models');
  mkdirSync(path.join(workspace, 'eval'), { recursive: true });
  symlinkSync(path.join('..', '..', 'a run', 'step-200'), path.join(workspace, 'eval', 'base'));
  symlinkSync(path.join(run, 'step-300', '.metadata'), path.join(workspace, 'metadata'));
  const { keep, drop } = report('--workspace', workspace);
  expect(paths(keep.filter(({ reasons }) => reasons.some(({ code }) => code === 'linked')))).toEqual(['step-200', 'step-300']);
  expect(paths(drop)).toEqual(expect.not.arrayContaining(['step-200', 'step-300']));
});

function writePolicy(text: string): void {
  writeFileSync(path.join(run, '.stowage', 'retention.yaml'), text);
}

function report(...args: string[]): RetentionReport {
  const { stdout, stderr, status } = stowage('retention', run, '--json', ...args);
  expect(status, stderr).toBe(0);
  const parsed = JSON.parse(stdout) as RetentionReport;
  expect(schemaErrors(validate, parsed)).toEqual([]);
  return parsed;
}

const paths = (list: readonly { path: string }[]): string[] => list.map((one) => one.path).sort();

/** Files and directories, with the sizes, times and first bytes of files. */
function tree(directory = run): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name);
    found[path.relative(directory, file)] = entry.isFile() ? factsOf(file) : '';
  }
  return found;
}

function factsOf(file: string): string {
  const { size, mtimeMs } = statSync(file);
  return `${size} ${mtimeMs} ${readFileSync(file, 'latin1').slice(0, 20)}`;
}

const isThere = ([program = '', ...first]: readonly string[]): boolean =>
  process.platform !== 'win32' && spawnSync(program, [...first, '-c', ':']).status === 0;
const shells = [['sh'], ['dash'], ['bash', '--posix'], ['busybox', 'sh']].filter(isThere);

interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

function sh(shell: readonly string[], script: string, ...args: string[]): Ran {
  const [program = '', ...first] = shell;
  return spawnSync(program, [...first, script, ...args], { encoding: 'utf8', cwd: folder });
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

it('keeps what a link leads to over another one, or by a directory with a link', () => {
  const workspace = path.join(folder, 'models');
  const far = path.join(folder, 'far');
  for (const one of [workspace, far, path.join(far, 'prod')]) mkdirSync(one);
  symlinkSync(path.join(run, 'step-200'), path.join(far, 'm'));
  symlinkSync(path.join(far, 'm'), path.join(workspace, 'deploy'));
  symlinkSync(path.join(run, 'step-300'), path.join(far, 'prod', 'now'));
  symlinkSync(path.join(far, 'prod'), path.join(workspace, 'served'));
  const { keep, drop } = report('--workspace', workspace);
  expect(paths(keep)).toEqual(expect.arrayContaining(['step-200', 'step-300']));
  expect(paths(drop)).toEqual(expect.not.arrayContaining(['step-200', 'step-300']));
});

it.each([
  ['holds of another name', () => writeFileSync(path.join(run, '.stowage', 'holds.json'), '[]')],
  ['holds in the run itself', () => writeFileSync(path.join(run, 'holds.yaml'), 'holds: []')],
  [
    'holds behind a link',
    () => {
      renameSync(path.join(run, '.stowage'), path.join(folder, 'settings'));
      symlinkSync(path.join(folder, 'settings'), path.join(run, '.stowage'));
    },
  ],
])('is refused with %s', (_what, change) => {
  change();
  const { status, stderr } = stowage('retention', run);
  expect(status).toBe(3);
  expect(stderr).toMatch(/holds/);
});

it('reports what stays and what goes, with reasons', () => {
  const { keep, drop, undecided, freedBytes, freedBasis, coverage } = report();
  expect(paths(keep)).toEqual(['step-100', 'step-600', 'step-700']);
  expect(paths(drop)).toEqual(['step-200', 'step-300', oddName, 'step-500'].sort());
  expect(undecided).toEqual([]);
  expect(keep.find((one) => one.path === 'step-700')?.reasons.map(({ code }) => code)).toEqual(['pointer', 'newest', 'keepLast']);
  // Sparse files: next to nothing is freed of 3 MB each.
  expect(freedBasis).toBe('allocated');
  expect(freedBytes).toBeLessThan(4 * 3 * 64 * 1024);
  expect(coverage.opened).toEqual(['latest']);
  const { stdout } = stowage('retention', run, '--no-color');
  expect(stdout.split('\n')[0]).toMatch(/^Drops 4 of 7 checkpoints and frees \d/);
  expect(stowage('retention', run, '--markdown').stdout).toContain('| step\\-700 | 700 | 3 MB | keep |');
});

it('frees nothing where a file has another name elsewhere', () => {
  for (const file of ['__0_0.distcp', '__1_0.distcp', '.metadata']) {
    writeFileSync(path.join(run, 'step-200', file), 'y'.repeat(1e6));
    setTime(path.join(run, 'step-200', file), startMs + 200 * hourMs);
  }
  const all = report().drop.find((one) => one.path === 'step-200')?.freedBytes ?? 0;
  expect(all).toBeGreaterThanOrEqual(3e6);
  linkSync(path.join(run, 'step-200', '__0_0.distcp'), path.join(folder, 'elsewhere'));
  expect(report().drop.find((one) => one.path === 'step-200')?.freedBytes).toBeLessThan(all - 0.9e6);
});

it.each([
  ['a link', 'a run/step-200'],
  ['a link in full', ''],
])('keeps what %s beside the run leads to, and its scripts stop where that leads elsewhere', (_name, target) => {
  const pointer = path.join(folder, 'production');
  symlinkSync(target === '' ? path.join(run, 'step-200') : target, pointer);
  const { keep, drop } = report();
  expect(keep.find((one) => one.path === 'step-200')?.reasons).toEqual([
    expect.objectContaining({ code: 'pointer', detail: '../production' }),
  ]);
  expect(paths(drop)).not.toContain('step-200');
  const script = path.join(folder, 'prune.sh');
  expect(stowage('retention', run, '--script', script).status).toBe(0);
  rmSync(pointer);
  symlinkSync('a run/step-300', pointer);
  const { status, stderr } = sh(['sh'], script, '--apply');
  expect(status).not.toBe(0);
  expect(stderr).toContain('production');
  expect(existsSync(path.join(run, 'step-300'))).toBe(true);
});

it.each([
  ['an unknown key', 'keepLst: 2\n', 'line 1: keepLst is not a key'],
  ['a negative number', 'keepLast: 2\nkeepEverySteps: -5\n', 'line 2: keepEverySteps must be from 1'],
  ['a wrong type', 'keepLast: [2]\n', 'line 1: keepLast must be a whole number'],
])('refuses a policy with %s', (_name, policy, sentence) => {
  writePolicy(policy);
  const { stdout, stderr, status } = stowage('retention', run, '--json');
  expect([status, stdout]).toEqual([3, '']);
  expect(stderr).toContain(sentence);
});

it('refuses holds with an error, and a script among the files of the run', () => {
  writeFileSync(path.join(run, '.stowage', 'holds.yaml'), 'holds:\n  - {path: step-200}\n');
  const { stdout, stderr, status } = stowage('retention', run, '--json');
  expect([status, stdout]).toEqual([3, '']);
  expect(stderr).toContain('holds.yaml, line 2: a hold needs path and reason');
  expect(stowage('retention', run, '--script', path.join(run, 'prune.sh')).status).toBe(2);
});

describe.each(shells.map((shell) => [shell.join(' '), shell] as const))('the scripts in %s', (_name, shell) => {
  const script = (): string => path.join(folder, 'prune.sh');

  it('move exactly what is dropped, and purge exactly that', () => {
    writePolicy('keepLast: 2\nmilestones: [100]\npurgeAfterDays: 0\n');
    const { drop, plannedAt } = report('--script', script());
    const before = tree();
    const listed = sh(shell, script());
    expect(listed).toMatchObject({ status: 0, stderr: '' });
    expect(listed.stdout.match(/^would move (?:step|'a')/gm)).toHaveLength(drop.length);
    expect(tree()).toEqual(before);

    expect(sh(shell, script(), '--apply')).toMatchObject({ status: 0, stderr: '' });
    const trash = path.join(run, '.stowage/trash', `${plannedAt.slice(0, 19).replaceAll(':', '')}Z`);
    expect(paths(drop)).toEqual(
      readdirSync(trash)
        .filter((name) => name !== '.moved')
        .sort(),
    );
    for (const { path: name } of drop) {
      expect(existsSync(path.join(run, name))).toBe(false);
      expect(tree(path.join(trash, name))).toEqual(
        Object.fromEntries(
          Object.entries(before).flatMap(([file, text]) =>
            file.startsWith(`${name}/`) ? [[file.slice(name.length + 1), text]] : [],
          ),
        ),
      );
    }
    expect(
      report()
        .trash.map((one) => one.path)
        .sort(),
    ).toEqual(paths(drop));
    expect(sh(shell, script(), '--apply')).toMatchObject({ status: 1 });

    const trashed = tree();
    expect(sh(shell, `${script()}-purge`)).toMatchObject({ status: 0, stderr: '' });
    expect(tree()).toEqual(trashed);
    expect(sh(shell, `${script()}-purge`, '--apply')).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(trash)).toEqual(['.moved']);
    expect(report().trash).toEqual([]);
    const gone = new Set(drop.map((one) => one.path));
    const left = Object.keys(before).filter((file) => ![...gone].some((name) => file === name || file.startsWith(`${name}/`)));
    expect(Object.keys(tree())).toEqual(expect.arrayContaining(left));
    expect(existsSync(path.join(folder, 'hacked'))).toBe(false);
    expect(existsSync(path.join(run, 'hacked'))).toBe(false);
  });

  it('are forgotten once what they moved is moved back', () => {
    report('--script', script());
    expect(sh(shell, script(), '--apply').status).toBe(0);
    const moved = report().trash;
    expect(moved.map((one) => one.path)).toContain('step-200');
    const trash = path.join(run, moved[0]?.trash ?? '');
    renameSync(path.join(trash, 'step-200'), path.join(run, 'step-200'));
    expect(report().trash.map((one) => one.path)).not.toContain('step-200');
    expect(report().trash).toHaveLength(moved.length - 1);
  });

  it('purge where pointers name what stays, also where its name has that of one that goes in it', () => {
    writePolicy('keepLast: 2\nmilestones: [100]\npurgeAfterDays: 0\n');
    report('--script', script());
    expect(sh(shell, script(), '--apply').status).toBe(0);
    writeFileSync(path.join(run, 'latest'), 'step-3000\n');
    writeFileSync(path.join(folder, 'latest.txt'), 'another/step-30\n');
    expect(sh(shell, `${script()}-purge`, '--apply')).toMatchObject({ status: 0, stderr: '' });
  });

  it('print nothing that a terminal would obey, whatever the run is called', () => {
    const coloured = `${run} \u001b[31mred`;
    renameSync(run, coloured);
    run = coloured;
    writePolicy('keepLast: 2\nmilestones: [100]\npurgeAfterDays: 0\n');
    report('--script', script());
    for (const file of [script(), `${script()}-purge`]) {
      const { status, stdout } = sh(shell, file, '--apply');
      expect(status).toBe(0);
      expect(stdout).not.toContain('\u001b');
    }
  });

  it('wait before they purge', () => {
    report('--script', script());
    expect(sh(shell, `${script()}-purge`, '--apply').stderr).toContain('did not move everything');
    expect(sh(shell, script(), '--apply').status).toBe(0);
    const { status, stderr } = sh(shell, `${script()}-purge`, '--apply');
    expect([status, stderr]).toEqual([1, 'stopped: it is not 7 days since they were moved\n']);
  });

  // The others differ in how they are called, not in what they stop at.
  const inAll = <Case>(cases: readonly Case[]): readonly Case[] => (shell[0] === 'sh' || isExhaustive ? cases : []);

  it.each(
    inAll<[string, () => void]>([
      ['a file of what goes', () => touchOld('step-300/__0_0.distcp', 5)],
      ['a file of what stays', () => touchOld('step-600/__0_0.distcp', 5)],
      ['a file that is gone', () => rmSync(path.join(run, 'step-200/.metadata'))],
      ['a checkpoint that stays and is gone', () => rmSync(path.join(run, 'step-100'), { recursive: true })],
      ['another pointer', () => touchOld('latest', 8, 'step-200')],
      ['new holds', () => writeFileSync(path.join(run, '.stowage/holds.yaml'), 'holds: []\n')],
      ['new holds beside the run', () => holdBeside()],
      ['a file that is written', () => writeFileSync(path.join(run, 'train.log'), 'x')],
      ['a file with an old time', () => touchOld('train.log', 5)],
      ['a directory in which a save begins', () => mkdirSync(path.join(run, 'step-800'))],
      ['a link beside the run that leads into it', () => symlinkSync('a run/step-200', path.join(folder, 'production'))],
      [
        'a whole link beside the run that leads into it',
        () => symlinkSync(path.join(run, 'step-200'), path.join(folder, '.old')),
      ],
      ['a pointer beside the run', () => writeFileSync(path.join(folder, 'best.txt'), 'a run/step-200\n')],
      ['a trash that is a link', () => symlinkSync(folder, path.join(run, '.stowage/trash'))],
      ['another script at work', () => mkdirSync(path.join(run, '.stowage/retention.lock'))],
    ]),
  )('stop at %s, and change nothing', (_what, change) => {
    report('--script', script());
    change();
    const before = tree();
    const { status, stderr } = sh(shell, script(), '--apply');
    expect(status).toBe(1);
    expect(stderr).toContain('stopped: ');
    const after = tree();
    delete after['.stowage/retention.log'];
    expect(after).toEqual(before);
  });

  it('stop in the middle, where something is written meanwhile', () => {
    report('--script', script());
    // A program in place of `mv`, after which a file has changed.
    const programs = path.join(folder, 'programs');
    mkdirSync(programs);
    const mover = `#!/bin/sh\n/bin/mv "$@" && printf z >>${shellWord(path.join(run, 'step-500/.metadata'))}\n`;
    writeFileSync(path.join(programs, 'mv'), mover, { mode: 0o755 });
    const [program = '', ...first] = shell;
    const environment = { ...process.env, PATH: `${programs}:${process.env['PATH'] ?? ''}` };
    const { status, stderr } = spawnSync(program, [...first, script(), '--apply'], { encoding: 'utf8', env: environment });
    expect(status).toBe(1);
    expect(stderr).toContain('something was written since the plan: .//./step-500/.metadata');
    const names = Object.keys(tree());
    // The one that was moved is whole in the trash; all others are where they were.
    expect(names.filter((name) => name.endsWith('/.metadata'))).toHaveLength(7);
    expect(names.filter((name) => name.startsWith('.stowage/trash/') && name.endsWith('/.metadata'))).toHaveLength(1);
    expect(readFileSync(path.join(run, '.stowage/retention.log'), 'utf8')).toContain('"event": "stopped"');
  });

  it.each(
    inAll<[string, (trash: string) => void]>([
      ['a file in the trash', (trash: string) => touchOld(path.join(trash, 'step-200/.metadata'), 3)],
      ['a checkpoint that stays and is gone', () => rmSync(path.join(run, 'step-700'), { recursive: true })],
      ['new holds', () => writeFileSync(path.join(run, '.stowage/holds.yaml'), 'holds: []\n')],
      ['a checkpoint that is there again', () => save('step-200', 200)],
      ['another that is there again, before the first goes', () => save('step-500', 500)],
      ['a pointer that names one of them', () => writeFileSync(path.join(run, 'latest'), 'step-300\n')],
      ['a number that is its step', () => writeFileSync(path.join(run, 'latest_checkpointed_iteration.txt'), '300')],
      ['a step in JSON', () => writeFileSync(path.join(run, 'last.json'), '{"step": 300}')],
      ['a link that leads to one of them', () => symlinkSync('step-300', path.join(run, 'best'))],
      ['a pointer beside the run', () => writeFileSync(path.join(folder, 'best.txt'), 'a run/step-300\n')],
      ['a checkpoint that stays and lost a part', () => truncateSync(path.join(run, 'step-700/__0_0.distcp'), 5)],
      ['a marker in the run', () => writeFileSync(path.join(run, 'KEEP'), '')],
      ['a marker in the trash', (trash: string) => writeFileSync(path.join(run, trash, 'DO_NOT_DELETE.txt'), '')],
      ['holds of another spelling', () => writeFileSync(path.join(run, '.stowage/holds.yml'), 'holds: []\n')],
    ]),
  )('stop at %s before they purge', (_what, change) => {
    writePolicy('keepLast: 2\nmilestones: [100]\npurgeAfterDays: 0\n');
    const { plannedAt } = report('--script', script());
    expect(sh(shell, script(), '--apply').status).toBe(0);
    change(`.stowage/trash/${plannedAt.slice(0, 19).replaceAll(':', '')}Z`);
    const { '.stowage/retention.log': _before, ...before } = tree();
    expect(sh(shell, `${script()}-purge`, '--apply')).toMatchObject({ status: 1, stdout: '' });
    const { '.stowage/retention.log': _after, ...after } = tree();
    expect(after).toEqual(before);
  });

  function holdBeside(): void {
    mkdirSync(path.join(folder, '.stowage'));
    writeFileSync(path.join(folder, '.stowage/holds.yaml'), 'holds: []\n');
  }

  function touchOld(name: string, bytes: number, text = 'z'.repeat(bytes)): void {
    const file = path.join(run, name);
    writeFileSync(file, text);
    setTime(file, startMs);
  }
});

it('is not misled by a copy of the run', () => {
  const copy = path.join(folder, 'copy');
  cpSync(run, copy, { recursive: true });
  writeFileSync(path.join(copy, '.stowage/retention.yaml'), 'keepLast: 1\nminimumAgeHours: 1\n');
  const { drop, undecided } = JSON.parse(stowage('retention', copy, '--json').stdout) as RetentionReport;
  expect(drop).toEqual([]);
  expect(undecided.length).toBeGreaterThan(0);
});

describe('what is refused', () => {
  it.each(['b run', 'a run'])(
    'is a run behind a link that is called %s: holds and pointers are beside the directory itself',
    (name) => {
      mkdirSync(path.join(folder, 'links'));
      mkdirSync(path.join(folder, '.stowage'));
      writeFileSync(path.join(folder, '.stowage', 'holds.yaml'), 'holds: [{path: a run/step-200, reason: legal}]\n');
      const link = path.join(folder, 'links', name);
      symlinkSync(run, link);
      const { status, stdout, stderr } = stowage('retention', link, '--json');
      expect([status, stdout]).toEqual([3, '']);
      expect(stderr).toContain(`is a link: name the directory that it leads to, ${run}`);
      // A link on the way to it is none.
      symlinkSync(folder, path.join(folder, 'links', 'scratch'));
      expect(stowage('retention', path.join(folder, 'links', 'scratch', 'a run'), '--json').status).toBe(0);
    },
  );

  it('is a hold beside the run that is of nothing there', () => {
    mkdirSync(path.join(folder, '.stowage'));
    const hold = (name: string): void =>
      writeFileSync(path.join(folder, '.stowage', 'holds.yaml'), `holds: [{path: ${name}/step-200, reason: legal}]\n`);
    hold('A run');
    const { status, stderr } = stowage('retention', run);
    expect(status).toBe(3);
    expect(stderr).toContain('holds A run/step-200, which is not here');
    hold('a run');
    expect(paths(report().keep)).toContain('step-200');
    // Another run is beside it.
    mkdirSync(path.join(folder, 'b'));
    hold('b');
    expect(paths(report().drop)).toContain('step-200');
  });

  it('is a file of somebody else in the place of a script, and not that of an earlier plan', () => {
    const file = path.join(folder, 'thesis.txt');
    writeFileSync(file, 'my thesis');
    expect(stowage('retention', run, '--script', file)).toMatchObject({ status: 2 });
    expect(readFileSync(file, 'utf8')).toBe('my thesis');
    const own = path.join(folder, 'prune.sh');
    for (const _ of [1, 2]) expect(stowage('retention', run, '--script', own).status).toBe(0);
    writeFileSync(`${own}-purge`, 'notes');
    expect(stowage('retention', run, '--script', own).status).toBe(2);
  });

  it('is one manifest in the place of two', () => {
    writeFileSync(path.join(folder, 'm.jsonl'), '');
    writePolicy(`keepLast: 2\ncopies: {wanted: 2, manifest: [${folder}/m.jsonl, ${folder}/./m.jsonl]}\n`);
    expect(stowage('retention', run).stderr).toContain('names one manifest twice');
  });
});
