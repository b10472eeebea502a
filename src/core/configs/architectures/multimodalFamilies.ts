import type { Architecture } from './architecture.js';

/** Language models with towers for images or sound before them. */
export const multimodalFamilies: readonly Architecture[] = [];
