/** Runs of frameworks and what is odd in them, one at a time. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import type { FileEntry, FileListing } from '../../../src/core/files/fileTree.js';
import { memorySource } from '../../../src/core/bytes/memorySource.js';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { linksBelow } from '../../../src/core/retention/linksElsewhere.js';
import { planRetention } from '../../../src/core/retention/planRetention.js';
import type { RetentionInput } from '../../../src/core/retention/retentionFacts.js';
import type { RetentionReport } from '../../../src/core/retention/retentionReport.js';
import { build, dict, global, int, newobj, pickle, str } from '../../builders/pickleBuilder.js';
import { buildTorchZip } from '../../builders/torchZipBuilder.js';
import { retentionPage } from '../../../src/core/pages/retention/retentionPage.js';
import { readRetentionPolicy } from '../../../src/core/retention/retentionPolicy.js';

const nowMs = 1.7e12;
const hourMs = 3_600_000;

interface Given extends Partial<RetentionInput> {
  policyText?: string;
  texts?: Record<string, string>;
  bytes?: Record<string, Uint8Array>;
  errors?: FileListing['errors'];
  truncated?: boolean;
}

async function planned(
  entries: FileEntry[],
  { policyText = 'keepLast: 2', texts = {}, bytes = {}, errors = [], truncated = false, ...more }: Given = {},
) {
  const all = [
    ...entries,
    ...Object.keys(texts)
      .filter((path) => !entries.some((entry) => entry.path === path))
      .map((path): FileEntry => ({ path, sizeBytes: 10, modifiedMs: nowMs - 900 * hourMs })),
  ];
  for (const entry of all) entry.sizeBytes = bytes[entry.path]?.byteLength ?? entry.sizeBytes;
  const listing = { entries: all, errors, truncated };
  const { report } = await planRetention({
    path: '/run',
    tree: {
      rootName: 'run',
      list: () => Promise.resolve(listing),
      open: (path) => {
        const text = texts[path];
        const content = text === undefined ? bytes[path] : new TextEncoder().encode(text);
        if (content === undefined) return Promise.reject(new FormatError('io', 'permission denied'));
        return Promise.resolve(memorySource(path, content));
      },
    },
    policy: await readRetentionPolicy(policyText),
    holds: [],
    manifests: [],
    metrics: null,
    adapters: { bases: [], unread: [] },
    listAgain: () => Promise.resolve(listing),
    nowMs,
    user: null,
    ...more,
  });
  return report;
}

/** Saved every two hours, the first 200 hours ago. */
function checkpoint(path: string, index: number, more: Partial<FileEntry> = {}): FileEntry[] {
  const modifiedMs = nowMs - (200 - 2 * index) * hourMs;
  return ['model.safetensors', 'optimizer.pt', 'scheduler.pt', 'training_args.bin'].map((name) => ({
    path: `${path}/${name}`,
    sizeBytes: 1e6,
    modifiedMs,
    ...more,
  }));
}

const trainer = (...steps: number[]): FileEntry[] => steps.flatMap((step, index) => checkpoint(`checkpoint-${step}`, index));
const dropped = ({ drop }: RetentionReport): string[] => drop.map(({ path }) => path);
const whyOf = (report: RetentionReport, path: string): string[] =>
  [
    ...report.keep.map(({ path: at, reasons }) => ({ at, all: reasons })),
    ...report.undecided.map(({ path: at, why }) => ({ at, all: why })),
  ]
    .filter(({ at }) => at === path)
    .flatMap(({ all }) => all.map(({ code }) => code));

