import type { SumFormat } from './sumFormat.js';
import { tfRecordSums } from './tfRecordSums.js';
import { zipSums } from './zipSums.js';

/** The formats that have sums of their own, in the order in which they are tried. */
export const sumFormats: readonly SumFormat[] = [zipSums, tfRecordSums];
