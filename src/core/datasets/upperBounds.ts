/** What shards hold at most that could not be counted. A bound is stated by an index, a header or a size, and never by other shards. */
import { bytesOfElements } from '../tensors/dtype.js';
import type { DatasetFilePart, DatasetParts } from './datasetParts.js';

export class UpperBounds {
  private readonly files: ReadonlyMap<string, DatasetFilePart>;
  /** What Git LFS pointers state as the sizes of the files they point to. */
  private readonly pointedBytes: ReadonlyMap<string, number>;
  private readonly zeroFilled: ReadonlySet<string>;
  /** The narrowest of the dataset's tokens, in bytes; null where a width is not known. */
  private readonly tokenWidth: number | null;

  constructor(private readonly parts: DatasetParts) {
    this.files = new Map(parts.files.map((file) => [file.path, file]));
    const pointed = new Map<string, number>();
    const zeroFilled = new Set<string>();
    for (const finding of parts.findings) {
      const { path } = finding;
      if (path === undefined) continue;
      if (finding.code === 'file-is-lfs-pointer' && finding.facts.expectedBytes > 0)
        pointed.set(path, finding.facts.expectedBytes);
      if (finding.code === 'file-zero-filled') zeroFilled.add(path);
    }
    this.pointedBytes = pointed;
    this.zeroFilled = zeroFilled;
    this.tokenWidth = narrowestWidth(parts);
  }

  /** Paths with a bound that are not here. */
  get absentPaths(): string[] {
    return [...this.parts.upperBounds.keys()].filter((path) => !this.files.has(path));
  }

  /** Null where nothing bounds them. */
  samples(path: string): number | null {
    return this.parts.upperBounds.get(path)?.samples ?? null;
  }

  /** As `samples`. A file of plain tokens holds what fits into its size. */
  tokens(path: string): number | null {
    const stated = this.parts.upperBounds.get(path);
    if (stated?.tokens != null) return Math.min(stated.tokens, this.tokensThatFit(path) ?? Infinity);
    const bytes = stated?.tokenBytes ?? this.plainBytes(path);
    return bytes === null || this.tokenWidth === null ? null : Math.floor(bytes / this.tokenWidth);
  }

  /** Tokens for which a shard of plain tokens has room, cut as it may be; null for any other file, and for one whose content is not here. */
  private tokensThatFit(path: string): number | null {
    const file = this.files.get(path);
    const isShard =
      file?.isPlainTokens === true && this.parts.shards.some((shard) => shard.path === path && shard.tokens !== null);
    return isShard && this.tokenWidth !== null ? Math.floor(file.sizeBytes / this.tokenWidth) : null;
  }

  /** Size of a file of plain tokens that is not cut; null for any other. */
  private plainBytes(path: string): number | null {
    const file = this.files.get(path);
    if (file?.isPlainTokens !== true) return null;
    return this.pointedBytes.get(path) ?? (this.zeroFilled.has(path) ? file.sizeBytes : null);
  }
}

function narrowestWidth({ shards }: DatasetParts): number | null {
  let narrowest: number | null = null;
  for (const { columns } of shards) {
    for (const { role, dtype } of columns) {
      if (role !== 'tokens') continue;
      const width = dtype === null ? undefined : bytesOfElements(dtype, 1);
      if (width === undefined) return null;
      narrowest = Math.min(narrowest ?? width, width);
    }
  }
  return narrowest;
}
