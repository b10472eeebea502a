import type { Architecture } from './architecture.js';

/** Encoders of sound, and speech recognition. */
export const audioFamilies: readonly Architecture[] = [];