describe('the rules', () => {
  it('keep the newest, the first of each window of steps, milestones and the best', async () => {
    const entries = trainer(100, 200, 300, 400, 500, 600, 700, 800, 900);
    const policyText = 'keepLast: 1\nkeepEverySteps: 500\nmilestones: [300, 310]\nkeepBest: {metric: loss, mode: min, count: 1}';
    const log = [100, 200, 300, 400, 500, 600, 700, 800, 900].map((step) => ({
      step,
      eval_loss: step === 700 ? 0.1 : 1,
      loss: -step,
    }));
    const report = await planned(entries, {
      policyText,
      texts: { 'checkpoint-900/trainer_state.json': JSON.stringify({ log_history: log }) },
    });
    expect(dropped(report)).toEqual(['checkpoint-200', 'checkpoint-400', 'checkpoint-600']);
    expect(whyOf(report, 'checkpoint-700')).toEqual(['keepBest']);
    expect(whyOf(report, 'checkpoint-800')).toEqual(['two-stay']);
    expect(report.notes).toEqual([{ code: 'milestone-missing', path: '310', detail: null }]);
  });

  it('keep what was written last, where training went back', async () => {
    const entries = [...trainer(100, 200, 300, 400), ...checkpoint('checkpoint-250', 9)];
    const report = await planned(entries, { policyText: 'keepLast: 1' });
    expect(whyOf(report, 'checkpoint-250')).toEqual(['latest-written', 'keepLast']);
    expect(whyOf(report, 'checkpoint-400')).toEqual(['newest', 'keepLast']);
    expect(dropped(report)).toEqual(['checkpoint-100', 'checkpoint-200', 'checkpoint-300']);
  });

  it('judge nothing by times that a copy gave', async () => {
    const entries = trainer(100, 200, 300, 400).map((entry) => ({ ...entry, modifiedMs: nowMs - 50 * hourMs }));
    expect(dropped(await planned(entries))).toEqual(['checkpoint-100', 'checkpoint-200']);
    const aged = await planned(entries, { policyText: 'keepLast: 2\nminimumAgeHours: 6' });
    expect(whyOf(aged, 'checkpoint-100')).toEqual(['age-unknown']);
    const hourly = await planned(entries, { policyText: 'keepLast: 2\nkeepEveryHours: 6' });
    expect(whyOf(hourly, 'checkpoint-100')).toEqual(['hours-unknown']);
  });

  it('judge nothing by a metric that is not there', async () => {
    const report = await planned(trainer(100, 200, 300), { policyText: 'keepBest: {metric: loss, mode: min, count: 1}' });
    expect(whyOf(report, 'checkpoint-100')).toEqual(['metric-unknown']);
  });
});

