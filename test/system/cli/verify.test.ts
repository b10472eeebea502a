/** `stowage verify` as its users run it, against `sha256sum` of this machine. */
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
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
import { limits } from '../../../src/core/bytes/limits.js';
import type { VerificationReport } from '../../../src/core/verification/verification.js';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';
import { fileOf, flipped } from '../../builders/verification.js';
import { until } from '../../builders/until.js';
import { stowage } from './stowage.js';

const validate = compileSchemaFile('docs/verification-report.schema.json');
const validateManifest = compileSchemaFile('docs/stowage-manifest.schema.json');

let folder = '';
let checkpoint = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stowage-'));
  checkpoint = path.join(folder, 'step 100');
  mkdirSync(path.join(checkpoint, 'deep'), { recursive: true });
  cpSync('test/fixtures/frameworks/torch/dtypes/data/dtypes.pt', path.join(checkpoint, 'model.pt'));
  writeFileSync(
    path.join(checkpoint, 'weights.bin'),
    Uint8Array.from({ length: 5_000_000 }, (_, index) => index * 31),
  );
  writeFileSync(path.join(checkpoint, 'deep', 'with\nbreak and \\'), 'x');
  writeFileSync(path.join(checkpoint, 'empty'), '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function verify(...args: string[]): { status: number | null; report: VerificationReport } {
  const { status, stdout, stderr } = stowage('verify', ...args, '--json');
  if (stdout === '') throw new Error(stderr);
  const report = JSON.parse(stdout) as VerificationReport;
  expect(schemaErrors(validate, report)).toEqual([]);
  return { status, report };
}

function flipIn(name: string, bit: number): void {
  const file = path.join(checkpoint, name);
  writeFileSync(file, flipped(readFileSync(file), bit));
}

/** As a disk does it. */
function flipKeepingTime(name: string, bit: number): void {
  const file = path.join(checkpoint, name);
  const { atime, mtime } = statSync(file);
  flipIn(name, bit);
  utimesSync(file, atime, mtime);
}

function sha256sum(...args: string[]): { status: number | null; stdout: string } {
  return spawnSync('sha256sum', args, { cwd: checkpoint, encoding: 'utf8' });
}

