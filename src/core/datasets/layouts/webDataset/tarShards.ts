/** Tar archives of a dataset into shards: all of them walked over, or as many as a user wants to wait for. */
import { compressionOf, decompressBeginning } from '../../../bytes/decompressBeginning.js';
import type { ByteSource } from '../../../bytes/byteSource.js';
import { limits } from '../../../bytes/limits.js';
import { memorySource } from '../../../bytes/memorySource.js';
import { walkTar, type TarWalk } from '../../../formats/tar.js';
import type { WidsShard } from '../../../formats/widsIndex.js';
import { kindOfRole } from '../../columnRole.js';
import type { DatasetAccess } from '../../datasetLayout.js';
import type { ShardColumn } from '../../datasetParts.js';
import type { ByteKind } from '../../../report/datasetReport.js';
import { splitOfName } from '../../splitOfName.js';
import { tarCorpus } from './tarCorpus.js';
import { TarSamples } from './tarSamples.js';

/** tarfile and GNU tar fill the last record up with zeros. */
const RECORD_BYTES = 10_240;

/** What was counted in one archive. */
export interface WalkedShard {
  path: string;
  bytes: number;
  samples: number;
  tokens: number | null;
}

interface Walked {
  samples: TarSamples;
  walk: TarWalk;
  /** Set where the archive is compressed: bytes that came out, and whether that was all. */
  content: { bytes: number; isWhole: boolean; consumedBytes: number } | undefined;
}

export class TarShards {
  readonly walked: WalkedShard[] = [];
  /** Samples of all shards that were walked, or that an index counts. */
  knownSamples = 0;
  /** Bytes of shards of which neither is true. */
  unknownBytes = 0;
  /** Bytes of shards that were not walked. */
  leftBytes = 0;
  /** True where the index counts the samples of all of those. */
  leftSamples = true;
  private contentLeft: number = limits.countedTextBytes;

  constructor(
    private readonly access: DatasetAccess,
    private readonly paths: readonly string[],
    private readonly listed: ReadonlyMap<string, WidsShard>,
  ) {}

  async read(): Promise<void> {
    const [first] = this.paths;
    if (first === undefined) return;
    // How many members a byte of the first has tells how many archives can be walked.
    const members = await this.readShards([first]);
    const rest = this.paths.slice(1);
    const firstBytes = Math.max(1, this.sizeOf(first));
    const restBytes = rest.reduce((sum, path) => sum + this.sizeOf(path), 0);
    const expected = (members * restBytes) / firstBytes;
    const isAll = this.access.options.allLengths || expected <= limits.tarMembers;
    const count = isAll ? rest.length : Math.max(1, Math.floor((rest.length * limits.tarMembers) / expected));
    const chosen = new Set(
      Array.from({ length: Math.min(count, rest.length) }, (_, at) => rest[Math.floor((at * rest.length) / count)] ?? ''),
    );
    await this.readShards(rest.filter((path) => chosen.has(path)));
    for (const path of rest) if (!chosen.has(path)) this.leave(path);
  }

  private sizeOf(path: string): number {
    return this.access.entry(path)?.sizeBytes ?? 0;
  }

  /** Answers the number of members. */
  private async readShards(paths: readonly string[]): Promise<number> {
    let members = 0;
    await this.access.each(paths, async (path, turn) => {
      this.compareSize(path);
      const found = await this.access.withSource(path, (source) => this.walk(source));
      await turn();
      members += found.samples.members;
      this.add(path, found);
    });
    return members;
  }

  private async walk(source: ByteSource): Promise<Walked> {
    const { signal } = this.access;
    const compression = compressionOf(await source.read(0, Math.min(4, source.sizeBytes), signal));
    const samples = new TarSamples();
    const use: Parameters<typeof walkTar>[1] = (member, reader) => samples.add(member, reader);
    if (compression === undefined) return { samples, walk: await walkTar(source, use, signal), content: undefined };
    const { bytes, isWhole, consumedBytes } = await decompressBeginning(
      source,
      compression,
      Math.max(1024 * 1024, this.contentLeft),
      signal,
    );
    this.contentLeft -= bytes.byteLength;
    const walk = await walkTar(memorySource(source.name, bytes), use, signal);
    return { samples, walk, content: { bytes: bytes.byteLength, isWhole, consumedBytes } };
  }