describe('what is not known of a run', () => {
  const state = (path: string, text: string) => ({ [`${path}/trainer_state.json`]: text });
  const best = (step: number, more = ''): string => `{"best_model_checkpoint": "out/checkpoint-${step}"${more}}`;

  it('is not the best of a state that has NaN in it, as Python writes it', async () => {
    const texts = state('checkpoint-500', best(200, ', "log_history": [{"step": 1, "grad_norm": NaN, "loss": -Infinity}]'));
    const report = await planned(trainer(100, 200, 300, 400, 500), { texts });
    expect(whyOf(report, 'checkpoint-200')).toEqual(['framework-best']);
    expect(dropped(report)).toEqual(['checkpoint-100', 'checkpoint-300']);
  });

  it('is the best where no state can be read: nothing goes', async () => {
    const texts = state('checkpoint-500', '{"best_mod');
    const report = await planned(trainer(100, 200, 300, 400, 500), { texts });
    expect(dropped(report)).toEqual([]);
    expect(whyOf(report, 'checkpoint-100')).toEqual(['state-unreadable']);
  });

  it('is the best of checkpoints after the last state that can be read', async () => {
    const texts = { ...state('checkpoint-400', best(100)), ...state('checkpoint-600', '{') };
    const report = await planned(trainer(100, 200, 300, 400, 500, 600, 700), { texts });
    expect(dropped(report)).toEqual(['checkpoint-200']);
    expect(whyOf(report, 'checkpoint-500')).toEqual(['state-unreadable']);
  });

  it.each(['0', '1000', '2019'])(
    'is whether numbers from %s on are steps, without state of training and without a pointer',
    async (first) => {
      const paths = Array.from({ length: 8 }, (_, index) => `${Number(first) + index}/model.safetensors`);
      const entries = paths.map((path, index): FileEntry => ({
        path,
        sizeBytes: 1e6,
        modifiedMs: nowMs - (100 - index) * hourMs,
      }));
      expect(dropped(await planned(entries))).toEqual([]);
      expect(dropped(await planned(entries, { texts: { latest: String(Number(first) + 7) } }))).toHaveLength(6);
    },
  );

  it('is whether checkpoints of two frameworks are in one directory: then nothing goes', async () => {
    const other = [100, 200, 300].flatMap((step, index) =>
      ['__0_0.distcp', '.metadata'].map((name): FileEntry => ({
        path: `step-${step * 7}/${name}`,
        sizeBytes: 3e6,
        modifiedMs: nowMs - (150 - index) * hourMs,
      })),
    );
    const report = await planned([...trainer(100, 200, 300, 400), ...other]);
    expect(dropped(report)).toEqual([]);
    expect(whyOf(report, 'checkpoint-100')).toEqual(['two-runs']);
    // One of another name is an export of the run.
    expect(dropped(await planned([...trainer(100, 200, 300, 400), ...other.slice(0, 2)]))).toContain('checkpoint-100');
  });

  it.each([' golden', '(golden)', 'golden', '-paper', '.bak', '-don’t-delete', "\n'$(touch PWN)"])(
    'is whether %j was added to its name',
    async (added) => {
      const report = await planned([...trainer(100, 200, 300, 400), ...checkpoint(`checkpoint-50${added}`, 0)]);
      expect(whyOf(report, `checkpoint-50${added}`)).toContain('name-added-to');
      expect(dropped(report)).toEqual(['checkpoint-100', 'checkpoint-200']);
    },
  );

  it('is whether numbers are sizes of models', async () => {
    const sizes = [1, 3, 7, 13].flatMap((size, index) => checkpoint(`checkpoint-${size}b`, index));
    expect(dropped(await planned(sizes))).toEqual([]);
  });

  it('is whether years are steps, even with state of training', async () => {
    const years = [2021, 2022, 2023, 2024].flatMap((year, index) => checkpoint(String(year), index));
    const report = await planned(years);
    expect(dropped(report)).toEqual([]);
    expect(whyOf(report, '2021')).toEqual(['years-alone']);
    expect(dropped(await planned(years, { texts: { latest: '2024' } }))).toEqual(['2021', '2022']);
  });

  it.each(['data.bin', 'embeddings.npz', 'preds.pt', 'activations.safetensors'])(
    'is whether any file is called after a model: %s',
    async (name) => {
      const files = (file: string) =>
        [100, 200, 300, 400].map((step, index) => ({
          path: `step-${step}/${file}`,
          sizeBytes: 1e6,
          modifiedMs: nowMs - (150 - index) * hourMs,
        }));
      expect(dropped(await planned(files(name)))).toEqual([]);
      expect(dropped(await planned(files('model.safetensors')))).toEqual(['step-100', 'step-200']);
    },
  );

  it.each([
    [
      'a pointer that is a link to nothing',
      { path: 'best', sizeBytes: 0, modifiedMs: 1, link: { target: '/nonexistent', inside: false } },
    ],
    ['a pointer that is larger than any', { path: 'latest', sizeBytes: 1e12, modifiedMs: 1 }],
  ])('is nothing beside %s', async (_name, pointer) => {
    const report = await planned([...trainer(100, 200, 300, 400), pointer]);
    expect(dropped(report)).toEqual([]);
    expect(whyOf(report, 'checkpoint-100')).toContain('pointer-unreadable');
  });

  it('may go where a link names a step that was removed, which is said', async () => {
    const pointer: FileEntry = {
      path: 'latest',
      sizeBytes: 0,
      modifiedMs: 1,
      link: { target: 'checkpoint-9999', inside: false },
    };
    const report = await planned([...trainer(100, 200, 300, 400), pointer]);
    expect(dropped(report)).toEqual(['checkpoint-100', 'checkpoint-200']);
    expect(report.notes).toMatchObject([{ code: 'pointer-target-missing', path: 'latest' }]);
  });

  it('is nothing beside a directory that cannot be listed: links in it may lead into any', async () => {
    const report = await planned(trainer(100, 200, 300, 400), { errors: [{ path: 'links', detail: 'permission denied' }] });
    expect(dropped(report)).toEqual([]);
  });

  it('is whether a checkpoint has another run in it', async () => {
    const within = checkpoint('checkpoint-100/adapters/checkpoint-20', 0);
    const report = await planned([...trainer(100, 200, 300, 400), ...within]);
    expect(whyOf(report, 'checkpoint-100')).toEqual(['run-within']);
    const engine = [100, 200, 300, 400].flatMap((step, index) => checkpoint(`checkpoint-${step}/global_step${step}`, index));
    expect(dropped(await planned([...trainer(100, 200, 300, 400), ...engine]))).toEqual(['checkpoint-100', 'checkpoint-200']);
  });

  it('is whether a distributed save without its .metadata can be loaded: it counts for nothing', async () => {
    const save = (step: number, index: number, hasMetadata: boolean): FileEntry[] =>
      ['__0_0.distcp', '__1_0.distcp', ...(hasMetadata ? ['.metadata'] : [])].map((name) => ({
        path: `step-${step}/${name}`,
        sizeBytes: name === '.metadata' ? 500 : 1e6,
        modifiedMs: nowMs - (100 - index) * hourMs,
      }));
    const entries = [250, 500, 750, 1000].flatMap((step, index) => save(step, index, index === 0));
    const report = await planned(entries);
    expect(dropped(report)).toEqual([]);
    expect(whyOf(report, 'step-250')).toEqual(['newest', 'keepLast']);
    expect(whyOf(report, 'step-1000')).toEqual(['incomplete']);
  });

  it.each([
    ['latest', 'nonsense'],
    ['best.json', '{"loss": 1}'],
    ['.latest', 'nonsense'],
    ['best_ckpt.json', '[]'],
  ])('is what %s with %s points at: nothing goes', async (name, text) => {
    expect(dropped(await planned(trainer(100, 200, 300, 400), { texts: { [name]: text } }))).toEqual([]);
  });

  it.each(['latest.json', 'best.json', 'best_ckpt.json'])('is not the step that %s has', async (name) => {
    const report = await planned(trainer(100, 200, 300, 400), { texts: { [name]: '{"step": 100, "loss": 2}' } });
    expect(whyOf(report, 'checkpoint-100')).toEqual(['pointer']);
    expect(dropped(report)).toEqual(['checkpoint-200']);
  });

  it('is what people mean by a name: it stays', async () => {
    const entries = [
      'checkpoint-100-golden',
      'checkpoint-200_DO_NOT_DELETE',
      'checkpoint-300',
      'checkpoint-400',
      'checkpoint-500',
    ];
    const report = await planned(entries.flatMap((path, index) => checkpoint(path, index)));
    expect(dropped(report)).toEqual(['checkpoint-300']);
  });
});

