import * as v from 'valibot';
import { CheckError } from './checkError.js';
import type { CheckRequest, Measurement } from './measurement.js';
import {
  amountField as amount,
  cacheField,
  countField as count,
  ioField,
  latenciesField,
  machineField,
  metadataEntries,
  samplesField,
  textField as text,
} from './measurementFields.js';
import type { NodesMeasurement } from './nodes.js';

/** Measurements and requests that come over a connection or out of a file: those of several nodes, which have neither a sweep nor a sustained rate. */

const none = v.optional(v.null(), null);

const measurement = v.object({
  startedAt: text,
  elapsedSeconds: amount,
  machine: machineField,
  write: v.object({ samples: samplesField, isDirect: v.boolean(), blocks: latenciesField, syncs: latenciesField }),
  read: v.object({ samples: samplesField, cache: cacheField, blocks: latenciesField, comparedBlocks: count }),
  metadata: v.nullable(v.object(metadataEntries)),
  sweep: none,
  sustained: none,
  io: ioField,
});

const nodes = v.object({
  nodes: v.pipe(v.array(v.object({ name: text, measurement })), v.minLength(1)),
  startSpreadSeconds: amount,
});

const request = v.object({
  target: text,
  shape: v.object({
    replayOf: v.nullable(text),
    realBytes: count,
    realFiles: count,
    scale: amount,
    files: v.pipe(v.array(v.object({ name: v.pipe(text, v.minLength(1)), sizeBytes: count })), v.minLength(1)),
    totalBytes: count,
    streams: v.pipe(count, v.minValue(1)),
    blockBytes: v.pipe(count, v.minValue(1)),
  }),
  repeats: v.pipe(count, v.minValue(1)),
  seconds: amount,
  smallFiles: count,
  sweep: none,
  sustained: none,
});

/** @throws CheckError `io` for anything else */
export function readMeasurement(value: unknown): Measurement {
  return read(measurement, value, 'measurement');
}

/** @throws CheckError `io` for anything else */
export function readNodesMeasurement(value: unknown): NodesMeasurement {
  return read(nodes, value, 'measurement of several nodes');
}

/** @throws CheckError `io` for anything else */
export function readCheckRequest(value: unknown): CheckRequest {
  return read(request, value, 'request for a check');
}

function read<Schema extends v.GenericSchema>(schema: Schema, value: unknown, what: string): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new CheckError('io', `this is no ${what}: ${v.getDotPath(issue) ?? 'the whole'}: ${issue.message}`);
}
