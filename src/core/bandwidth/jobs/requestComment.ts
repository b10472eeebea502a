import type { CheckRequest } from '../measurement.js';
import { shellWord } from './shellWord.js';

/** What a job writes, for those who read its script before it runs. */
export function requestComment({ shape, repeats, target }: CheckRequest, nodes: number | null): string[] {
  const { files, totalBytes, like, scale } = shape;
  const own = `${files.length} files of ${bytesPhrase(totalBytes)} together`;
  const everywhere = nodes === null ? '' : ` on each of ${nodes} nodes: ${bytesPhrase(totalBytes * nodes)} in all`;
  return [
    '#',
    `# Measures the bandwidth of ${shellWord(target)}`,
    `# Writes ${own}${everywhere}.`,
    ...(like === null ? [] : [`# These are the files of ${shellWord(like)}, ${sharePhrase(scale)}.`]),
    `# It does so ${repeats} times, and removes the files in between: there is never more than that at once.`,
  ];
}

function sharePhrase(scale: number): string {
  return scale >= 1 ? 'in full' : `scaled by ${scale.toPrecision(3)}`;
}

function bytesPhrase(bytes: number): string {
  return `${bytes.toLocaleString('en-US')} bytes (${(bytes / 1e9).toPrecision(3)} GB)`;
}
