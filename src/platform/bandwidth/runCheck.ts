import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import os from 'node:os';
import { CheckError } from '../../core/bandwidth/checkError.js';
import { probeName } from '../../core/bandwidth/checkNames.js';
import { isEmptyShape, type CheckShape, type ShapeFile } from '../../core/bandwidth/checkShape.js';
import { mergeLatencies, summariseLatencies, type LatencyCounts } from '../../core/bandwidth/latencies.js';
import type {
  CacheState,
  CheckHooks,
  CheckRequest,
  Measurement,
  MetadataMeasurement,
  PhaseSample,
} from '../../core/bandwidth/measurement.js';
import { limits } from '../../core/bytes/limits.js';
