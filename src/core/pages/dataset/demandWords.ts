/** What a training run reads, in words. */
import type { ReadDemand } from '../../datasets/datasetReport.js';
import { shortRate, shortTime } from '../../text/quantities.js';
import { formatBytes, formatCount, formatShortCount, shortNumber } from '../../text/units.js';

/** The answers of a plan as label and value, in the order in which they are asked. */
export function demandLines(demand: ReadDemand): { label: string; value: string }[] {
  const { bytesPerSecond, allColumnsBytesPerSecond, randomReadsPerSecond, bytesPerRead, epochs, seconds } = demand;
  return [
    ...(bytesPerSecond === null ? [] : [{ label: 'read bandwidth of the tokens', value: shortRate(bytesPerSecond) }]),
    ...(allColumnsBytesPerSecond === null ? [] : [{ label: 'with all columns', value: shortRate(allColumnsBytesPerSecond) }]),
    { label: 'random reads', value: `${shortNumber(randomReadsPerSecond)} a second` },
    ...(bytesPerRead === null ? [] : [{ label: 'bytes per read', value: formatBytes(bytesPerRead) }]),
    ...(epochs === null ? [] : [{ label: 'epochs', value: shortNumber(epochs) }]),
    ...(seconds === null ? [] : [{ label: 'time', value: seconds > 0 && seconds < 1 ? '< 1 s' : shortTime(seconds) }]),
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
    return `Tokens are not stored yet. Once they are, a token takes 2 or 4 bytes: ${shortRate(tokensPerSecond * 2)} or ${shortRate(tokensPerSecond * 4)}${tokensPerSecond * 4 < 1e9 ? ', which is little' : ''}. The load on storage is ${shortNumber(randomReadsPerSecond)} reads a second, ${reads}.`;
  const little = bytesPerSecond < 1e9 ? 'a token is a few bytes, so bandwidth is not the limit' : 'that is much for tokens';
  return `${shortRate(bytesPerSecond)} for the whole job: ${little}. The load on storage is ${shortNumber(randomReadsPerSecond)} reads of ${formatBytes(bytesPerRead)} a second, ${reads}.`;
}