describe('texts that name several checkpoints', () => {
  it.each([
    ['best.txt', 'checkpoint-300\ncheckpoint-100\n'],
    ['latest', 'checkpoint-100 # was checkpoint-300'],
    ['latest.yaml', 'latest: 100\nbest: checkpoint-300\n'],
    ['best.json', '{"best": "checkpoint-100", "second": "/data/run/checkpoint-300"}'],
    ['best.json', '[{"step": 100}, {"step": 300}]'],
    ['best', 'checkpoint-100,checkpoint-300'],
    ['best.csv', 'step,loss\n100,0.5\n300,0.25\n'],
    ['top_k.txt', 'checkpoint-100 checkpoint-300'],
    ['production.json', '{"model": "./checkpoint-100/", "before": "checkpoint-300"}'],
  ])('keep all of them: %s with %j', async (name, text) => {
    const report = await planned(trainer(100, 200, 300, 400, 500), { texts: { [name]: text } });
    expect(whyOf(report, 'checkpoint-100')).toEqual(['pointer']);
    expect(whyOf(report, 'checkpoint-300')).toEqual(['pointer']);
    expect(dropped(report)).toEqual(['checkpoint-200']);
  });

  it('are read of limits.otherPointers files at most', async () => {
    const texts = Object.fromEntries(
      Array.from({ length: limits.otherPointers + 20 }, (_text, index) => [`note${index}.txt`, 'nothing']),
    );
    const report = await planned(trainer(100, 200, 300, 400), { texts });
    expect(report.coverage.opened.filter((path) => path.startsWith('note'))).toHaveLength(limits.otherPointers);
    expect(dropped(report)).toEqual(['checkpoint-100', 'checkpoint-200']);
  });

  it.each([
    ['notes.txt', 'loss at 100 was 0.3, 300 samples'],
    ['train.log', 'saved checkpoint-100'],
    ['config.json', '{"resume": "checkpoint-100"}'],
  ])('are not %s with %j', async (name, text) => {
    expect(dropped(await planned(trainer(100, 200, 300, 400), { texts: { [name]: text } }))).toEqual([
      'checkpoint-100',
      'checkpoint-200',
    ]);
  });
});

