import { ocdbtDataSums, ocdbtManifestSums } from './ocdbtSums.js';
import { parquetSums } from './parquetSums.js';
import { gzipSums, snappySums, tfRecordSums, zstdSums } from './streamSums.js';
import type { SumFormat } from './sumFormat.js';
import { bundleDataSums, bundleIndexSums } from './tensorBundleSums.js';
import { zipSums } from './zipSums.js';

/** The formats that have sums of their own, in the order in which they are tried. */
export const sumFormats: readonly SumFormat[] = [
  zipSums,
  parquetSums,
  ocdbtManifestSums,
  ocdbtDataSums,
  bundleIndexSums,
  bundleDataSums,
  gzipSums,
  zstdSums,
  snappySums,
  tfRecordSums,
];
