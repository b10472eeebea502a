/** What a training run reads, in words. */
import type { ReadDemand } from '../../datasets/datasetReport.js';
import { formatBytes, formatCount, formatShortCount } from '../../text/units.js';

/** `3.5 days`, `2.0 hours`, `45 s`. */
export function durationInWords(seconds: number): string {
  for (const [unit, length] of [
    ['years', 365.25 * 86_400],
    ['days', 86_400],
    ['hours', 3600],
    ['minutes', 60],
  ] as const) {
    if (seconds >= length * 1.5) return `${numberOf(seconds / length)} ${unit}`;
  }
  return `${seconds < 10 ? seconds.toPrecision(2) : formatCount(seconds)} s`;
}

/** `0.050`, `1.00`, `12.5`, `4,000`: three digits. */
export function numberOf(value: number): string {
  if (value >= 100) return formatCount(value);
  if (value >= 10) return value.toFixed(1);
  return value >= 1 || value === 0 ? value.toFixed(2) : value.toPrecision(2);
}

/** `10.8 MB/s`. */
export function rateInWords(bytesPerSecond: number): string {
  return `${formatBytes(bytesPerSecond)}/s`;
}

/** The answers of a plan as label and value, in the order in which they are asked. */
export function demandLines(demand: ReadDemand): { label: string; value: string }[] {
  const { bytesPerSecond, allColumnsBytesPerSecond, randomReadsPerSecond, bytesPerRead, epochs, seconds } = demand;
  return [
    ...(bytesPerSecond === null ? [] : [{ label: 'read bandwidth', value: rateInWords(bytesPerSecond) }]),
    ...(allColumnsBytesPerSecond === null ? [] : [{ label: 'with all columns', value: rateInWords(allColumnsBytesPerSecond) }]),
    { label: 'random reads', value: `${numberOf(randomReadsPerSecond)} a second` },
    ...(bytesPerRead === null ? [] : [{ label: 'bytes per read', value: formatBytes(bytesPerRead) }]),
    ...(epochs === null ? [] : [{ label: 'epochs', value: numberOf(epochs) }]),
    ...(seconds === null ? [] : [{ label: 'time', value: durationInWords(seconds) }]),
  ];
}

/** What was assumed: `1,000,000 tokens/s in sequences of 4,096, 15.0 T tokens in all`. */
export function planInWords({ tokensPerSecond, sequenceLength, trainingTokens }: ReadDemand): string {
  const all = trainingTokens === null ? '' : `, ${formatShortCount(trainingTokens)} tokens in all`;
  return `${formatCount(tokensPerSecond)} tokens/s in sequences of ${formatCount(sequenceLength)}${all}`;
}

/** Fewest random reads a second that a single hard disk cannot give, and that a shared file system feels. */
const feltReadsPerSecond = 100;

/** Why the one number is small and the other is what counts. */
export function demandSentence({ tokensPerSecond, bytesPerSecond, randomReadsPerSecond, bytesPerRead }: ReadDemand): string {
  const reads =
    randomReadsPerSecond >= feltReadsPerSecond
      ? 'one for each sequence, at random places once the data are shuffled: more than a hard disk delivers, so read ahead, or keep the data on flash'
      : 'one for each sequence, at random places once the data are shuffled';
  if (bytesPerSecond === null || bytesPerRead === null)
    return `Tokens are not stored yet. Once they are, a token takes 2 or 4 bytes: ${rateInWords(tokensPerSecond * 2)} or ${rateInWords(tokensPerSecond * 4)}${tokensPerSecond * 4 < 1e9 ? ', which is little' : ''}. The load on storage is ${numberOf(randomReadsPerSecond)} reads a second, ${reads}.`;
  const little = bytesPerSecond < 1e9 ? 'a token is a few bytes, so bandwidth is not the limit' : 'that is much for tokens';
  return `${rateInWords(bytesPerSecond)} for the whole job: ${little}. The load on storage is ${numberOf(randomReadsPerSecond)} reads of ${formatBytes(bytesPerRead)} a second, ${reads}.`;
}