describe('a manifest', () => {
  const beside = (): string => path.join(folder, '.stowage', 'step 100');

  it('is written beside the checkpoint, and sha256sum accepts its list', () => {
    const { status, report } = verify(checkpoint, '--create');
    expect(status).toBe(0);
    expect(report.manifest).toBe(path.join(beside(), 'stowage-manifest.json'));
    expect(schemaErrors(validateManifest, JSON.parse(readFileSync(report.manifest ?? '', 'utf8')))).toEqual([]);
    const checked = sha256sum('-c', path.join(beside(), 'SHA256SUMS'));
    expect(checked.status).toBe(0);
    expect(checked.stdout.trim().split('\n')).toHaveLength(4);
    expect(existsSync(path.join(beside(), 'stowage-manifest.json.partial'))).toBe(false);
  });

  it('notices any bit, in the block and the file where it is', () => {
    verify(checkpoint, '--create');
    expect(verify(checkpoint)).toMatchObject({ status: 0, report: { failed: 0, unverifiable: 0 } });
    flipIn('weights.bin', 8 * 4_999_999);
    const { status, report } = verify(checkpoint);
    expect(status).toBe(1);
    expect(report.failed).toBe(1);
    expect(fileOf(report, 'weights.bin')).toMatchObject({
      status: 'changed',
      by: ['sha256', 'block-crc32c'],
      coverage: { bytes: 5_000_000, of: 5_000_000 },
      damage: [{ offset: 0, length: 5_000_000 }],
    });
    expect(fileOf(report, 'model.pt')).toMatchObject({ status: 'same', by: ['zip-crc32', 'sha256', 'block-crc32c'] });
  });

  it('lists files that are missing and of those that it does not list', () => {
    verify(checkpoint, '--create');
    rmSync(path.join(checkpoint, 'empty'));
    writeFileSync(path.join(checkpoint, 'new'), 'y');
    const { status, report } = verify(checkpoint);
    expect(status).toBe(1);
    expect(fileOf(report, 'empty').status).toBe('missing');
    expect(fileOf(report, 'new').status).toBe('extra');
  });

  it('is compared first where one is there, and stays where a file is damaged', () => {
    const { report: first } = verify(checkpoint, '--create');
    const before = readFileSync(first.manifest ?? '', 'utf8');
    flipKeepingTime('weights.bin', 12_345);
    const { status, report } = verify(checkpoint, '--create');
    expect(status).toBe(1);
    expect(report).toMatchObject({ created: false, failed: 1 });
    expect(report.notes.join()).toContain('The earlier manifest stays');
    expect(fileOf(report, 'weights.bin')).toMatchObject({
      status: 'changed',
      reason: 'with the same size and time as in the manifest',
    });
    expect(readFileSync(first.manifest ?? '', 'utf8')).toBe(before);
    expect(readdirSync(beside()).sort()).toEqual(['SHA256SUMS', 'stowage-manifest.json']);
    const replaced = verify(checkpoint, '--create', '--replace');
    expect(replaced).toMatchObject({ status: 0, report: { created: true } });
    expect(verify(checkpoint).status).toBe(0);
  });

  it.each([[], ['--inside']])('takes files that were written again as they are %s', (...where) => {
    verify(checkpoint, '--create', ...where);
    flipIn('weights.bin', 3);
    utimesSync(path.join(checkpoint, 'weights.bin'), 1_700_000_000, 1_700_000_000);
    writeFileSync(path.join(checkpoint, 'new'), 'y');
    expect(fileOf(verify(checkpoint).report, 'weights.bin').reason).toBe(
      'written again since the manifest, on 2023-11-14 22:13 UTC',
    );
    const { status, report } = verify(checkpoint, '--create', ...where);
    expect(status).toBe(0);
    expect(report.created).toBe(true);
    expect(report.notes).toContain('1 file was written again since the earlier manifest.');
    expect(fileOf(report, 'weights.bin').reason).toContain('written again since the manifest');
    expect(fileOf(report, 'new').status).toBe('unverifiable');
    expect(verify(checkpoint).report.failed).toBe(0);
  });

  it('that is damaged is not written over unless that is said', () => {
    const file = path.join(beside(), 'stowage-manifest.json');
    verify(checkpoint, '--create');
    writeFileSync(file, '{"kind": "stowage-manifest", "schemaVersion": 9}');
    const { status, stderr } = stowage('verify', checkpoint, '--create');
    expect(status).toBe(3);
    expect(stderr).toContain('--replace writes over it');
    expect(readFileSync(file, 'utf8')).toContain('9');
    expect(verify(checkpoint, '--create', '--replace').status).toBe(0);
  });

  it('goes inside only where that is said, and is no part of itself then', () => {
    const refused = stowage('verify', checkpoint, '--create', '--output', path.join(checkpoint, 'deep'));
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toContain('--output is inside of what is verified');
    expect(verify(checkpoint, '--create', '--inside').status).toBe(0);
    expect(sha256sum('-c', 'SHA256SUMS').status).toBe(0);
    expect(verify(checkpoint)).toMatchObject({ status: 0, report: { failed: 0 } });
  });

  it('is not written over a list of somebody else', () => {
    const list = path.join(checkpoint, 'SHA256SUMS');
    writeFileSync(list, sha256sum('model.pt').stdout);
    const before = readFileSync(list, 'utf8');
    const { status, stderr } = stowage('verify', checkpoint, '--create', '--inside');
    expect(status).toBe(3);
    expect(stderr).toContain('of somebody else');
    expect(readFileSync(list, 'utf8')).toBe(before);
  });

  it('is compared with another one without reading a file', () => {
    verify(checkpoint, '--create', '--output', path.join(folder, 'old'));
    flipIn('model.pt', 4_000);
    verify(checkpoint, '--create');
    const { status, report } = verify(checkpoint, '--against', path.join(folder, 'old', 'stowage-manifest.json'));
    expect(status).toBe(1);
    expect(report).toMatchObject({ bytesHashed: 0, failed: 1 });
    expect(fileOf(report, 'model.pt')).toMatchObject({ status: 'changed', by: ['sha256'] });
  });

  it.each([
    ['{"kind": "stowage-manifest", "schemaVersion": 9, "blockBytes": 4096, "files": []}', 'it is no manifest of version 1'],
    ['[', 'it is no JSON'],
    [`{"kind":"stowage-manifest","schemaVersion":1,"blockBytes":4096,"files":[${entry('../x')}]}`, 'file 1 names ../x'],
    [`{"kind":"stowage-manifest","schemaVersion":1,"blockBytes":4096,"files":[${entry('/x')}]}`, 'file 1 names /x'],
    [
      `{"kind":"stowage-manifest","schemaVersion":1,"blockBytes":4096,"files":[${entry('x')},${entry('x')}]}`,
      'file 2 names x a second',
    ],
  ])('is refused with the place: %s', (text, message) => {
    const file = path.join(folder, 'hostile.json');
    writeFileSync(file, text);
    const { status, stderr } = stowage('verify', checkpoint, '--manifest', file);
    expect(status).toBe(3);
    expect(stderr).toContain(message);
  });
});

