import type { Architecture } from './architecture.js';

/** Decoders with experts. */
export const expertFamilies: readonly Architecture[] = [];