describe('what only some checkpoints show', () => {
  it('is a file that is shorter than the same file of all others', async () => {
    const entries = trainer(100, 200, 300, 400, 500, 600).map((entry) => ({ ...entry, sizeBytes: 20_000_000 }));
    const cut = entries.map((entry) =>
      /checkpoint-[56]00\/optimizer/.test(entry.path) ? { ...entry, sizeBytes: 19_000_000 } : entry,
    );
    const report = await planned(cut);
    expect(whyOf(report, 'checkpoint-600')).toEqual(['shorter-file']);
    expect(dropped(report)).toEqual(['checkpoint-100', 'checkpoint-200']);
    expect(dropped(await planned(entries))).toHaveLength(4);
  });

  it('is the time of a copy of some of them: no hours are judged by it', async () => {
    const copied = trainer(100, 200, 300, 400).map((entry) => ({ ...entry, modifiedMs: nowMs - 100 * hourMs }));
    const saved = [5, 6, 7, 8].flatMap((hundred, index) => checkpoint(`checkpoint-${hundred}00`, 60 + index));
    const report = await planned([...copied, ...saved], { policyText: 'keepEveryHours: 1000' });
    expect(whyOf(report, 'checkpoint-100')).toEqual(['hours-unknown']);
    expect(whyOf(report, 'checkpoint-300')).toEqual(['hours-unknown']);
    expect(dropped(report)).toEqual(['checkpoint-600']);
  });

  it('is the same epoch twice', async () => {
    const file = (path: string, index: number): FileEntry => ({
      path,
      sizeBytes: 5e6,
      modifiedMs: nowMs - (100 - index) * hourMs,
    });
    const names = ['epoch=1.ckpt', 'epoch=2.ckpt', 'epoch=2-v1.ckpt', 'epoch=3.ckpt', 'epoch=4.ckpt'];
    const report = await planned(names.map((name, index) => file(name, index)));
    expect(whyOf(report, 'epoch=2.ckpt')).toEqual(['same-step']);
    expect(dropped(report)).toEqual(['epoch=1.ckpt']);
  });

  it('is the best by names that are rounded alike: all of these stay', async () => {
    const file = (path: string, index: number): FileEntry => ({
      path,
      sizeBytes: 5e6,
      modifiedMs: nowMs - (100 - index) * hourMs,
    });
    const names = ['0.10', '0.10', '0.30', '0.20', '0.25'].map(
      (loss, index) => `epoch=${index}-step=${index + 1}00-val_loss=${loss}.ckpt`,
    );
    const report = await planned(
      names.map((name, index) => file(name, index)),
      { policyText: 'keepLast: 1\nkeepBest: {metric: val_loss, mode: min, count: 1}' },
    );
    expect(names.slice(0, 2).map((name) => whyOf(report, name))).toEqual([
      ['framework-best', 'keepBest'],
      ['framework-best', 'keepBest'],
    ]);
  });

  it.each(['checkpoint-300-loss-0.12', 'checkpoint-300-valloss_0.12', 'checkpoint-300-eval_accuracy0.12'])(
    'is a metric in %s',
    async (name) => {
      const names = ['100', '200', '300', '400', '500'].map((step) =>
        name.replace('300', step).replace('0.12', step === '300' ? '0.12' : '0.50'),
      );
      const report = await planned(names.flatMap((one, index) => checkpoint(one, index)));
      expect(whyOf(report, name)).toEqual(['framework-best']);
    },
  );

  it('is a marker of the run above the directory of its checkpoints', async () => {
    const entries = [100, 200, 300, 400].flatMap((step, index) => checkpoint(`checkpoints/step-${step}`, index));
    expect(dropped(await planned(entries))).toHaveLength(2);
    expect(dropped(await planned([...entries, { path: 'DO_NOT_DELETE', sizeBytes: 0, modifiedMs: 1 }]))).toEqual([]);
  });
});

describe('what people leave beside files', () => {
  it.each([
    'KEEP',
    'DO_NOT_DELETE.txt',
    '.golden',
    'do not remove',
    'hold.json',
    'DONT_DELETE',
    'don’t delete',
    '.nodelete',
    'LEGAL_HOLD',
    '_KEEP',
    'RELEASED',
    'IN_USE',
  ])('keeps the checkpoint that %j is in', async (name) => {
    const marker: FileEntry = { path: `checkpoint-100/${name}`, sizeBytes: 0, modifiedMs: nowMs - 900 * hourMs };
    const report = await planned([...trainer(100, 200, 300, 400), marker]);
    expect(whyOf(report, 'checkpoint-100')).toEqual(['marked']);
    expect(dropped(report)).toEqual(['checkpoint-200']);
    expect(dropped(await planned([...trainer(100, 200, 300, 400), { ...marker, path: name }]))).toEqual([]);
  });

  it.each(['.gitkeep', 'keep_in_fp32_modules.json', 'golden_samples.txt', 'best.json', 'deep/KEEP'])(
    'is not %s in a checkpoint',
    async (name) => {
      const other: FileEntry = { path: `checkpoint-100/${name}`, sizeBytes: 10, modifiedMs: nowMs - 900 * hourMs };
      expect(dropped(await planned([...trainer(100, 200, 300, 400), other]))).toContain('checkpoint-100');
    },
  );
});

