import * as v from 'valibot';
import { limits } from '../bytes/limits.js';
import { CheckError } from './checkError.js';
import type { CheckRequest, Measurement } from './measurement.js';
import type { NodesMeasurement } from './nodes.js';

/** Measurements and requests that come over a connection or out of a file. */

const amount = v.pipe(v.number(), v.finite(), v.minValue(0));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const text = v.pipe(v.string(), v.maxLength(4096));

const latencies = v.object({
  operations: count,
  medianSeconds: amount,
  p95Seconds: amount,
  p99Seconds: amount,
  maximumSeconds: amount,
});
const samples = v.pipe(
  v.array(v.object({ bytes: count, seconds: amount, firstDoneSeconds: amount, isCut: v.boolean() })),
  v.minLength(1),
  v.maxLength(limits.checkRepeats),
);

const measurement = v.object({
  startedAt: text,
  elapsedSeconds: amount,
  machine: v.object({ name: text, memoryBytes: count, cpus: count }),
  write: v.object({ samples, isDirect: v.boolean(), blocks: latencies, syncs: latencies }),
  read: v.object({
    samples,
    cache: v.picklist(['bypassed', 'dropped', 'possibly-cached']),
    blocks: latencies,
    comparedBlocks: count,
  }),
  metadata: v.nullable(
    v.object({
      files: count,
      streams: count,
      seconds: amount,
      isCut: v.boolean(),
      create: latencies,
      sync: latencies,
      rename: latencies,
      remove: latencies,
    }),
  ),
  io: v.object({
    writtenBytes: count,
    readBytes: count,
    countedWrittenBytes: v.nullable(count),
    writeCpuSeconds: amount,
  }),
});

const nodes = v.object({
  nodes: v.pipe(v.array(v.object({ name: text, measurement })), v.minLength(1)),
  startSpreadSeconds: amount,
});

const request = v.object({
  target: text,
  shape: v.object({
    like: v.nullable(text),
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
