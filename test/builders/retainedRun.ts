/**
 * A run of checkpoints of which some must never go, with what makes them so: it is planted here, and found by the code under test. What is
 * not planted is sound: whole, old, of the run's owner.
 */
import type { FileEntry, FileListing, FileTree } from '../../src/core/files/fileTree.js';
import { createRandom } from '../../src/core/datasets/text/random.js';
import { memorySource } from '../../src/core/bytes/memorySource.js';
import type { CopyManifest, CopiedFile } from '../../src/core/retention/copyManifest.js';
import type { Hold } from '../../src/core/retention/holds.js';
import type { RetentionPolicy } from '../../src/core/retention/retentionPolicy.js';

/** Why a checkpoint must stay, or must not be judged. */
export type Planted =
  | 'held'
  | 'pointer'
  | 'pointer-link'
  | 'framework-best'
  | 'base-of-adapter'
  | 'linked'
  | 'marked'
  | 'incomplete'
  | 'temporary'
  | 'marker'
  | 'young'
  | 'future'
  | 'changed'
  | 'unreadable'
  | 'unlisted'
  | 'other-owner'
  | 'not-utf8'
  | 'same-step';

export interface RetainedRun {
  entries: FileEntry[];
  texts: Map<string, string>;
  errors: FileListing['errors'];
  changed: Set<string>;
  /** Steps and paths of all checkpoints, with what was planted. */
  checkpoints: RetainedCheckpoint[];
  holds: Hold[];
  policy: RetentionPolicy;
  /** Copies that the policy's manifests have; a checkpoint is whole in as many as `copies` says. */
  manifests: CopyManifest[];
  nowMs: number;
}

export interface RetainedCheckpoint {
  path: string;
  step: number;
  finishedMs: number;
  planted: Set<Planted>;
  /** Weights are in it; others have the optimizer alone. */
  hasWeights: boolean;
  copies: number;
  value: number;
}

/** What makes a checkpoint count for no rule. */
const unsound: readonly Planted[] = [
  'incomplete',
  'temporary',
  'marker',
  'young',
  'future',
  'changed',
  'unreadable',
  'unlisted',
  'other-owner',
  'not-utf8',
  'same-step',
];
const protecting: readonly Planted[] = [
  'held',
  'pointer',
  'pointer-link',
  'framework-best',
  'base-of-adapter',
  'linked',
  'marked',
];

export function isSound({ planted }: RetainedCheckpoint): boolean {
  return !unsound.some((one) => planted.has(one));
}

const hourMs = 3_600_000;
export const ownerOfRun = 'ann';

export function retainedRun(seed: number): RetainedRun {
  const random = createRandom(seed);
  const whole = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
  const chance = (share: number): boolean => random() < share;
  const pick = <T>(items: readonly T[]): T => items[whole(0, items.length - 1)] as T;
  const count = whole(1, 12);
  const every = pick([50, 100, 256, 500]);
  const nowMs = 1.7e12;
  const run: RetainedRun = {
    entries: [],
    texts: new Map(),
    errors: [],
    changed: new Set(),
    checkpoints: [],
    holds: [],
    policy: randomPolicy(),
    manifests: [],
    nowMs,
  };
  const hasLostWeights = chance(0.15);
  for (let index = 1; index <= count; index += 1) {
    const step = index * every;
    const planted = new Set<Planted>();
    if (chance(0.3)) planted.add(pick(protecting));
    // Most are whole, as files are missing by what most have.
    if (chance(0.2)) planted.add(pick(unsound));
    run.checkpoints.push({
      path: nameOf(step, planted),
      step,
      finishedMs: nowMs - (count - index + 1) * whole(2, 5) * hourMs,
      planted,
      hasWeights: !hasLostWeights || index === 1 || chance(0.2),
      copies: whole(0, 2),
      value: whole(1, 5) / 10,
    });
  }
  keepMostWhole(run.checkpoints);
  // One whose checkpoints are all of another user is that user's.
  if (run.checkpoints.every(({ planted }) => planted.has('other-owner'))) run.checkpoints[0]?.planted.delete('other-owner');
  const copies = [new Map<string, CopiedFile>(), new Map<string, CopiedFile>()];
  run.checkpoints.forEach((checkpoint, index) => write(run, checkpoint, copies, index));
  run.manifests = copies;
  plantPointer(run);
  writeState(run);
  return run;

  function randomPolicy(): RetentionPolicy {
    return {
      keepLast: chance(0.7) ? whole(1, 4) : null,
      keepEverySteps: chance(0.4) ? pick([100, 500, 700, 1000]) : null,
      keepEveryHours: chance(0.2) ? pick([6, 24]) : null,
      keepBest: chance(0.3) ? { metric: 'eval_loss', mode: pick(['min', 'max']), count: whole(1, 2), csv: null } : null,
      milestones: chance(0.2) ? [pick([100, 500, 1000])] : [],
      minimumAgeHours: chance(0.3) ? whole(1, 12) : 0,
      copies: chance(0.3) ? { wanted: whole(1, 2), manifests: ['a', 'b'] } : null,
      purgeAfterDays: 7,
      rotation: null,
    };
  }
}

function nameOf(step: number, planted: ReadonlySet<Planted>): string {
  if (planted.has('temporary')) return `tmp-checkpoint-${step}`;
  return planted.has('not-utf8') ? `checkpoint-${step}\\xff` : `checkpoint-${step}`;
}

