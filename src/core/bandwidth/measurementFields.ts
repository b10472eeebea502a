/** Fields of measurements as they are checked where they come out of a file or over a connection. */
import * as v from 'valibot';
import { limits } from '../bytes/limits.js';

/** Bytes a second, seconds, shares. */
export const amountField = v.pipe(v.number(), v.finite(), v.minValue(0));
/** Bytes, files, operations. */
export const countField = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const textField = v.pipe(v.string(), v.maxLength(4096));

export const latenciesField = v.object({
  operations: countField,
  medianSeconds: amountField,
  p95Seconds: amountField,
  p99Seconds: amountField,
  maximumSeconds: amountField,
});

const sampleEntries = { bytes: countField, seconds: amountField, firstDoneSeconds: amountField, isCut: v.boolean() };

export const samplesField = v.pipe(v.array(v.object(sampleEntries)), v.minLength(1), v.maxLength(limits.checkRepeats));
export const ratedSamplesField = v.pipe(
  v.array(v.object({ ...sampleEntries, bytesPerSecond: amountField })),
  v.minLength(1),
  v.maxLength(limits.checkRepeats),
);

export const cacheField = v.picklist(['bypassed', 'dropped', 'possibly-cached']);
export const machineField = v.object({ name: textField, memoryBytes: countField, cpus: countField });

/** Of the check of small files. */
export const metadataEntries = {
  files: countField,
  streams: countField,
  seconds: amountField,
  isCut: v.boolean(),
  create: latenciesField,
  sync: latenciesField,
  rename: latenciesField,
  remove: latenciesField,
};

export const ioField = v.object({
  writtenBytes: countField,
  readBytes: countField,
  countedWrittenBytes: v.nullable(countField),
  writeCpuSeconds: amountField,
  dataWaitShare: v.nullable(amountField),
  busyShare: v.nullable(amountField),
});
