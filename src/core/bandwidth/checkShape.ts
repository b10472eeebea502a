/** What a bandwidth check writes: files with the names and sizes of a checkpoint, scaled to the space it may take. */
import { limits } from '../bytes/limits.js';
import { baseName } from '../files/paths.js';

/** A file of a checkpoint, or one that is written in its place. */
export interface ShapeFile {
  name: string;
  sizeBytes: number;
}

export interface CheckShape {
  /** The checkpoint that is replayed; null where only a size is given. */
  replayOf: string | null;
  /** Bytes and files of a whole save, of which `files` are the scaled copy. */
  realBytes: number;
  realFiles: number;
  /** Written share of the whole save. Above 1 only by the rounding to whole sectors. */
  scale: number;
  /** Names are safe, flat and unique; sizes are multiples of `limits.checkSectorBytes`, so that each file can be written past the cache. */
  files: ShapeFile[];
  totalBytes: number;
  /** Threads that write at the same time. */
  streams: number;
  /** Bytes of one write and one read. */
  blockBytes: number;
}

/** Files that hold this share of the largest one are written by a rank each; small ones are side files of one of them. */
const writerShare = 0.1;
/** Ranks of the usual node. */
const usualStreams = 8;
/** What a library's buffered writer passes on at once; file systems stripe at 1 to 4 MiB. */
export const usualBlockBytes = 4 * 1024 * 1024;
/** Parts of an upload to an object store: what the AWS CLI takes (multipart_chunksize). */
export const usualPartBytes = 8 * 1024 * 1024;

/**
 * The files of a save that a size alone tells of: one a stream, of the same size.
 * @param sizeBytes of the whole save, above 0
 */
export function filesOfSize(sizeBytes: number, streams: number | null): ShapeFile[] {
  const count = Math.max(1, Math.min(streams ?? usualStreams, Math.floor(sizeBytes / limits.checkSectorBytes)));
  const each = Math.floor(sizeBytes / count);
  return Array.from({ length: count }, (_, index) => ({
    name: `rank-${index}.bin`,
    sizeBytes: index === 0 ? sizeBytes - each * (count - 1) : each,
  }));
}

/**
 * A save's files, scaled so that they take no more than `spaceBytes`. Where there are too many, some stand for all: drawn evenly from
 * the smallest to the largest, so that small files stay as frequent as they are.
 * @returns null where the space does not hold a single sector, or no file has bytes
 */
export function makeShape(
  real: readonly ShapeFile[],
  replayOf: string | null,
  spaceBytes: number,
  settings: { streams: number | null; blockBytes: number | null },
): CheckShape | null {
  const filled = real.filter(({ sizeBytes }) => sizeBytes > 0);
  const most = Math.min(limits.checkFiles, Math.floor(spaceBytes / limits.checkSectorBytes));
  if (filled.length === 0 || most < 1) return null;
  const files = fitted(drawn(filled, most), spaceBytes);
  const realBytes = sumOf(filled);
  const totalBytes = sumOf(files);
  return {
    replayOf,
    realBytes,
    realFiles: filled.length,
    scale: totalBytes / realBytes,
    files,
    totalBytes,
    streams: Math.min(settings.streams ?? writersOf(filled), files.length),
    blockBytes: settings.blockBytes ?? usualBlockBytes,
  };
}

/** Which stream writes which files: the largest first, each to the stream that has the least, as ranks share a save. */
export function filesOfStreams({ files, streams }: Pick<CheckShape, 'files' | 'streams'>): ShapeFile[][] {
  const shares = Array.from({ length: streams }, () => ({ bytes: 0, files: [] as ShapeFile[] }));
  for (const file of [...files].sort((a, b) => b.sizeBytes - a.sizeBytes)) {
    const least = shares.reduce((best, share) => (share.bytes < best.bytes ? share : best));
    least.files.push(file);
    least.bytes += file.sizeBytes;
  }
  return shares.map((share) => share.files);
}

/** How many ranks of one node write at the same time, as far as sizes of files tell. */
function writersOf(files: readonly ShapeFile[]): number {
  const largest = files.reduce((most, { sizeBytes }) => Math.max(most, sizeBytes), 0);
  return Math.min(usualStreams, files.filter(({ sizeBytes }) => sizeBytes >= largest * writerShare).length);
}

/** At most `count` files, in their own order. */
function drawn(files: readonly ShapeFile[], count: number): ShapeFile[] {
  if (files.length <= count) return [...files];
  const bySize = files.map((file, index) => ({ file, index })).sort((a, b) => a.file.sizeBytes - b.file.sizeBytes);
  const step = bySize.length / count;
  // From the middle of each stretch; the last one has the largest file itself.
  const chosen = Array.from({ length: count }, (_, index) =>
    index === count - 1 ? bySize.length - 1 : Math.floor((index + 0.5) * step),
  );
  return chosen
    .flatMap((place) => bySize[place] ?? [])
    .sort((a, b) => a.index - b.index)
    .map(({ file }) => file);
}

/** With sizes in whole sectors, at least one each, and in all no more than the space. There are no more files than sectors. */
function fitted(files: readonly ShapeFile[], spaceBytes: number): ShapeFile[] {
  const sector = limits.checkSectorBytes;
  const whole = files.map(({ sizeBytes }) => Math.ceil(sizeBytes / sector));
  const spaceSectors = Math.floor(spaceBytes / sector);
  const sectors = sectorsWithin(whole, spaceSectors);
  return files.map(({ name }, index) => ({ name: safeName(name, index), sizeBytes: (sectors[index] ?? 1) * sector }));
}

function sectorsWithin(whole: readonly number[], space: number): number[] {
  const total = whole.reduce((sum, sectors) => sum + sectors, 0);
  if (total <= space) return [...whole];
  // Each file keeps one sector; the rest is shared by what each has above that.
  const share = (space - whole.length) / (total - whole.length);
  return whole.map((sectors) => 1 + Math.floor((sectors - 1) * share));
}

/** A name of its own that no file system and no shell takes for anything else, and that shows whose place it takes. */
function safeName(name: string, index: number): string {
  const plain = baseName(name)
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .slice(-100);
  return `${String(index + 1).padStart(4, '0')}-${plain}`;
}

function sumOf(files: readonly ShapeFile[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
