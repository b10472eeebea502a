/** Index of WebDataset's shards (wids, webdataset/widsindex): `{"__kind__": "wids-shard-index-v1", "shardlist": [{url, nsamples, filesize}]}`. */
import { FormatError } from '../bytes/formatError.js';
import { memberOf } from './jsonMember.js';

export interface WidsShard {
  /** Last part of the URL. */
  name: string;
  samples: number | null;
  bytes: number | null;
}

export function looksLikeWidsIndex(head: string): boolean {
  return head.includes('"wids-shard-index-v1"') || (head.includes('"wids_version"') && head.includes('"shardlist"'));
}

/**
 * The shards of an index, those of the datasets inside of it too.
 * @throws FormatError `not-this-format`
 */
export function parseWidsIndex(value: unknown): WidsShard[] {
  const lists = [memberOf(value, 'shardlist')];
  const datasets = memberOf(value, 'datasets');
  if (Array.isArray(datasets)) for (const dataset of datasets) lists.push(memberOf(dataset, 'shardlist'));
  const shards: WidsShard[] = [];
  for (const list of lists) if (Array.isArray(list)) for (const shard of list) add(shard, shards);
  if (!lists.some(Array.isArray)) throw new FormatError('not-this-format', 'no list of shards');
  return shards;
}

function add(shard: unknown, shards: WidsShard[]): void {
  const url = memberOf(shard, 'url');
  if (typeof url !== 'string') return;
  const path = url.replace(/[?#].*$/s, '');
  shards.push({
    name: path.slice(path.lastIndexOf('/') + 1),
    samples: countOf(memberOf(shard, 'nsamples')),
    bytes: countOf(memberOf(shard, 'filesize')),
  });
}

function countOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
}