describe('what is said of a new manifest', () => {
  it('that cannot be written', () => {
    const { status, stderr } = stowage('verify', checkpoint, '--create', '--output', path.join(checkpoint, '..', 'file', 'deep'));
    expect(status).toBe(0);
    writeFileSync(path.join(folder, 'plain'), '');
    const refused = stowage('verify', checkpoint, '--create', '--output', path.join(folder, 'plain', 'deep'));
    expect(refused.status).toBe(3);
    expect(refused.stderr).toContain('takes no manifest: a part of its path is not a folder');
    expect(stderr).toContain('Wrote');
  });

  it('of no files is that none was written', () => {
    const empty = path.join(folder, 'nothing');
    mkdirSync(empty);
    expect(verify(empty, '--create').report).toMatchObject({ created: false, manifest: null });
    expect(readdirSync(path.join(folder, '.stowage', 'nothing'))).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('of names that are not UTF-8 is that its list is without them', () => {
    writeFileSync(Buffer.concat([Buffer.from(`${checkpoint}/`), Buffer.from([0x61, 0xff])]), 'x');
    const { report } = verify(checkpoint, '--create');
    expect(report.notes).toContain('Files whose names are not UTF-8 are in the manifest, and not in SHA256SUMS.');
    expect(sha256sum('-c', path.join(folder, '.stowage', 'step 100', 'SHA256SUMS')).status).toBe(0);
    expect(verify(checkpoint).report).toMatchObject({ failed: 0, unverifiable: 0 });
  });
});

it('lists of digests that are not computed are named', () => {
  writeFileSync(path.join(checkpoint, 'B2SUMS'), '');
  writeFileSync(path.join(checkpoint, 'SHA384SUMS'), '');
  const note = 'Lists of digests that are not computed, and were not used: B2SUMS and SHA384SUMS.';
  expect(verify(checkpoint).report.notes).toContain(note);
  expect(verify(path.join(checkpoint, 'weights.bin')).report.notes).toContain(note);
});

describe('a required coverage', () => {
  it('fails where fewer bytes are covered, and where nothing was compared', () => {
    const only = path.join(checkpoint, 'weights.bin');
    expect(verify(only).status).toBe(0);
    expect(verify(only, '--require-coverage', '1%').status).toBe(1);
    expect(verify(checkpoint, '--require-coverage', '0.01%').status).toBe(0);
    const { status, stderr } = stowage('verify', checkpoint, '--require-coverage', '100%');
    expect(status).toBe(1);
    expect(stderr).toContain('less than --require-coverage asks for');
    verify(checkpoint, '--create');
    expect(verify(checkpoint, '--require-coverage', '100%').status).toBe(0);
    expect(stowage('verify', checkpoint, '--require-coverage', '2').status).toBe(2);
    expect(stowage('verify', checkpoint, '--create', '--require-coverage', '1').status).toBe(2);
  });
});

describe('a single file', () => {
  const weights = (): string => path.join(checkpoint, 'weights.bin');

  it.each([[], ['--inside']])('is compared with the manifest of its directory %s', (...where) => {
    verify(checkpoint, '--create', ...where);
    expect(verify(weights())).toMatchObject({ status: 0, report: { files: [{ path: 'weights.bin', status: 'same' }] } });
    flipIn('weights.bin', 12_345);
    const { status, report } = verify(weights());
    expect(status).toBe(1);
    expect(report.files).toHaveLength(1);
    expect(report.manifest).toContain('stowage-manifest.json');
    expect(fileOf(report, 'weights.bin').by).toContain('block-crc32c');
  });

  it('is compared with the lists beside it', () => {
    writeFileSync(path.join(checkpoint, 'SHA256SUMS'), sha256sum('weights.bin', 'model.pt').stdout);
    flipIn('weights.bin', 12_345);
    const { status, report } = verify(weights());
    expect(status).toBe(1);
    expect(report.files.map(({ path: name }) => name)).toEqual(['weights.bin']);
  });

  it('of a snapshot of the Hub is compared with the name of its blob', () => {
    const repository = path.join(folder, 'models--a--b');
    const [digest] = sha256sum('weights.bin').stdout.split(' ');
    mkdirSync(path.join(repository, 'blobs'), { recursive: true });
    mkdirSync(path.join(repository, 'snapshots', 'rev'), { recursive: true });
    cpSync(weights(), path.join(repository, 'blobs', digest ?? ''));
    const link = path.join(repository, 'snapshots', 'rev', 'weights.bin');
    symlinkSync(`../../blobs/${digest}`, link);
    expect(fileOf(verify(link).report, 'weights.bin')).toMatchObject({ status: 'same', by: ['sha256'] });
    const { report } = verify(path.dirname(link), '--create', '--log');
    expect(report.manifest).toBe(path.join(repository, '.stowage', 'rev', 'stowage-manifest.json'));
    expect(report.log?.path).toBe(path.join(repository, '.stowage', 'verified.json'));
    expect(readdirSync(path.join(repository, 'snapshots'))).toEqual(['rev']);
    expect(verify(path.dirname(link)).report.manifest).toBe(report.manifest);
  });
});

describe('a directory around what has manifests', () => {
  it('is compared with them', () => {
    verify(checkpoint, '--create');
    writeFileSync(path.join(folder, 'other.bin'), 'other');
    verify(path.join(folder, 'other.bin'), '--create');
    writeFileSync(path.join(folder, 'loose'), 'x');
    writeFileSync(path.join(checkpoint, 'new'), 'y');
    const { status, report } = verify(folder);
    expect(status).toBe(0);
    expect(report.notes).toContain('Compared with the 2 manifests of other.bin and step 100.');
    expect(report.files.map(({ path: name, status: found }) => `${name} ${found}`)).toEqual([
      'loose unverifiable',
      'other.bin same',
      'step 100/deep/with\nbreak and \\ same',
      'step 100/empty same',
      'step 100/model.pt same',
      'step 100/new extra',
      'step 100/weights.bin same',
    ]);
    flipIn('weights.bin', 3);
    rmSync(path.join(checkpoint, 'empty'));
    const damaged = verify(folder);
    expect(damaged).toMatchObject({ status: 1, report: { failed: 2 } });
    expect(fileOf(damaged.report, 'step 100/empty').status).toBe('missing');
  });
});

describe('a link to a directory', () => {
  it('has the manifest of what it leads to', () => {
    const { report } = verify(checkpoint, '--create');
    const link = path.join(folder, 'latest');
    symlinkSync('step 100', link);
    expect(verify(link).report.manifest).toBe(report.manifest);
    expect(verify(link, '--create').report.manifest).toBe(report.manifest);
    expect(readdirSync(path.join(folder, '.stowage'))).toEqual(['step 100']);
    expect(stowage('verify', link, '--create', '--output', path.join(checkpoint, 'deep')).status).toBe(2);
  });

  it('is not followed out of a directory, which is said', () => {
    mkdirSync(path.join(folder, 'empty'));
    symlinkSync('../step 100', path.join(folder, 'empty', 'latest'));
    expect(verify(path.join(folder, 'empty')).report.notes).toEqual([
      'Links to directories out of this one are not followed: latest.',
    ]);
  });
});

it('a directory that was renamed names the manifest under its old name', () => {
  verify(checkpoint, '--create');
  const renamed = path.join(folder, 'best');
  renameSync(checkpoint, renamed);
  expect(verify(renamed).report.notes.join()).toContain(': step 100. --manifest takes one.');
});

describe('a run that was ended', () => {
  const output = (): string => path.join(folder, 'manifest');
  const partial = (): string => path.join(output(), 'stowage-manifest.json.partial');
  const create = (): { status: number | null; report: VerificationReport } =>
    verify(checkpoint, '--create', '--output', output());

  it('goes on behind the files that it had hashed, also where its last line is cut', () => {
    create();
    const written = JSON.parse(readFileSync(path.join(output(), 'stowage-manifest.json'), 'utf8')) as {
      files: { path: string }[];
    };
    const lines = written.files.map((file) => JSON.stringify(file));
    const head = '{"kind":"stowage-manifest-partial","schemaVersion":1,"blockBytes":67108864}';
    const known = written.files.findIndex(({ path: name }) => name === 'weights.bin');
    writeFileSync(partial(), `${head}\n${lines[known]}\n${lines[0]?.slice(0, 40)}`);
    const { status, report } = create();
    expect(status).toBe(0);
    const rest = written.files.length - 1;
    expect(report.files).toHaveLength(rest + 1);
    const restBytes = report.files.reduce((sum, { bytes }) => sum + bytes, 0) - 5_000_000;
    expect(report.bytesHashed).toBe(restBytes);
    expect(fileOf(report, 'weights.bin').reason).toBe('an earlier run hashed it for this manifest');
    expect(sha256sum('-c', path.join(output(), 'SHA256SUMS')).status).toBe(0);
    expect(JSON.parse(readFileSync(path.join(output(), 'stowage-manifest.json'), 'utf8'))).toMatchObject({
      files: written.files,
    });
  });

  it('does not trust what it had of a file that has changed since', () => {
    create();
    const manifest = JSON.parse(readFileSync(path.join(output(), 'stowage-manifest.json'), 'utf8')) as { files: object[] };
    const head = '{"kind":"stowage-manifest-partial","schemaVersion":1,"blockBytes":67108864}';
    writeFileSync(partial(), [head, ...manifest.files.map((file) => JSON.stringify(file)), ''].join('\n'));
    flipIn('weights.bin', 3);
    utimesSync(path.join(checkpoint, 'weights.bin'), 1_000_000, 1_000_000);
    expect(create().report.bytesHashed).toBe(5_000_000);
    expect(sha256sum('-c', path.join(output(), 'SHA256SUMS')).status).toBe(0);
  });

  it.each(['SIGKILL', 'SIGINT'] as const)('by %s leaves no half manifest, and is repeated to the same end', async (signal) => {
    const block = Buffer.alloc(4_000_000, 7);
    for (let index = 0; index < 60; index++) writeFileSync(path.join(checkpoint, `shard-${index}`), block);
    const child = spawn(process.execPath, ['dist/cli.js', 'verify', checkpoint, '--create', '--output', output()]);
    const ended = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)));
    await until(
      'four files in the partial manifest',
      () => child.exitCode !== null || (existsSync(partial()) && readFileSync(partial(), 'utf8').split('\n').length > 4),
    );
    child.kill(signal);
    const code = await ended;
    // It may be done, or about to be, before the signal comes: what has its name by then is whole.
    const finished = path.join(output(), 'stowage-manifest.json');
    if (existsSync(finished)) expect(JSON.parse(readFileSync(finished, 'utf8'))).toMatchObject({ kind: 'stowage-manifest' });
    if (signal === 'SIGINT' && code !== 0) expect(code).toBe(130);
    const known = existsSync(partial()) ? readFileSync(partial(), 'utf8').trim().split('\n').length - 1 : 0;
    const { status, report } = create();
    expect(status).toBe(0);
    expect(
      report.files.filter(({ reason }) => reason === 'an earlier run hashed it for this manifest').length,
    ).toBeLessThanOrEqual(known);
    expect(readdirSync(output()).sort()).toEqual(['SHA256SUMS', 'stowage-manifest.json']);
    expect(sha256sum('-c', '--quiet', path.join(output(), 'SHA256SUMS')).status).toBe(0);
  });
});

