/** WebDataset: tar archives of samples, with the index of wids where it is there. */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeText } from '../../bytes/text.js';
import { baseName, parentPath } from '../../files/paths.js';
import { looksLikeWidsIndex, parseWidsIndex, type WidsShard } from '../../formats/widsIndex.js';
import type { DatasetAccess, DatasetLayout } from '../datasetLayout.js';
import { noteMissingShards } from '../numberedShards.js';
import { estimateRatio } from '../text/ratioEstimate.js';
import { TarShards } from './webDataset/tarShards.js';

const archiveName = /\.(tar|tgz|tar\.gz|tar\.zst|tar\.zstd)$/i;

export const webDataset: DatasetLayout = {
  id: 'webdataset',
  framework: 'WebDataset',
  sampleUnit: 'sample',

  async claim(free, _, probe) {
    const archives = free.filter(({ path }) => archiveName.test(path));
    if (archives.length === 0) return [];
    const paths = archives.map(({ path }) => path);
    for (const { path, sizeBytes } of free)
      if (path.endsWith('.json') && sizeBytes > 0 && looksLikeWidsIndex(decodeText(await probe.head(path)))) paths.push(path);
    return paths;
  },

  async read(paths, access) {
    const shards = paths.filter((path) => archiveName.test(path));
    const listed = await readIndexes(
      paths.filter((path) => path.endsWith('.json')),
      shards,
      access,
    );
    noteMissingShards(shards, access);
    const reading = new TarShards(access, shards, listed);
    await reading.read();
    estimate(reading, access);
    access.tokenMethod('elements of the arrays (.npy members), by their headers');
    access.done('every header of the archives that were walked: its checksum, sizes of members, blocks that end the archive');
  },
};

/** What the indexes say of each shard that is here, by its path. */
async function readIndexes(
  indexes: readonly string[],
  shards: readonly string[],
  access: DatasetAccess,
): Promise<Map<string, WidsShard>> {
  const listed = new Map<string, WidsShard>();
  for (const path of indexes) {
    const value = await access.json(path, 'index');
    access.describe(path, { restKind: 'index' });
    if (value === undefined) continue;
    try {
      const entries = parseWidsIndex(value);
      const byName = new Map(shards.filter((shard) => isBelow(shard, parentPath(path))).map((shard) => [baseName(shard), shard]));
      compareList(path, entries, byName, access);
      for (const entry of entries) {
        const shard = byName.get(entry.name);
        if (shard !== undefined) listed.set(shard, entry);
      }
    } catch (error) {
      if (!FormatError.is(error)) throw error;
      access.finding({ code: 'shard-corrupt', path, facts: { detail: error.detail } });
    }
  }
  return listed;
}

function isBelow(path: string, directory: string): boolean {
  return directory === '' || path.startsWith(`${directory}/`);
}

function compareList(
  path: string,
  entries: readonly WidsShard[],
  byName: ReadonlyMap<string, string>,
  access: DatasetAccess,
): void {
  const names = new Set(entries.map(({ name }) => name));
  const missing = [...names].filter((name) => !byName.has(name));
  if (missing[0] !== undefined && !access.listing.isSingleFile)
    access.finding({
      code: 'shards-listed-missing',
      path,
      facts: { missing: missing.length, total: names.size, first: missing[0] },
    });
  const unlisted = [...byName.keys()].filter((name) => !names.has(name));
  if (unlisted[0] !== undefined)
    access.finding({
      code: 'shard-unlisted',
      path: byName.get(unlisted[0]) ?? path,
      facts: { files: unlisted.length, first: unlisted[0] },
    });
}

const CONFIDENCE = 0.95;

/** Shards that were not walked, by the ratio to bytes of those that were. */
function estimate(reading: TarShards, access: DatasetAccess): void {
  const { walked, knownSamples, unknownBytes, leftBytes, leftSamples } = reading;
  if (leftBytes === 0) return;
  const seen = `${walked.length} of the archives, walked over in full`;
  if (!leftSamples) {
    const own = estimateRatio(
      walked.map(({ bytes, samples }) => ({ x: bytes, y: samples })),
      unknownBytes,
      CONFIDENCE,
    );
    if (own !== null)
      access.sampleCount({
        count: Math.round(knownSamples + own.count),
        exact: false,
        interval: [Math.floor(knownSamples + own.low), Math.ceil(knownSamples + own.high)],
        confidence: CONFIDENCE,
        method: `samples a byte of ${seen}`,
      });
  }
  const withTokens = walked.filter((shard): shard is typeof shard & { tokens: number } => shard.tokens !== null);
  const knownTokens = withTokens.reduce((sum, { tokens }) => sum + tokens, 0);
  const rest = estimateRatio(
    withTokens.map(({ bytes, tokens }) => ({ x: bytes, y: tokens })),
    leftBytes,
    CONFIDENCE,
  );
  if (knownTokens === 0 || rest === null) return;
  access.tokenCount({
    count: Math.round(knownTokens + rest.count),
    exact: false,
    interval: [Math.floor(knownTokens + rest.low), Math.ceil(knownTokens + rest.high)],
    confidence: CONFIDENCE,
    method: `elements of arrays (.npy members) a byte of ${seen}`,
  });
  access.notDone(`headers of archives beyond ${limits.tarMembers} members: their samples and tokens are estimated`);
}
