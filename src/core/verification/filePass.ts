import { appendAll } from '../bytes/appendAll.js';
import { BlockSums } from './blockSums.js';
import type { Digest, FileDigestName, MakeHash, RunningHash } from './hashes/hash.js';
import type { PassResult, PassSpec } from './passSpec.js';
import { RegionChecks } from './regionChecks.js';
import { createStream } from './streams/createStream.js';
import type { SumStream } from './streams/sumStream.js';
import type { Damage, Extent } from './verification.js';

/** One pass over the bytes of a file, in order: all that is computed of them is computed here, so that they are read once. */
export class FilePass {
  private readonly regions: RegionChecks;
  private readonly streams: SumStream[];
  private readonly digests: { name: FileDigestName; hash: RunningHash }[];
  private readonly blocks: BlockSums | null;

  constructor(
    private readonly spec: PassSpec,
    makeHash: MakeHash,
  ) {
    this.regions = new RegionChecks(spec.regions, makeHash);
    this.streams = spec.streams.map((name) => createStream(name, makeHash));
    this.digests = spec.digests.map((name) => ({ name, hash: digestOf(name, spec.sizeBytes, makeHash) }));
    this.blocks = spec.blockBytes === null ? null : new BlockSums(spec.blockBytes, makeHash);
  }

  /** Bytes at an offset behind the ones before: only regions may be stepped over. They are not used after this returns. */
  push(bytes: Uint8Array, offset: number): void {
    this.regions.push(bytes, offset);
    for (const stream of this.streams) stream.push(bytes);
    for (const { hash } of this.digests) hash.update(bytes);
    this.blocks?.push(bytes);
  }

  /** What came of it; of a file that ended before its size, of the bytes that came. */
  end(): PassResult {
    const damage: Damage[] = this.regions.end();
    const covered: Extent[] = this.spec.regions.flatMap(({ offset, length, parts }) => parts ?? [{ offset, length }]);
    for (const stream of this.streams) {
      const found = stream.end();
      appendAll(damage, found.damage);
      appendAll(covered, found.covered);
    }
    return {
      damage: damage.slice(0, mostDamage),
      covered,
      digests: Object.fromEntries(this.digests.map(({ name, hash }): [string, Digest] => [name, hash.digest()])),
      blocks: this.blocks?.end() ?? [],
    };
  }
}

/** Places that are listed of one file: each takes a line, and a file with so many is to be replaced. */
const mostDamage = 1_000;

function digestOf(name: FileDigestName, sizeBytes: number, makeHash: MakeHash): RunningHash {
  if (name !== 'git-blob') return makeHash(name);
  const hash = makeHash('sha1');
  hash.update(new TextEncoder().encode(`blob ${sizeBytes}\0`));
  return hash;
}