it('a manifest above the limit is not read', () => {
  const file = path.join(folder, 'large.json');
  writeFileSync(file, '');
  truncateSync(file, limits.manifestFileBytes + 1);
  const { status, stderr } = stowage('verify', checkpoint, '--manifest', file);
  expect(status).toBe(3);
  expect(stderr).toContain(`more than the ${limits.manifestFileBytes}`);
});

function entry(name: string): string {
  return JSON.stringify({ path: name, bytes: 0, modifiedMs: null, sha256: 'a'.repeat(64), crc32c: [] });
}

describe('lists of digests', () => {
  it('of sha256sum are accepted, also with CR LF and as BSD writes them', () => {
    const names = ['model.pt', 'weights.bin', 'deep/with\nbreak and \\'];
    writeFileSync(path.join(checkpoint, 'SHA256SUMS'), sha256sum(...names).stdout.replaceAll('\n', '\r\n'));
    writeFileSync(path.join(checkpoint, 'checksums.txt'), sha256sum('--tag', ...names).stdout);
    const { status, report } = verify(checkpoint);
    expect(status).toBe(0);
    for (const name of names) expect(fileOf(report, name)).toMatchObject({ status: 'same' });
    flipIn('weights.bin', 77);
    const after = verify(checkpoint);
    expect(after.status).toBe(1);
    expect(fileOf(after.report, 'weights.bin').damage.map(({ what }) => what)).toEqual([
      'SHA-256 is not the one that checksums.txt has',
      'SHA-256 is not the one that SHA256SUMS has',
    ]);
  });

  it('that lead out of the directory are refused as a whole', () => {
    writeFileSync(path.join(checkpoint, 'SHA256SUMS'), `${'a'.repeat(64)}  weights.bin\n${'b'.repeat(64)}  ../../x\n`);
    const { status, report } = verify(checkpoint);
    expect(status).toBe(1);
    expect(fileOf(report, 'SHA256SUMS')).toMatchObject({ status: 'unreadable' });
    expect(fileOf(report, 'SHA256SUMS').reason).toContain('line 2 names ../../x');
    expect(fileOf(report, 'weights.bin').status).toBe('unverifiable');
  });
});

