/**
 * How many iterations a run of Megatron takes (update_train_iters and train in megatron/training.py of Megatron-DeepSpeed at its head and of Megatron-LM; a batch that ramps up by
 * megatron/microbatches.py, one in steps by megatron/core/num_microbatches_calculator.py of Megatron-LM at d98e8a64).
 */
import { limits } from '../../bytes/limits.js';
import type { Fields } from '../../configs/fields.js';
import { product } from '../../configs/plans/completePlan.js';
import { planOf } from '../../configs/plans/planOf.js';
import type { PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { type Curriculum, nextLonger } from '../deepspeed/curriculum.js';
import { positive } from '../../configs/values/positive.js';

/** A batch holds from so many consumed samples on, until the next one does. */
interface BatchStage {
  from: number;
  batch: number;
}

type Length = Pick<TrainingPlan, 'steps' | 'maxTokens' | 'globalBatch'>;

/**
 * Steps, the tokens that they take where these are not all of one batch, and the batch that they end with.
 * @param known its batch holds unless a schedule sets another
 * @param curriculum of sequences that grow, up to `sequenceLength`
 */
export function trainingLength(
  root: Fields,
  { globalBatch, sequenceLength: sequence }: Pick<TrainingPlan, 'globalBatch' | 'sequenceLength'>,
  notes: PlanNote[],
  curriculum: Curriculum | null = null,
): Length {
  const iterations = positive(root.integer('train_iters'));
  const samples = positive(root.integer('train_samples'));
  const tokens = positive(root.integer('train_tokens'));
  const stages = stagesOf(root, globalBatch, sequence);
  const last = stages?.at(-1);
  if (stages === undefined || last === undefined) return planOf({ steps: iterations, maxTokens: tokens, globalBatch });
  const isSteady = stages.length === 1;
  // Beside iterations neither samples nor a batch that changes are taken (megatron/arguments.py).
  const planned = iterations ?? (samples === undefined ? undefined : iterationsOf(stages, samples, root));
  if (!isSteady && iterations === undefined) notes.push('batch-ramps-up');
  const growing = curriculum === null || sequence === undefined ? null : { curriculum, sequence };
  const byTokens =
    tokens === undefined || sequence === undefined
      ? undefined
      : growing === null
        ? iterationsUntil(stages, Math.ceil(tokens / sequence))
        : growingRun(stages, growing, { tokens })?.iterations;
  const isByTokens = byTokens !== undefined && (planned === undefined || byTokens < planned);
  if (isByTokens && planned !== undefined) notes.push(growing === null ? 'ends-by-tokens' : 'ends-by-tokens-as-lengths-grow');
  const iterationsInAll = isByTokens ? byTokens : planned;
  const read =
    growing === null || iterationsInAll === undefined
      ? undefined
      : growingRun(stages, growing, { iterations: iterationsInAll })?.tokens;
  if (read !== undefined) notes.push('lengths-grow');
  return planOf({
    steps: iterationsInAll,
    maxTokens: read !== undefined ? read : isByTokens ? tokens : isSteady ? undefined : product(samples, sequence),
    // The run may end before its last batch is reached.
    globalBatch: samples === undefined ? last.batch : (stages.findLast(({ from }) => from < samples) ?? last).batch,
  });
}

/** Undefined where the batch is not known, or a schedule that is there cannot be read. */
function stagesOf(root: Fields, globalBatch: number | undefined, sequence: number | undefined): BatchStage[] | undefined {
  if (root.has('step_batch_size_schedule')) return scheduleOf(root.text('step_batch_size_schedule') ?? '', sequence);
  if (globalBatch === undefined) return undefined;
  if (!root.has('rampup_batch_size') || root.isNull('rampup_batch_size')) return [{ from: 0, batch: globalBatch }];
  const [start = 0, increment = 0, samples = -1, ...more] = root.integers('rampup_batch_size') ?? [];
  const rises = increment > 0 ? (globalBatch - start) / increment : 0;
  if (samples < 0 || more.length > 0 || start <= 0 || !Number.isInteger(rises) || rises < 0 || rises > limits.batchStages)
    return undefined;
  return Array.from({ length: rises + 1 }, (_, index) => ({
    from: index === 0 ? 0 : (index * samples) / rises,
    batch: start + index * increment,
  }));
}

/** `0:384 200B:768`: thresholds in tokens, each with the batch from there on. */
function scheduleOf(text: string, sequence: number | undefined): BatchStage[] | undefined {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  if (sequence === undefined || entries.length > limits.batchStages) return undefined;
  const stages: BatchStage[] = [];
  for (const entry of entries) {
    const [threshold, batch, ...more] = entry.split(':').map(quantityOf);
    if (threshold === undefined || batch === undefined || batch < 1 || more.length > 0) return undefined;
    stages.push({ from: Math.floor(threshold / sequence), batch });
  }
  stages.sort((left, right) => left.from - right.from);
  return stages[0]?.from === 0 ? stages : undefined;
}

const multiples: Readonly<Record<string, number>> = { '': 1, K: 1e3, M: 1e6, B: 1e9, T: 1e12 };

/** `2.4B` */
function quantityOf(text: string): number | undefined {
  const match = /^(\d{1,15}(?:\.\d{0,15})?)([KMBT]?)$/i.exec(text);
  const value = Math.floor(Number(match?.[1]) * (multiples[(match?.[2] ?? '').toUpperCase()] ?? Number.NaN));
  return value >= 0 && value <= limits.configNumber ? value : undefined;
}

/** A ramp throws a last batch away that is not whole, a schedule takes one more. */
function iterationsOf(stages: readonly BatchStage[], samples: number, root: Fields): number {
  if (root.has('step_batch_size_schedule')) return iterationsUntil(stages, samples);
  const last = stages.at(-1) as BatchStage;
  // The ramp ends when more than its samples are consumed.
  const ramp = iterate(stages, Math.min(last.from, samples) + 1);
  return ramp.iterations + Math.max(0, Math.floor((samples - ramp.consumed) / last.batch));
}

/** A run of sequences that grow, until it has so many iterations or has read so many tokens; undefined where it has more stages than are followed. */
export function growingRun(
  stages: readonly BatchStage[],
  { curriculum, sequence }: { curriculum: Curriculum; sequence: number },
  until: { iterations?: number; tokens?: number },
): { iterations: number; tokens: number } | undefined {
  const { iterations: mostIterations = Infinity, tokens: mostTokens = Infinity } = until;
  let [iterations, samples, tokens] = [0, 0, 0];
  let at = 0;
  for (let round = 0; round < 2 * limits.batchStages; round++) {
    if (iterations >= mostIterations || tokens >= mostTokens) return { iterations, tokens };
    while (samples >= (stages[at + 1]?.from ?? Infinity)) at++;
    const batch = stages[at]?.batch ?? 0;
    const length = Math.min(curriculum.lengthAt(iterations + 1), sequence);
    if (batch <= 0 || length <= 0) return undefined;
    const longer = length < sequence ? (nextLonger(curriculum, iterations + 1) ?? Infinity) : Infinity;
    const count = Math.min(
      longer - iterations - 1,
      Math.ceil(((stages[at + 1]?.from ?? Infinity) - samples) / batch),
      Math.ceil((mostTokens - tokens) / (batch * length)),
      mostIterations - iterations,
    );
    iterations += count;
    samples += count * batch;
    tokens += count * batch * length;
    if (!Number.isSafeInteger(tokens) || count < 1) return undefined;
  }
  return undefined;
}

/** The first iteration after which so many samples are consumed. */
function iterationsUntil(stages: readonly BatchStage[], samples: number): number {
  return iterate(stages, samples).iterations;
}

/** Goes on until at least so many samples are consumed. */
function iterate(stages: readonly BatchStage[], samples: number): { iterations: number; consumed: number } {
  let iterations = 0;
  let consumed = 0;
  for (const [index, { batch }] of stages.entries()) {
    const end = Math.min(samples, stages[index + 1]?.from ?? samples);
    if (end <= consumed) continue;
    const count = Math.ceil((end - consumed) / batch);
    iterations += count;
    consumed += count * batch;
  }
  return { iterations, consumed };
}
