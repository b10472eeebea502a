import { open } from 'node:fs/promises';
import { FormatError } from '../core/bytes/formatError.js';
import { limits } from '../core/bytes/limits.js';
import { type TokenizerFile, parseTokenizerFile } from '../core/datasets/tokenizerFile.js';
import { usualSampling, type SamplingOptions } from '../core/datasets/text/estimateText.js';
import { visibleText } from '../core/text/visibleText.js';
import { describeIoError } from '../platform/ioError.js';
import { UsageError } from './usageError.js';

/** Longer than a day nobody waits for an estimate. */
const mostSeconds = 86_400;
/** What the generator of random places takes: 32 bits. */
const largestSeed = 0xffff_ffff;
/** As many as a usual tokenizer counts. */
const windowsPerSecond = 50;
const mostWindows = 100_000;

/** How raw text is sampled, as far as flags say so. @throws UsageError for a value that is none */
export function readSampling(values: { seed?: string; 'sample-seconds'?: string }): Partial<SamplingOptions> {
  const { seed, 'sample-seconds': seconds } = values;
  return {
    ...(seed === undefined ? {} : { seed: wholeNumber(seed) }),
    ...(seconds === undefined ? {} : timeOf(seconds)),
  };
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > largestSeed) throw new UsageError(`--seed takes a whole number from 0 to ${largestSeed}`);
  return value;
}

/** Who waits longer than usual gets more windows for it. */
function timeOf(text: string): Partial<SamplingOptions> {
  const seconds = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || seconds <= 0 || seconds > mostSeconds)
    throw new UsageError(`--sample-seconds takes a number of seconds above 0 and up to ${mostSeconds}`);
  const milliseconds = seconds * 1000;
  if (milliseconds <= usualSampling.milliseconds) return { milliseconds };
  const windows = Math.min(mostWindows, Math.round(seconds * windowsPerSecond));
  return { milliseconds, windows, wholeBytes: Math.max(usualSampling.wholeBytes, windows * usualSampling.windowBytes) };
}

/** Reads the tokenizer.json that `--tokenizer` names. @throws UsageError when it cannot be read or is none */
export async function readTokenizer(path: string): Promise<TokenizerFile> {
  try {
    return parseTokenizerFile(path, await readSmallFile(path));
  } catch (error) {
    const detail = FormatError.is(error) ? error.detail : describeIoError(error);
    throw new UsageError(`--tokenizer ${visibleText(path)}: ${visibleText(detail)}`);
  }
}

async function readSmallFile(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new FormatError('io', 'it is no file');
    if (stats.size > limits.jsonBytes) throw new FormatError('limit-exceeded', `it has ${stats.size} bytes`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