describe('links elsewhere in the workspace', () => {
  const place = {
    name: 'run',
    paths: ['/data/run'],
    open: () => Promise.resolve({ rootName: 'data', names: fail, list: () => Promise.resolve(nothing), open: fail }),
  };
  const nothing: FileListing = { entries: [], errors: [], truncated: false };
  const fail = () => Promise.reject(new FormatError('io', 'none'));
  const link = (path: string, target: string): FileEntry => ({
    path,
    sizeBytes: 0,
    modifiedMs: 1,
    link: { target, inside: false },
  });

  it('keep what they lead to, relative or whole, or to a file in it', async () => {
    const links = linksBelow(
      [
        link('models/paper', '../../data/run/checkpoint-100'),
        link('serve.safetensors', '/data/run/checkpoint-300/model.safetensors'),
        link('other', '/data/run2/checkpoint-200'),
        link('above', '../../../../../data/run/checkpoint-400/../checkpoint-200/./'),
      ],
      '/exports',
    );
    const report = await planned(trainer(100, 200, 300, 400, 500, 600), { links, place });
    expect(
      report.keep
        .filter(({ reasons }) => reasons.some(({ code }) => code === 'linked'))
        .map(({ path, reasons }) => [path, reasons[0]?.detail]),
    ).toEqual([
      ['checkpoint-100', '/exports/models/paper'],
      ['checkpoint-300', '/exports/serve.safetensors'],
    ]);
    expect(dropped(report)).toEqual(['checkpoint-200', 'checkpoint-400']);
  });

  it('are not those of the run itself, where the workspace has it', async () => {
    const links = linksBelow([link('data/run/checkpoint-200/base', '../checkpoint-200/model.safetensors')], '/');
    expect(dropped(await planned(trainer(100, 200, 300, 400), { links, place }))).toEqual(['checkpoint-100', 'checkpoint-200']);
  });
});

describe('names of frameworks', () => {
  const file = (path: string, index: number): FileEntry => ({ path, sizeBytes: 5e6, modifiedMs: nowMs - (100 - index) * hourMs });

  it('give the metric and the order of Lightning’s checkpoints', async () => {
    const names = [0.9, 0.5, 0.7, 0.6, 0.8].map((loss, epoch) => `checkpoints/epoch=${epoch}-val_loss=${loss.toFixed(2)}.ckpt`);
    const entries = [...names.map(file), file('checkpoints/last.ckpt', 5)];
    const policyText = 'keepLast: 1\nkeepBest: {metric: val_loss, mode: min, count: 2}';
    const report = await planned(entries, { policyText });
    expect(report.run).toBe('checkpoints');
    expect(dropped(report)).toEqual([names[0], names[2]]);
    expect(whyOf(report, names[1] ?? '')).toEqual(['framework-best', 'keepBest']);
    expect(whyOf(report, 'checkpoints/last.ckpt')).toEqual(['named']);
    // Without a mode both ends may be the best.
    expect(dropped(await planned(entries, { policyText: 'keepLast: 1' }))).toEqual([names[2]]);
    const bySteps = await planned(entries, { policyText: 'keepLast: 1\nkeepEverySteps: 100' });
    expect(whyOf(bySteps, names[2] ?? '')).toEqual(['steps-unknown']);
  });

  it.each([
    ['latest', 'global_step1', 'DeepSpeed'],
    ['latest_checkpointed_iteration.txt', '1', 'Megatron and verl'],
    ['latest_checkpointed_iteration', '1', 'Megatron’s older name'],
    ['latest.txt', '1\n', 'nanotron'],
    ['checkpoint', 'model_checkpoint_path: "global_step1"\nall_model_checkpoint_paths: "global_step2"', 'TensorFlow'],
    ['resume_from', 'global_step1', 'a name of one’s own'],
  ])('in the pointer %s protect %s (%s)', async (path, text) => {
    const entries = [1, 2, 3, 4].flatMap((step) => checkpoint(`global_step${step}`, step));
    const report = await planned(entries, { texts: { [path]: text } });
    expect(whyOf(report, 'global_step1')).toEqual(['pointer']);
    expect(dropped(report)).toEqual(['global_step2']);
  });
});