/** Files are missing by what at least half of the checkpoints have: fewer are planted without. */
function keepMostWhole(checkpoints: readonly RetainedCheckpoint[]): void {
  const lacking = checkpoints.filter(
    ({ planted, hasWeights }) => planted.has('incomplete') || planted.has('unlisted') || !hasWeights,
  );
  if (lacking.length * 2 < checkpoints.length) return;
  for (const checkpoint of lacking) checkpoint.planted.delete('incomplete');
}

const files: readonly [name: string, sizeBytes: number][] = [
  ['model.safetensors', 4_000_000],
  ['optimizer.pt', 8_000_000],
  ['scheduler.pt', 1_000],
  ['rng_state.pth', 5_000],
];

function write(run: RetainedRun, checkpoint: RetainedCheckpoint, copies: Map<string, CopiedFile>[], index: number): void {
  const { path, step, planted, hasWeights } = checkpoint;
  const { nowMs } = run;
  if (planted.has('unlisted')) {
    run.errors.push({ path, detail: 'permission denied' });
    return;
  }
  if (planted.has('same-step')) writeFiles(`global_step${step}`, []);
  writeFiles(path, copies.slice(0, checkpoint.copies));
  if (planted.has('marker')) add({ path: `${path}-unfinished`, sizeBytes: 0 });
  if (planted.has('marked')) add({ path: `${path}/KEEP`, sizeBytes: 0 });
  if (planted.has('changed')) run.changed.add(`${path}/optimizer.pt`);
  if (planted.has('held'))
    run.holds.push({ path: index % 2 === 0 ? path : `${path}/scheduler.pt`, reason: 'legal', untilMs: null });
  if (planted.has('pointer-link'))
    add({ path: `best${index}`, sizeBytes: 0, link: { target: `./${path}`, inside: true, isDirectory: true } });
  if (planted.has('linked'))
    add({
      path: `export${index}/model.safetensors`,
      sizeBytes: 0,
      link: { target: `../${path}/model.safetensors`, inside: true, entry: `${path}/model.safetensors` },
    });
  if (planted.has('base-of-adapter')) {
    const adapter = `adapters/${index}/adapter_config.json`;
    add({ path: adapter, sizeBytes: 10 });
    run.texts.set(adapter, JSON.stringify({ base_model_name_or_path: `/data/run/${path}` }));
  }

  function writeFiles(directory: string, whole: Map<string, CopiedFile>[]): void {
    for (const [name, sizeBytes] of files) {
      if (planted.has('incomplete') && name === 'optimizer.pt') continue;
      if (!hasWeights && name === 'model.safetensors') continue;
      const isLast = name === 'rng_state.pth';
      const modifiedMs =
        planted.has('young') && isLast ? nowMs - 1000 : planted.has('future') && isLast ? nowMs + hourMs : checkpoint.finishedMs;
      add({
        path: `${directory}/${name}`,
        sizeBytes,
        modifiedMs,
        owner: planted.has('other-owner') ? 'bob' : ownerOfRun,
        ...(planted.has('unreadable') && isLast ? { error: 'permission denied' } : {}),
      });
      for (const copy of whole) copy.set(`${directory}/${name}`, { sizeBytes, modifiedMs: null });
    }
  }

  function add(entry: Pick<FileEntry, 'path' | 'sizeBytes'> & Partial<FileEntry>): void {
    run.entries.push({ modifiedMs: nowMs - 500 * hourMs, allocatedBytes: entry.sizeBytes, ...entry });
  }
}

function plantPointer(run: RetainedRun): void {
  // One file names one checkpoint.
  const [pointed, ...others] = run.checkpoints.filter(({ planted }) => planted.has('pointer'));
  for (const { planted } of others) planted.delete('pointer');
  if (pointed === undefined) return;
  run.entries.push({ path: 'latest', sizeBytes: 20, modifiedMs: 1e12, allocatedBytes: 4096 });
  run.texts.set('latest', `${pointed.path}\n`);
}

/** The Trainer's state of the run, with the metric of each checkpoint. */
function writeState(run: RetainedRun): void {
  const [best, ...others] = run.checkpoints.filter(({ planted }) => planted.has('framework-best'));
  for (const { planted } of others) planted.delete('framework-best');
  if (best === undefined && run.policy.keepBest === null) return;
  const state = {
    ...(best === undefined ? {} : { best_model_checkpoint: `./out/${best.path}` }),
    log_history: run.checkpoints.map(({ step, value }) => ({ step, eval_loss: value })),
  };
  const text = JSON.stringify(state);
  for (const { path, planted, finishedMs, copies } of run.checkpoints) {
    if (planted.has('unlisted')) continue;
    const file = `${path}/trainer_state.json`;
    const owner = planted.has('other-owner') ? 'bob' : ownerOfRun;
    run.entries.push({ path: file, sizeBytes: text.length, modifiedMs: finishedMs, allocatedBytes: 4096, owner });
    run.texts.set(file, text);
    for (const manifest of run.manifests.slice(0, copies))
      (manifest as Map<string, CopiedFile>).set(file, { sizeBytes: text.length, modifiedMs: null });
  }
}

/** The files of a run as a tree; texts are those that may be opened. */
export function treeOfRun({ entries, texts, errors }: RetainedRun): FileTree {
  return {
    rootName: 'run',
    list: () => Promise.resolve({ entries, errors, truncated: false }),
    open: (path) => {
      const text = texts.get(path);
      return text === undefined
        ? Promise.reject(new Error(`${path} must not be opened`))
        : Promise.resolve(memorySource(path, new TextEncoder().encode(text)));
    },
  };
}
