/**
 * Accelerate's `save_state`: models, optimizers, schedulers and samplers by number, and the RNG state of each rank
 * (accelerate/checkpointing.py; names are those of accelerate/utils/constants.py).
 */
import { loadsAnywhere, loadsAsSaved } from '../../checkpoints/reshard.js';
import { appendAll } from '../../bytes/appendAll.js';
import { member } from '../../formats/pickle/pickleAccess.js';
import type { Reshard } from '../../checkpoints/checkpointReport.js';
import { describeDeepSpeed } from '../deepspeed/deepspeedSave.js';
import { directoryLayout } from '../../checkpoints/layouts/directoryLayout.js';
import type { Parts } from '../../checkpoints/parts.js';
import { findMixedSteps } from '../../checkpoints/layouts/rankChecks.js';
import { isLocalState, noteLostRandomStates, shardRanksOf } from '../../checkpoints/layouts/randomStates.js';
import { countOf, pickledRoots } from '../../checkpoints/layouts/stateSteps.js';

const randomState = /^random_states_(\d{1,7})\.pkl$/;
/** What is numbered from the second on: the first has the name alone, but for objects of the program (`custom_checkpoint_0.pkl`). */
const numbered =
  /^(model|pytorch_model|optimizer|scheduler|sampler|dl_state_dict|custom_checkpoint)(?:_(\d{1,7}))?\.(safetensors|bin|pkl)$/;

export const accelerate = directoryLayout(
  'accelerate',
  (listing) => (listing.hasMatch(randomState) ? 0.94 : 0),
  (result) => {
    const { parts } = result;
    parts.framework = { name: 'accelerate', version: null };
    parts.expected = ['weights', 'optimizer', 'scheduler', 'rng', 'dataLoader'];
    describeRanks(parts);
    findNumberGaps(parts);
    findOtherCounts(parts);
    parts.reshard = reshardOf(parts);
    const facts = describeDeepSpeed(result);
    parts.step ??= facts?.step ?? null;
  },
);

function describeRanks(parts: Parts): void {
  const roots = pickledRoots(parts.objects);
  const paths = new Map<number, string>();
  for (const file of parts.files) {
    const rank = randomState.exec(file.path)?.[1];
    if (rank === undefined) continue;
    file.rank = String(Number(rank));
    paths.set(Number(rank), file.path);
  }
  // Ranks whose RNG state is lost have their shards of FSDP.
  const ranks = [...paths.keys(), ...shardRanksOf(parts.files)];
  const worldSize = ranks.reduce((largest, rank) => Math.max(largest, rank), 0) + 1;
  parts.topology = { ...parts.topology, worldSize, dataParallel: worldSize };
  noteLostRandomStates(parts, new Set(paths.keys()), worldSize, (rank) => `random_states_${rank}.pkl`);
  const steps = [...paths.values()].map((path) => ({ path, step: countOf(member(roots.get(path), 'step')) }));
  appendAll(parts.findings, findMixedSteps(steps));
  parts.step = steps.find(({ step }) => step !== null)?.step ?? null;
}

/** Models, optimizers and the like are counted without gaps: a second one without the first has lost it. */
function findNumberGaps({ files, findings }: Parts): void {
  const names = new Set(files.map((file) => file.path));
  for (const name of names) {
    const [, kind, number, extension] = numbered.exec(name) ?? [];
    if (kind === undefined || number === undefined || Number(number) < 1) continue;
    const before = Number(number) === 1 && kind !== 'custom_checkpoint' ? '' : `_${Number(number) - 1}`;
    const file = `${kind}${before}.${extension ?? ''}`;
    // A large model lies in shards with an index of the same name.
    if (!names.has(file) && !names.has(`${file}.index.json`))
      findings.push({ code: 'file-missing', path: name, facts: { file, detail: `${name} is numbered after it` } });
  }
}

const kindOfName = new Map<string, 'models' | 'optimizers' | 'schedulers'>([
  ['model', 'models'],
  ['pytorch_model', 'models'],
  ['optimizer', 'optimizers'],
  ['scheduler', 'schedulers'],
]);

/**
 * Nothing in the save counts what the program prepared: where the last of several is lost, the others are more. One optimizer may have the
 * parameters of several models, and may have no scheduler.
 */
function findOtherCounts({ files, findings }: Parts): void {
  const counts = { models: 0, optimizers: 0, schedulers: 0 };
  for (const name of new Set(files.map((file) => file.path.replace(/\.index\.json$/, '')))) {
    const kind = kindOfName.get(numbered.exec(name)?.[1] ?? '');
    if (kind !== undefined) counts[kind] += 1;
  }
  const { models, optimizers, schedulers } = counts;
  const isOptimizerLeft = models > 0 && optimizers > models;
  if (isOptimizerLeft || (optimizers > 0 && schedulers > 0 && optimizers !== schedulers))
    findings.push({ code: 'prepared-counts-differ', facts: counts });
}

function reshardOf({ files, topology }: Parts): Reshard {
  if (files.some((file) => isLocalState(file.path)))
    return loadsAsSaved(`FSDP’s local state loads with the same number of processes (${topology.worldSize ?? '?'}).`);
  return loadsAnywhere(
    'Model and optimizer load with any number of processes; a process without its own RNG state draws other random numbers.',
  );
}