describe('what the framework removes by itself', () => {
  const steps = [100, 200, 300, 400];

  it.each([
    ['save_total_limit: 3', ['checkpoint-100', 'checkpoint-200'], ['checkpoint-100']],
    ['total_limit: 4', ['checkpoint-100'], ['checkpoint-100']],
    ['save_total_limit: 9', [], []],
  ])('by %s', async (setting, next, wanted) => {
    const policyText = `keepLast: 2\nmilestones: [100]\nrotation: {${setting}}`;
    const report = await planned(trainer(...steps), { policyText });
    expect(report.rotation).toMatchObject({ next, wanted, source: 'policy' });
    const [warning] = retentionPage(report).reasons;
    expect(warning?.includes('should stay')).toBe(wanted.length > 0);
  });

  it.each([
    ['keep_latest_k: 3', (step: number) => `step-${step}`, ['step-100', 'step-200']],
    ['most_recent_k: 4', (step: number) => `iter_${String(step).padStart(7, '0')}`, ['iter_0000100']],
    ['save_retain_interval: 300', (step: number) => `iter_${String(step).padStart(7, '0')}`, ['iter_0000400']],
  ])('by %s', async (setting, nameOf, next) => {
    const entries = steps.flatMap((step, index) => checkpoint(nameOf(step), index));
    const texts = { 'latest_checkpointed_iteration.txt': '400' };
    const report = await planned(entries, { policyText: `keepLast: 2\nrotation: {${setting}}`, texts });
    expect(report.rotation?.next).toEqual(next);
  });

  it('by what the Trainer wrote into its arguments', async () => {
    const state = dict([str('output_dir'), str('/out')], [str('save_total_limit'), int(2)]);
    const object = newobj(global('transformers.training_args', 'TrainingArguments'));
    const written = buildTorchZip({ pickle: pickle(build(object, state)) });
    const report = await planned(trainer(...steps), { bytes: { 'checkpoint-400/training_args.bin': written } });
    expect(report.rotation).toMatchObject({ setting: 'save_total_limit', limit: 2, source: 'checkpoint-400/training_args.bin' });
    expect(report.rotation?.next).toEqual(['checkpoint-100', 'checkpoint-200', 'checkpoint-300']);
    expect(report.coverage.opened).toEqual(['checkpoint-400/training_args.bin']);
  });

  it('by save_top_k, of the metric in the names', async () => {
    const entries = [0.5, 0.9, 0.7].map((loss, index) => ({
      path: `step=${index + 1}-loss=${loss}.ckpt`,
      sizeBytes: 1e6,
      modifiedMs: nowMs - (90 - index) * hourMs,
    }));
    const policyText = 'keepBest: {metric: loss, mode: min, count: 1}\nrotation: {save_top_k: 3}';
    expect((await planned(entries, { policyText })).rotation?.next).toEqual(['step=2-loss=0.9.ckpt']);
  });
});

