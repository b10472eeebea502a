/** The values of a group of inputs in a few words: what stands beside its name while it is folded. */
import { derivedInput } from '../../src/core/planning/inputs/derivedInputs.js';
import type { FieldGroup, PlanField } from '../../src/core/planning/inputs/planField.js';
import { planFields } from '../../src/core/planning/inputs/planFields.js';
import type { PlanKey } from '../../src/core/planning/inputs/planInputs.js';
import type { Quantity } from '../../src/core/planning/inputs/quantities.js';
import type { StoragePlan } from '../../src/core/planning/storagePlan.js';
import { shortPower, shortRate, shortShare, shortTime } from '../../src/core/text/quantities.js';
import { formatBytes, formatCount, formatShortCount, shortNumber } from '../../src/core/text/units.js';

/** What a group is known by, in order; `#` is the value. */
const shown: Readonly<Record<FieldGroup, readonly (readonly [PlanKey, string])[]>> = {
  model: [
    ['parameters', '# parameters'],
    ['bytesPerParameter', '# B each'],
  ],
  cluster: [
    ['gpus', '# GPUs'],
    ['tensorParallel', 'TP #'],
    ['pipelineParallel', 'PP #'],
  ],
  saving: [
    ['saveMode', '#'],
    ['stallSeconds', 'stall #'],
  ],
  failures: [
    ['mtbfSeconds', 'one in #'],
    ['restartSeconds', 'restart #'],
  ],
  tiers: [
    ['store', '#'],
    ['writeBytesPerSecond', '#'],
  ],
  restore: [['restoreTargetSeconds', 'within #']],
  retention: [
    ['runSeconds', '#'],
    ['keepLast', 'last #'],
  ],
  data: [['tokens', '# tokens']],
  memory: [
    ['deviceMemoryBytes', '# a GPU'],
    ['hostMemoryBytes', '# a node'],
  ],
};

/** `16,384 GPUs, TP 8, PP 16`. */
export function groupSummary(group: FieldGroup, plan: StoragePlan): string {
  return shown[group]
    .flatMap(([key, pattern]) => {
      const value = valueInWords(key, plan);
      return value === null ? [] : [pattern.replace('#', () => value)];
    })
    .join(', ');
}

function valueInWords(key: PlanKey, plan: StoragePlan): string | null {
  const field: PlanField = planFields[key];
  const value = plan.inputs[key] ?? derivedInput(key, plan);
  if (field.kind === 'choice') return shortLabel(field.choices.find((choice) => choice.value === value)?.label ?? '');
  return typeof value === 'number' && field.kind === 'number' ? amountInWords(value, field.quantity) : null;
}

/** `asynchronous` of `asynchronous: training waits for the copy to host memory`. */
function shortLabel(label: string): string {
  return label.split(': ')[0] ?? label;
}

/** Counts to the last digit up to a million, as GPUs are counted; everything else to three digits. */
function amountInWords(value: number, quantity: Quantity): string {
  switch (quantity) {
    case 'bytes':
      return formatBytes(value);
    case 'bytesPerSecond':
      return shortRate(value);
    case 'seconds':
      return shortTime(value);
    case 'share':
      return shortShare(value);
    case 'watts':
      return shortPower(value);
    case 'count':
      return value < 1e6 ? formatCount(value) : formatShortCount(value);
    case 'price':
    case 'capital':
    case 'bytesPerValue':
    case 'flopsPerSecond':
      return shortNumber(value);
  }
}
