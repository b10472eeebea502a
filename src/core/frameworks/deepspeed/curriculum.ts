/** Sequences that grow as training goes on (deepspeed/runtime/data_pipeline/curriculum_scheduler.py at its head; constants.py). */
import { limits } from '../../bytes/limits.js';
import type { Fields } from '../../configs/fields.js';

/** Tokens of a sequence by the number of the step, of which the first is 1. They never fall. */
export interface Curriculum {
  lengthAt: (step: number) => number;
  /** From which on they are the longest. */
  lastStep: number;
}

/** `curriculum_learning` of DeepSpeed's config; null where it is off or of something else than length, `open` where its schedule is not followed. */
export function curriculumOf(fields: Fields): Curriculum | 'open' | null {
  const legacy = fields.at('curriculum_learning');
  const efficient = fields.at('data_efficiency', 'data_sampling', 'curriculum_learning');
  // Samples are drawn by difficulty there, and only some are cut.
  if (efficient.flag('enabled') === true && efficient.at('curriculum_metrics').keys.some((key) => key.startsWith('seqlen')))
    return 'open';
  if (legacy.flag('enabled') !== true) return null;
  return legacy.text('curriculum_type') === 'seqlen' ? scheduleOf(legacy) : 'open';
}

function scheduleOf(fields: Fields): Curriculum | 'open' {
  const [least, most] = [fields.integer('min_difficulty'), fields.integer('max_difficulty')];
  const type = fields.text('schedule_type');
  const schedule = fields.at('schedule_config');
  if (least === undefined || most === undefined || least < 1 || most < least) return 'open';
  if (type === 'fixed_discrete') return discreteOf(schedule.integers('difficulty'), schedule.integers('max_step'));
  const [total, unit] = [schedule.integer('total_curriculum_step'), schedule.integer('difficulty_step')];
  const root = type === 'fixed_linear' ? 1 : type === 'fixed_root' ? schedule.number('root_degree') : undefined;
  if (total === undefined || unit === undefined || root === undefined || total < 1 || unit < 1 || unit > least || root < 1)
    return 'open';
  // The longest may be no multiple of the unit, and is then reached behind the schedule's end.
  const beyond = most === least ? 1 : ((Math.ceil(most / unit) * unit - least) / (most - least)) ** root;
  const lastStep = Math.ceil(total * beyond) + 1;
  if (!Number.isSafeInteger(lastStep)) return 'open';
  return {
    lastStep,
    lengthAt(step) {
      const reached = Math.floor((step / total) ** (1 / root) * (most - least) + least);
      return Math.min(reached - (reached % unit), most);
    },
  };
}

/** Each length up to its step, and the last from there on. */
function discreteOf(lengths: readonly number[] = [], ends: readonly number[] = []): Curriculum | 'open' {
  const last = lengths.at(-1);
  const isRising = (values: readonly number[]): boolean => values.every((value, at) => value >= (values[at - 1] ?? 1));
  if (last === undefined || lengths.length !== ends.length + 1 || !isRising(lengths) || !isRising(ends)) return 'open';
  if (lengths.length > limits.batchStages) return 'open';
  const placeOf = (step: number): number => ends.findIndex((end) => step <= end);
  return { lastStep: (ends.at(-1) ?? 0) + 1, lengthAt: (step) => lengths[placeOf(step)] ?? last };
}

/** The first step behind this one whose sequences are longer; undefined where there is none. */
export function nextLonger({ lengthAt, lastStep }: Curriculum, step: number): number | undefined {
  const now = lengthAt(step);
  if (step >= lastStep || lengthAt(lastStep) <= now) return undefined;
  let [low, high] = [step, lastStep];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (lengthAt(middle) > now) high = middle;
    else low = middle;
  }
  return high;
}