describe('what is odd', () => {
  it('is a pointer that is not understood: nothing is dropped', async () => {
    const entries = trainer(100, 200, 300);
    expect(dropped(await planned(entries, { texts: { latest: '' } }))).toEqual([]);
    const unreadable = await planned([...entries, { path: 'latest', sizeBytes: 5, modifiedMs: 1 }]);
    expect(whyOf(unreadable, 'checkpoint-100')).toEqual(['pointer-unreadable']);
    const gone = await planned(entries, { texts: { latest: 'checkpoint-900' } });
    expect(gone.notes).toEqual([{ code: 'pointer-target-missing', path: 'latest', detail: 'checkpoint-900' }]);
    expect(dropped(gone)).toEqual(['checkpoint-100']);
  });

  it('is a listing that was cut off, or changed while it was read', async () => {
    const entries = trainer(100, 200, 300, 400);
    expect(dropped(await planned(entries, { truncated: true }))).toEqual([]);
    const rotated = entries.filter(({ path }) => !path.startsWith('checkpoint-100/'));
    const listAgain = () => Promise.resolve({ entries: rotated, errors: [], truncated: false });
    const report = await planned(entries, { listAgain });
    expect(whyOf(report, 'checkpoint-100')).toEqual(['changed']);
    expect(dropped(report)).toEqual(['checkpoint-200']);
  });

  it('is a checkpoint with most of its bytes, where the others were thinned or interrupted', async () => {
    const half = (step: number, index: number) => checkpoint(`checkpoint-${step}`, index).slice(0, 2);
    const report = await planned([...trainer(100), ...half(200, 1), ...half(300, 2)]);
    expect(dropped(report)).toEqual([]);
    expect(whyOf(report, 'checkpoint-100')).toEqual(['larger-than-kept']);
  });

  it('is a run of several: one is named, or the one in the directory itself is meant', async () => {
    const two = [1, 2, 3].flatMap((step) => ['a', 'b'].flatMap((run) => checkpoint(`${run}/checkpoint-${step}`, step)));
    await expect(planned(two)).rejects.toThrow('it has several runs: name one of a, b');
    const report = await planned([...trainer(100, 200, 300), ...checkpoint('b/checkpoint-100', 1)]);
    expect(dropped(report)).toEqual(['checkpoint-100']);
    expect(whyOf(report, 'b/checkpoint-100')).toEqual(['other-run']);
  });

  it('is a run of several users: each drops none but their own', async () => {
    const entries = [100, 200, 300, 400, 500, 600].flatMap((step, index) =>
      checkpoint(`checkpoint-${step}`, index, { owner: step % 200 === 0 ? 'ann' : 'bob' }),
    );
    expect(dropped(await planned(entries, { user: 'ann' }))).toEqual(['checkpoint-200']);
    expect(dropped(await planned(entries, { user: 'bob' }))).toEqual(['checkpoint-100']);
    expect(dropped(await planned(entries, { user: 'eve' }))).toEqual([]);
    expect(dropped(await planned(entries))).toEqual([]);
    const ofOne = entries.map((entry) => ({ ...entry, owner: 'ann' }));
    expect(dropped(await planned(ofOne, { user: 'eve' }))).toHaveLength(4);
  });

  it('is what cannot be listed, or lies behind a link', async () => {
    const link: FileEntry = {
      path: 'checkpoint-50',
      sizeBytes: 0,
      modifiedMs: 1,
      link: { target: '/data/old', inside: false, isDirectory: true },
    };
    const report = await planned(
      [...trainer(100, 200, 300), link, { path: 'checkpoint-60/notes', sizeBytes: 3, modifiedMs: 1 }],
      {
        errors: [{ path: 'checkpoint-400', detail: 'permission denied' }],
      },
    );
    expect(dropped(report)).toEqual(['checkpoint-100']);
    expect(['checkpoint-400', 'checkpoint-50', 'checkpoint-60'].map((path) => whyOf(report, path))).toEqual([
      ['unreadable'],
      ['link'],
      ['not-understood'],
    ]);
    expect(report.coverage).toMatchObject({ isWhole: false, unreadable: ['checkpoint-400'] });
  });

  it('is a hold of what is not here: its name may have a mistake', async () => {
    const holds = [{ path: 'checkpoint-1000', reason: 'legal', untilMs: null }];
    await expect(planned(trainer(100, 200, 300), { holds })).rejects.toThrow('holds checkpoint-1000, which is not here');
    const ended = holds.map((hold) => ({ ...hold, untilMs: nowMs }));
    expect((await planned(trainer(100, 200, 300), { holds: ended })).notes[0]).toMatchObject({ code: 'hold-expired' });
  });

  it('is an adapter whose config cannot be read, or that is based on a checkpoint of the run', async () => {
    const entries = trainer(100, 200, 300);
    const unread = await planned([...entries, { path: 'lora/adapter_config.json', sizeBytes: 5, modifiedMs: 1 }]);
    expect(whyOf(unread, 'checkpoint-100')).toEqual(['adapter-unreadable']);
    const bases = [{ base: '/scratch/run/checkpoint-100/', adapter: 'lora/adapter_config.json' }];
    expect(whyOf(await planned(entries, { adapters: { bases, unread: [] } }), 'checkpoint-100')).toEqual(['base-of-adapter']);
    expect(limits.adapterConfigBytes).toBeGreaterThan(5);
    expect(limits.adapterConfigs).toBeGreaterThan(10_000);
  });

  it('reads no more states than it needs, and none that is larger', async () => {
    const steps = Array.from({ length: 40 }, (_, index) => (index + 1) * 10);
    const texts = Object.fromEntries(steps.map((step) => [`checkpoint-${step}/trainer_state.json`, '{}']));
    const report = await planned(trainer(...steps), { texts });
    expect(report.coverage.opened).toHaveLength(limits.trainerStates);
    expect(limits.trainerStateBytes).toBeGreaterThan(1e6);
  });
});

it('takes 10,000 checkpoints, and says first what matters', async () => {
  const steps = Array.from({ length: 10_000 }, (_, index) => (index + 1) * 10);
  const entries = steps.flatMap((step, index) =>
    checkpoint(`checkpoint-${step}`, 0).map((entry) => ({ ...entry, modifiedMs: nowMs - (20_000 - index) * hourMs })),
  );
  const report = await planned(entries, { policyText: 'keepLast: 2\nkeepEverySteps: 1000' });
  expect(report.drop).toHaveLength(10_000 - 102);
  expect(retentionPage(report).decision).toMatch(/^Drops 9,8\d\d of 10,000 checkpoints and frees 39.\d GB; keeps the newest 2/);
});

it('finds no run where there is none', async () => {
  const report = await planned([{ path: 'README.md', sizeBytes: 5, modifiedMs: 1 }]);
  expect([report.keep, report.drop, report.undecided]).toEqual([[], [], []]);
  expect(retentionPage(report).decision).toBe('No checkpoints of a run are here.');
});
