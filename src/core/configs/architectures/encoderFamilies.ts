import type { Architecture } from './architecture.js';

/** Encoders of text, and encoder-decoders. */
export const encoderFamilies: readonly Architecture[] = [];