describe('a sparse file', () => {
  it('of 100 GB costs nothing where no sum is known', () => {
    writeFileSync(path.join(checkpoint, 'hole.bin'), '');
    truncateSync(path.join(checkpoint, 'hole.bin'), 100e9);
    const { status, report } = verify(checkpoint);
    expect(status).toBe(0);
    expect(report.bytesHashed).toBeLessThan(1e6);
    expect(report.notes.join()).toContain('hole.bin');
  });
});

describe('the sums of a container', () => {
  it('need nothing beside them, and name the member that is damaged', () => {
    expect(fileOf(verify(checkpoint).report, 'model.pt')).toMatchObject({ status: 'same', by: ['zip-crc32'] });
    flipIn('model.pt', 8 * 1_100);
    const { status, report } = verify(checkpoint);
    expect(status).toBe(1);
    const { damage } = fileOf(report, 'model.pt');
    expect(damage).toHaveLength(1);
    expect(damage[0]?.what).toMatch(/^data of dtypes\/.* in the archive: CRC-32 does not match$/);
  });

  it('name the tensor whose bytes they are', () => {
    // Storages of an archive begin at multiples of 64 bytes.
    const name = 'dtypes/data/0';
    const headed = readFileSync(path.join(checkpoint, 'model.pt')).indexOf(name) + name.length;
    flipIn('model.pt', 8 * 64 * Math.ceil(headed / 64));
    const { report } = verify(checkpoint);
    expect(fileOf(report, 'model.pt').damage).toMatchObject([{ tensors: { names: [expect.any(String)], more: 0 } }]);
    expect(stowage('verify', checkpoint, '--markdown').stdout).toMatch(
      /data of dtypes\/data\/0 in the archive: CRC..?32 does not match, in \w/,
    );
  });

  it('of a file that is cut off say where it ends', () => {
    appendFileSync(path.join(checkpoint, 'cut.pt'), readFileSync(path.join(checkpoint, 'model.pt')).subarray(0, 3_000));
    expect(fileOf(verify(checkpoint).report, 'cut.pt')).toMatchObject({ status: 'changed', coverage: { bytes: 0 } });
  });
});
