import { ggufSums } from './ggufSums.js';
import { hdf5Sums } from './hdf5Sums.js';
import { ocdbtDataSums, ocdbtManifestSums } from './ocdbtSums.js';
import { parquetSums } from './parquetSums.js';
import { arrayRecordSums, gzipSums, snappySums, tfRecordSums, zstdSums } from './streamSums.js';
import type { SumFormat } from './sumFormat.js';
import { tarSums } from './tarSums.js';
import { bundleDataSums, bundleIndexSums } from './tensorBundleSums.js';
import { zarrSums } from './zarrSums.js';
import { zipSums } from './zipSums.js';

/** The formats that have sums of their own, in the order in which they are tried. */
export const sumFormats: readonly SumFormat[] = [
  zipSums,
  parquetSums,
  hdf5Sums,
  ggufSums,
  ocdbtManifestSums,
  ocdbtDataSums,
  zarrSums,
  bundleIndexSums,
  bundleDataSums,
  gzipSums,
  zstdSums,
  snappySums,
  tfRecordSums,
  arrayRecordSums,
  tarSums,
];
