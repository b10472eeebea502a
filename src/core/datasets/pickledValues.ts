/**
 * Values of samples that an index declares to be pickles. Loaders unpickle each of them. Of some samples of each shard the first bytes are scanned
 * for what they import and call; the finding on the index says of how many.
 */
import type { ByteSource } from '../bytes/byteSource.js';
import { FormatError } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import type { MdsColumn } from '../formats/mds/mdsIndex.js';
import { valueIn } from '../formats/mds/mdsShard.js';
import { FileImports } from '../formats/pickle/imports/fileImports.js';
import { reportImports } from '../formats/pickle/imports/importFindings.js';
import { formatCount } from '../text/units.js';
import type { DatasetAccess } from './datasetLayout.js';

/** A shard whose samples are `u32` sizes and values, behind a table of their offsets, as those of MDS and LitData. */
export interface PickledShard {
  path: string;
  /** The shard, or its beginning decompressed. */
  content: ByteSource;
  isUnpacked: boolean;
  samples: number;
  columns: readonly MdsColumn[];
  /** Names of the columns that are pickled. */
  pickled: readonly string[];
}

/** What was scanned of the samples of one index. */
interface Coverage {
  columns: Set<string>;
  scanned: number;
  samples: number;
}

/** The pickled samples of one data set, within a budget for all of its shards. */
export class PickledSamples {
  private readonly byIndex = new Map<string, Coverage>();
  private readonly quotas = new Map<string, number>();
  private left: number = limits.pickledSamples;

  constructor(private readonly access: DatasetAccess) {}

  /** Notes which columns an index declares to be pickles. */
  declare(index: string, columns: readonly string[]): void {
    if (columns.length > 0) this.byIndex.set(index, { columns: new Set(columns), scanned: 0, samples: 0 });
  }

  /** Divides the budget among shards before they are read, as they are read at once. */
  plan(paths: readonly string[]): void {
    const each = Math.min(limits.pickledSamplesPerShard, Math.max(1, Math.floor(this.left / Math.max(1, paths.length))));
    for (const path of paths) {
      const quota = Math.min(each, this.left);
      this.quotas.set(path, quota);
      this.left -= quota;
    }
  }

  /** Scans samples of one shard. What is damaged is left: the reader of the shard says so. @throws FormatError `cancelled` */
  async scan(shard: PickledShard): Promise<ScannedShard> {
    const imports = new FileImports(this.access);
    let scanned = 0;
    try {
      if (shard.pickled.length > 0)
        for (const index of this.chosen(shard)) if (await this.scanSample(shard, index, imports)) scanned += 1;
    } catch (error) {
      if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    }
    return { path: shard.path, imports, scanned, samples: shard.pickled.length > 0 ? shard.samples : 0 };
  }

  /** Reports what the samples of a shard import and call. It is the file's turn. */
  async add(index: string, { path, imports, scanned, samples }: ScannedShard): Promise<void> {
    await reportImports(imports, path, this.access);
    const coverage = this.byIndex.get(index);
    if (coverage === undefined) return;
    coverage.scanned += scanned;
    coverage.samples += samples;
  }

  /** One finding for all columns of each index. Call after the shards. */
  note(): void {
    for (const [path, { columns, scanned, samples }] of this.byIndex) {
      const more = columns.size > limits.pickleCalls ? ` and ${formatCount(columns.size - limits.pickleCalls)} more` : '';
      const names = `${[...columns].slice(0, limits.pickleCalls).join(', ')}${more}`;
      this.access.finding({ code: 'values-pickled', path, facts: { names, scanned, samples } });
      const rest = 'the imports of pickled values in samples';
      this.access.notDone(scanned === 0 ? rest : `${rest}: the first bytes of ${scanned} of ${samples} samples were scanned`);
    }
  }

  /** Numbers of the samples to scan, evenly spread; the first ones where only the beginning of the shard is there. */
  private chosen({ path, samples, isUnpacked }: PickledShard): number[] {
    const count = Math.min(samples, this.quotas.get(path) ?? 0);
    const step = isUnpacked || count < 2 ? 1 : (samples - 1) / (count - 1);
    return Array.from({ length: count }, (_, at) => Math.floor(at * step));
  }

  private async scanSample(
    { content, columns, pickled, isUnpacked }: PickledShard,
    index: number,
    imports: FileImports,
  ): Promise<boolean> {
    const { signal } = this.access;
    const table = await content.read(OFFSETS_AT + OFFSET_BYTES * index, 2 * OFFSET_BYTES, signal);
    const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
    const start = view.getUint32(0, true);
    const end = Math.min(view.getUint32(OFFSET_BYTES, true), start + limits.pickledSampleBytes, content.sizeBytes);
    if (end <= start) return false;
    const sample = await content.read(start, end - start, signal);
    const values = pickled.map((name) => valueIn(sample, columns, name));
    for (const value of values)
      if (value !== undefined) imports.scan(value, isUnpacked ? undefined : start + value.byteOffset - sample.byteOffset);
    return values.every((value) => value !== undefined && value.byteLength > 0);
  }
}

/** What was found in the samples of one shard, until it is its turn. */
export interface ScannedShard {
  path: string;
  imports: FileImports;
  scanned: number;
  samples: number;
}

/** Behind the number of samples (formats/mds/mdsShard.ts; litdata/streaming/item_loader.py). */
const OFFSETS_AT = 4;
const OFFSET_BYTES = 4;