  private add(path: string, { samples, walk, content }: Walked): void {
    const { access } = this;
    const { columns, tokens } = samples.result(content !== undefined);
    const isPart = content !== undefined && !content.isWhole;
    access.describe(path, {
      format: content === undefined ? 'tar' : 'compressed tar',
      role: 'shard',
      restKind: content === undefined ? 'framing' : mainKind(columns),
    });
    if (!isPart) this.compareEnd(path, walk, content?.bytes ?? this.sizeOf(path), content !== undefined);
    if (samples.damagedArrays > 0)
      access.finding({
        code: 'shard-corrupt',
        path,
        facts: { detail: `${samples.damagedArrays} arrays have no header that fits their size` },
      });
    if (isPart) {
      this.walked.push({ path, bytes: content.consumedBytes, samples: samples.samples, tokens });
      this.leave(path, this.sizeOf(path) - content.consumedBytes, samples.samples);
      return;
    }
    const counted = this.listed.get(path)?.samples ?? null;
    if (counted !== null && counted !== samples.samples)
      access.finding({
        code: 'index-count-differs',
        path,
        facts: { expected: counted, found: samples.samples, detail: 'samples of the archive' },
      });
    this.walked.push({ path, bytes: this.sizeOf(path), samples: samples.samples, tokens });
    this.knownSamples += samples.samples;
    const split = splitOfName(path);
    access.shard({
      path,
      samples: samples.samples,
      tokens,
      ...(split === undefined ? {} : { split }),
      ...(content === undefined ? {} : { logicalBytes: content.bytes }),
      columns,
    });
    if (samples.samples === 0) access.finding({ code: 'shard-empty', path, facts: { detail: `${samples.members} members` } });
    if (content !== undefined || columns.some(({ role }) => role === 'tokens')) return;
    const corpus = tarCorpus(path, samples, access);
    if (corpus !== undefined) access.corpus(corpus);
  }

  /** Two blocks of zeros end an archive; what comes behind them and the padding is nobody's. */
  private compareEnd(path: string, { endOffset, isEnded }: TarWalk, sizeBytes: number, isCompressed: boolean): void {
    const { access } = this;
    if (!isEnded || endOffset > sizeBytes) {
      const detail =
        endOffset > sizeBytes
          ? `its last member ends at ${endOffset} of ${sizeBytes} bytes`
          : 'no blocks of zeros end the archive';
      access.finding({ code: 'shard-truncated', path, offset: sizeBytes, facts: { detail } });
      return;
    }
    const behind = sizeBytes - (Math.floor(endOffset / RECORD_BYTES) + 1) * RECORD_BYTES;
    // A first block of zeros without the second.
    if (sizeBytes < endOffset + 1024)
      access.finding({
        code: 'shard-truncated',
        path,
        offset: sizeBytes,
        facts: { detail: 'the blocks of zeros at its end are cut' },
      });
    if (behind <= RECORD_BYTES || isCompressed) return;
    access.bytes(path, 'unexplained', behind);
    access.finding({
      code: 'shard-size-differs',
      path,
      offset: endOffset,
      facts: { expectedBytes: sizeBytes - behind, bytes: sizeBytes },
    });
  }

  private compareSize(path: string): void {
    const expectedBytes = this.listed.get(path)?.bytes ?? null;
    const bytes = this.sizeOf(path);
    if (expectedBytes !== null && expectedBytes !== bytes)
      this.access.finding({ code: 'shard-size-differs', path, facts: { expectedBytes, bytes } });
  }

  /** A shard, or the rest of one, that is not walked: the index may still count it. */
  private leave(path: string, bytes = this.sizeOf(path), seen = 0): void {
    const samples = this.listed.get(path)?.samples ?? null;
    if (bytes === this.sizeOf(path)) {
      this.compareSize(path);
      this.access.describe(path, { format: 'tar', role: 'shard', restKind: 'values' });
    }
    this.leftBytes += bytes;
    if (samples === null) {
      this.leftSamples = false;
      this.unknownBytes += bytes;
      this.knownSamples += seen;
    } else this.knownSamples += samples;
    const split = splitOfName(path);
    this.access.shard({ path, samples, tokens: null, ...(split === undefined ? {} : { split }), columns: [] });
  }
}

/** What a compressed archive counts as: the kind of its largest column. */
function mainKind(columns: readonly ShardColumn[]): ByteKind {
  let largest: ShardColumn | undefined;
  for (const column of columns) if ((column.logicalBytes ?? 0) > (largest?.logicalBytes ?? -1)) largest = column;
  return largest === undefined ? 'framing' : kindOfRole[largest.role];
}
