import type { Architecture } from './architecture.js';

/** Encoders of images, and of images and text. */
export const visionFamilies: readonly Architecture[] = [];
