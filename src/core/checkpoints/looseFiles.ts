/** Files without a directory layout: a torch file, a safetensors file, an array; and any other directory, which still gets its account. */
import type { LayoutId } from '../report/checkpointReport.js';
import type { StateObject } from './parts.js';
import { member, numberOf } from '../formats/pickle/pickleAccess.js';
import type { Layout, Listing } from './layout.js';
import { readFiles, type ReadResult } from './readFiles.js';

const torchName = /\.(pt|pth|bin|ckpt|pkl|pickle|pt2|th)$/;

/** Files that torch.save wrote, alone or next to each other. */
export const torchFile: Layout = looseLayout('torch-file', (listing) => (listing.hasMatch(torchName) ? 0.5 : 0), 'torch');

/** safetensors files that are not a model's. */
export const safetensorsFile: Layout = looseLayout(
  'safetensors-file',
  (listing) => (listing.hasMatch(/\.safetensors$/) ? 0.6 : 0),
  'safetensors',
);

/** NumPy arrays. */
export const numpyFile: Layout = looseLayout('numpy', (listing) => (isAll(listing, /\.np[yz]$/) ? 0.5 : 0), 'numpy');

/** Any directory: every byte is accounted for as far as names and first bytes tell. */
export const unknownLayout: Layout = looseLayout('unknown', () => 0.01, 'unknown');

function looseLayout(id: LayoutId, match: (listing: Listing) => number, framework: string): Layout {
  return {
    id,
    match,
    async read(context, listing) {
      const result = await readFiles(context, listing);
      result.parts.layout = id;
      result.parts.framework = { name: framework, version: null };
      result.parts.step = stepIn(result.parts.objects);
      readWorldSize(result);
      return result;
    },
  };
}

function isAll(listing: Listing, pattern: RegExp): boolean {
  return listing.entries.length > 0 && listing.baseNames().every((name) => pattern.test(name));
}

const stepKeys = ['global_step', 'step', 'iteration', 'iter', 'global_steps', 'num_steps', 'iter_num', 'num_updates', 'it'];

/** The step counter of a hand-written training checkpoint: a whole number under one of the usual keys of its root dict. */
function stepIn(objects: readonly StateObject[]): number | null {
  for (const key of stepKeys) {
    for (const { value } of objects) {
      const found = value.kind === 'pickle' ? numberOf(member(value.root, key)) : undefined;
      if (found !== undefined && Number.isSafeInteger(found) && found >= 0) return found;
    }
  }
  return null;
}

/** `…_world_size_<n>_rank_<r>.pt`: how many ranks there were is in the name. */
function readWorldSize({ parts }: ReadResult): void {
  const sizes = parts.files
    .map((file) => /world_size_(\d{1,7})_rank_\d+/.exec(file.path)?.[1])
    .filter((size) => size !== undefined);
  if (sizes.length === 0) return;
  const worldSize = sizes.reduce((largest, size) => Math.max(largest, Number(size)), 0);
  parts.topology = { ...parts.topology, worldSize };
  const sets = new Map<string, { start: string; end: string; ranks: Set<number> }>();
  for (const file of parts.files) {
    const [, start, rank, end = ''] = /^(.*world_size_\d+_rank_)(\d{1,7})(.*)$/.exec(file.path) ?? [];
    if (start === undefined) continue;
    const key = JSON.stringify([start, end]);
    const set = sets.get(key) ?? { start, end, ranks: new Set<number>() };
    sets.set(key, set);
    set.ranks.add(Number(rank));
  }
  for (const { start, end, ranks } of sets.values()) {
    if (ranks.size >= worldSize) continue;
    const missing = Array.from({ length: Math.min(worldSize, 100_000) }, (_, rank) => rank).filter((rank) => !ranks.has(rank));
    const first = missing.slice(0, 5).map((rank) => `${start}${rank}${end}`);
    parts.findings.push({
      code: 'rank-file-missing',
      facts: { files: worldSize - ranks.size, worldSize, first: first.join(', ') },
    });
  }
}
