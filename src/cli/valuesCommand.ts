import { resolve } from 'node:path';
import type { Answer } from '../app/answer.js';
import { useCases } from '../app/useCases.js';
import type { ValuesInput } from '../app/useCaseInputs.js';
import type { ValuesReport } from '../core/values/valuesReport.js';
import { createNodePlatform } from '../platform/nodePlatform.js';
import { exitCode } from './exitCode.js';
import { isWritten } from './isWritten.js';
import { given, parseFlags, refuseTwoForms, reportFlags } from './flags.js';
import { arrayFlags, arrayPlaceOf, notRun, pathOrGathered, type ArrayPlace } from './jobs/arrayFlags.js';
import { gatherArray, runArray } from './jobs/runArray.js';
import { ProgressLine } from './progressLine.js';
import { remoteFlags, remoteOptions } from './remoteFlags.js';
import { sampleIn } from './sampleFlags.js';
import { untilInterrupted } from './untilInterrupted.js';
import { UsageError } from './usageError.js';
import { writeAnswer } from './writeAnswer.js';

const flags = {
  ...reportFlags,
  ...remoteFlags,
  ...arrayFlags,
  tensors: { type: 'string' },
  sample: { type: 'string' },
  seed: { type: 'string' },
  slice: { type: 'string' },
  log: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parseFlags<typeof flags>>['values'];

/** `stowage values`; answers the exit code. */
export async function runValues(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseFlags(args, flags);
  refuseTwoForms(values);
  const place = arrayPlaceOf(values);
  const path = pathOrGathered(positionals, values, 'values');
  if (values.slice !== undefined) return showSlice(path, values);
  const input: ValuesInput = {
    // Other nodes have other working directories.
    path: place === null ? path : resolve(path),
    ...given('tensors', values.tensors),
    ...sampleIn(values),
    ...given('log', values.log),
  };
  const answer = await answerOf(input, values, place);
  if (answer === null) return notRun(place);
  await writeAnswer(answer, values);
  if (answer.report.findings.some(({ severity }) => severity === 'error')) return exitCode.findings;
  if (answer.report.tensors.length === 0) return exitCode.unreadable;
  return isWritten(answer.report.log) ? exitCode.done : exitCode.unreadable;
}

async function showSlice(path: string, values: Values): Promise<number> {
  const { tensors: tensor, slice, sample, seed, nodes, gather, log } = values;
  if (tensor === undefined) throw new UsageError('--slice takes the name of one tensor: --tensors NAME');
  if (sample !== undefined || seed !== undefined) throw new UsageError('--slice goes with no sample');
  if (log === true) throw new UsageError('--log goes with all values of all tensors');
  if (nodes !== undefined || gather !== undefined) throw new UsageError('--slice is read on this machine');
  await writeAnswer(
    await useCases.slice.run(createNodePlatform(__filename, remoteOptions(values)), { path, tensor, slice: slice ?? '' }),
    values,
  );
  return exitCode.done;
}

async function answerOf(input: ValuesInput, values: Values, place: ArrayPlace | null): Promise<Answer<ValuesReport> | null> {
  const { gather: gathered } = values;
  const platform = createNodePlatform(__filename, remoteOptions(values));
  if (gathered !== undefined) return untilInterrupted((signal) => gatherArray(platform, 'values', resolve(gathered), signal));
  if (place !== null) return untilInterrupted((signal) => runArray(platform, 'values', input, place, signal));
  const line = new ProgressLine();
  return useCases.values.run(platform, input, { onProgress: (progress) => line.show(progress) }).finally(() => line.clear());
}
