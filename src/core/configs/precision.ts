import type { Precision } from './trainingPlan.js';

/** Bytes of one value. */
export const precisionBytes: Readonly<Record<Precision, number>> = { f32: 4, bf16: 2, f16: 2, f8: 1 };
