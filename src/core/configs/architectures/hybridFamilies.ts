import type { Architecture } from './architecture.js';

/** State-space models, linear attention, and hybrids of these with attention. */
export const hybridFamilies: readonly Architecture[] = [];
