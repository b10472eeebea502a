import { countGroups, type ModelTensors } from './tensorGroup.js';

/** Whether all groups are whole, positive numbers whose sum is exact. Sizes that are none (texts, negative ones) have become NaN. */
export function isCountable({ groups }: ModelTensors): boolean {
  return (
    groups.length > 0 &&
    groups.every(({ shape, copies, activeCopies }) => shape.every(isCount) && isCount(copies) && activeCopies >= 0) &&
    countGroups(groups) !== undefined
  );
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
