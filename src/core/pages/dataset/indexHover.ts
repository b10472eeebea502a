/** What the index file of a dataset declares, for a hover. The host has this one, so it imports next to nothing. */
import type { IndexFile } from '../../datasets/indexFiles.js';
import { formatBytes, formatCount } from '../../text/units.js';

const kindNames: Record<IndexFile['kind'], string> = {
  mds: 'MosaicML streaming (MDS)',
  litdata: 'LitData',
  wids: 'WebDataset',
  huggingface: 'Hugging Face dataset',
  'megatron-indexed': 'Megatron indexed dataset',
};

/**
 * In place of the whole answer, where the folder around the index is too large or too slow for a hover.
 * @param link target of the link that opens the report
 */
export function indexHover({ kind, shards, samples, bytes }: IndexFile, link: string): string {
  const size = bytes === null ? '' : ` of ${formatBytes(bytes)} in all`;
  return [
    `**${kindNames[kind]}**`,
    samples === null ? '' : `${formatCount(samples)} samples, declared by this file`,
    shards === null ? '' : `${formatCount(shards)} shards${size}, declared by this file`,
    'Shards were not read: there are too many, or they are slow to read.',
    `[Inspect](${link})`,
  ]
    .filter((line) => line !== '')
    .join('  \n');
}
