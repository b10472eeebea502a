/**
 * What all pickles of one file import and call: its own, those in archives within it, and those that a pickle hands to a loader as bytes.
 * Contents wait in a queue, so that nesting costs no recursion.
 */
import type { ByteSource } from '../../../bytes/byteSource.js';
import { FormatError } from '../../../bytes/formatError.js';
import { limits } from '../../../bytes/limits.js';
import { memorySource } from '../../../bytes/memorySource.js';
import { unpack, type PackedFormat } from '../../../bytes/unpack.js';
import { BUDGET_USED_UP, reasonOfCut, type Unpacking } from '../../../bytes/unpackBudget.js';
import type { FileSink } from '../../sink/fileSink.js';
import { sliceSource } from '../../../bytes/sliceSource.js';
import { isTar, walkTar } from '../../tar.js';
import { isZip, readZipDirectory, type ZipDirectory, type ZipEntry } from '../../zip.js';
import { beginningBytes, isStored, openZipRecord, unpackZipRecord } from '../../zipRecord.js';
import { isNpy, npyDataOffset, parseNpyHeader, readNpyHeader, type NpyHeader } from '../../numpy/npyHeader.js';
import { compressionOfPickle, isPickle, mayBeOldPickle } from '../pickleHead.js';
import { escaped } from './literalText.js';
import { ImportCollector } from './importCollector.js';
import { scanPickles, type ScanOptions, type ScanResult } from './pickleScan.js';

/** Bytes that may be a pickle, an archive with pickles, or a compressed one of either. */
interface Content {
  bytes: Uint8Array;
  /** What reports call it. */
  record: string;
  /** Where it begins in the file; undefined for what was unpacked. */
  offset: number | undefined;
  depth: number;
  /** True where a loader is given it, whatever its first bytes. */
  isLoaded: boolean;
  /** True where it counts as a pickle only if it runs as one. */
  isGuess?: boolean;
}

/** A stretch of a file, or of what was unpacked, that may be what `Content` is. Its bytes are read in its turn. */
interface Stretch {
  /** The stretch alone. */
  source: ByteSource;
  record: string;
  offset: number | undefined;
  depth: number;
  /** True for a file of which nothing is known. */
  isUnknown?: boolean;
}

interface NotScanned {
  record: string;
  bytes: number;
  detail: string;
  offset: number | undefined;
}

/** What two readers of an archive take for different things. */
interface Conflict {
  record: string;
  detail: string;
  offset: number | undefined;
}

/** Where imports and what is to be said of them go. */
export type ImportSink = Pick<FileSink, 'pickleImport' | 'finding'>;

/** Members of archives that programs unpickle, by their names. */
export function isPickleName(name: string): boolean {
  return /\.(?:pkl|pickle|pck|p|pyd|dill|joblib|sav|pth|pt|th|ckpt|npz|dat|data)(?:\.(?:gz|bz2|xz))?$/i.test(name);
}

/** Order in which files are looked at for pickles: names of pickles first, then small files, as a pickle made to call something is small. */
export function likelyPicklesFirst(a: { path: string; sizeBytes: number }, b: { path: string; sizeBytes: number }): number {
  return Number(isPickleName(b.path)) - Number(isPickleName(a.path)) || a.sizeBytes - b.sizeBytes;
}

/** Names of texts, source code, pictures and sounds, which programs seldom unpickle: of these the first are looked at. */
export function isPlainName(path: string): boolean {
  return plainNames.test(path);
}

const plainNames =
  /\.(?:txt|md|rst|jsonl?|ya?ml|toml|cfg|ini|[ct]sv|html?|xml|css|log|lock|py|pyi|ipynb|sh|[cm]?[jt]sx?|c|cc|cpp|cu|h|hpp|rs|go|java|rb|pl|lua|sql|proto|svg|png|jpe?g|gif|webp|bmp|ico|pdf|mp[34]|wav|flac|ogg|webm|ttf|woff2?)$/i;

/** Names of archives, and of what programs open as one. */
const archiveNames = /\.(?:zip|npz|keras|pt|pt2|pth|ckpt|mar|whl|egg|jar)$/i;

const HEAD_BYTES = 512;

export class FileImports {
  private readonly collectors: { collector: ImportCollector; offset: number | undefined }[] = [];
  private readonly queue: (Content | Stretch)[] = [];
  private readonly notScanned: NotScanned[] = [];
  private readonly conflicts: Conflict[] = [];
  private unpackedBytes = 0;
  private contents = 0;

  constructor(private readonly unpacking: Unpacking) {}

  /** Scans pickles of the file. @param offset where `bytes` begin in the file; undefined for bytes that were unpacked */
  scan(bytes: Uint8Array, offset: number | undefined, options: ScanOptions = {}, depth = 0): ScanResult {
    const collector = new ImportCollector();
    const result = scanPickles(bytes, collector, options);
    this.keep(collector, offset, depth);
    return result;
  }

  /** True where any import or call was found. */
  get hasAny(): boolean {
    return this.collectors.some(
      ({ collector }) => collector.imports().length > 0 || collector.embeddedAt !== undefined || collector.calls.length > 0,
    );
  }

  /** Notes a part of the file that may be a pickle and is not scanned. */
  leaveOut(record: string, bytes: number, detail: string, offset?: number): void {
    this.notScanned.push({ record, bytes, detail, offset });
  }

  /** Notes that two readers of the file take a record for different things. */
  noteConflict(record: string, detail: string, offset: number | undefined): void {
    this.conflicts.push({ record, detail, offset });
  }

  /**
   * Scans the members of an archive that are pickles by their first bytes, and what other readers of the file would find. Members with one of several
   * equal names are each looked at.
   * @param isOther true for members that are scanned elsewhere
   * @param start where the archive begins; in front of it may be a pickle
   */
  async scanArchive(
    source: ByteSource,
    directory: ZipDirectory,
    isOther: (entry: ZipEntry) => boolean = () => false,
    start = directory.entries[0]?.headerOffset ?? 0,
  ): Promise<void> {
    await this.addArchive({ source, record: source.name, offset: 0, depth: 0 }, directory, isOther, start);
    await this.scanContents();
  }

  /**
   * Scans a stretch of the file that may be a pickle or an archive with pickles, as a member of a tar archive.
   * @param source the stretch alone
   * @param isUnknown true for a file of which nothing is known: its end is looked at, too
   */
  async scanPart(source: ByteSource, record: string, offset: number, isUnknown = false): Promise<void> {
    this.queue.push({ source, record, offset, depth: 0, isUnknown });
    await this.scanContents();
  }

  /** An archive that is a pickle by its first bytes too is scanned as both: which of them a program reads is up to it. */
  private async scanStretch(stretch: Stretch): Promise<void> {
    const { source, record, offset, depth } = stretch;
    const head = await source.read(0, Math.min(HEAD_BYTES, source.sizeBytes), this.unpacking.signal);
    if (isZip(head)) return this.scanZip(stretch);
    if (isTar(head)) await this.scanTar(stretch);
    if (isNpy(head)) return this.scanObjects(stretch);
    // Programs that do not go by the first bytes find an archive behind others.
    if (depth === 0 && (stretch.isUnknown === true || archiveNames.test(record))) await this.scanArchiveBehind(stretch);
    if (!mayBePickle(head)) return;
    const length = Math.min(source.sizeBytes, limits.pickleBytes, this.room());
    const bytes = await source.read(0, length, this.unpacking.signal);
    this.unpackedBytes += length;
    if (length < source.sizeBytes)
      this.leaveOut(record, source.sizeBytes - length, 'it is larger than what is read', placeAt(offset, length));
    await this.scanBytes({ bytes, record, offset, depth, isLoaded: false });
  }

  /** An array of NumPy: one of objects is a pickle behind its header. */
  private async scanObjects({ source, record, offset, depth }: Stretch): Promise<void> {
    const read = (length: number): Promise<Uint8Array> =>
      source.read(0, Math.min(length, source.sizeBytes), this.unpacking.signal);
    const header = await headerOrError(() => readNpyHeader(read));
    const headerBytes = FormatError.is(header) ? npyDataOffset(await read(HEAD_BYTES)) : header?.headerBytes;
    if (headerBytes === undefined || headerBytes >= source.sizeBytes) return;
    if (FormatError.is(header) || header?.isObject !== true) {
      if (!FormatError.is(header) && header?.isUsual === true) return;
      // What is behind an unusual header counts where it begins as a pickle.
      const behind = sliceSource(source, headerBytes, source.sizeBytes - headerBytes);
      this.add({ source: behind, record, offset: placeAt(offset, headerBytes), depth: depth + 1 });
      return;
    }
    const bytes = source.sizeBytes - headerBytes;
    const length = Math.min(bytes, limits.pickleBytes, this.room());
    this.unpackedBytes += length;
    this.scan(await source.read(headerBytes, length, this.unpacking.signal), placeAt(offset, headerBytes), {}, depth);
    if (length < bytes)
      this.leaveOut(record, bytes - length, 'it is larger than what is read', placeAt(offset, headerBytes + length));
  }

  /** Scans bytes of the file that may be a pickle, packed or not, or an archive. */
  async scanContent(bytes: Uint8Array, record: string, offset: number | undefined): Promise<void> {
    if (!mayHoldPickles(bytes.subarray(0, HEAD_BYTES))) return;
    this.add({ bytes, record, offset, depth: 0, isLoaded: false });
    await this.scanContents();
  }

  /** Puts everything into the sink. It is the file's turn. */
  async report(sink: ImportSink): Promise<void> {
    await this.scanContents();
    for (const { collector, offset } of this.collectors) {
      for (const name of collector.imports()) sink.pickleImport(name);
      if (collector.hasMore) sink.finding({ code: 'pickle-imports-cut', facts: { imports: limits.pickleImports } });
      for (const { text, offset: at } of collector.calls.slice(0, limits.pickleCalls)) {
        const place = offset === undefined ? {} : { offset: offset + at };
        sink.finding({ code: 'pickle-calls-unexpected', ...place, facts: { call: text } });
      }
      for (const { text, offset: at } of collector.unchecked) {
        const place = offset === undefined ? {} : { offset: offset + at };
        sink.finding({ code: 'pickle-call-unchecked', ...place, facts: { call: text } });
      }
    }
    this.reportEmbedded(sink);
    const more = this.collectors.reduce((sum, { collector }) => sum + collector.moreCalls, 0);
    if (more > 0) sink.finding({ code: 'pickle-calls-cut', facts: { calls: more } });
    for (const { record, detail, offset } of this.conflicts)
      sink.finding({ code: 'zip-readers-differ', ...(offset === undefined ? {} : { offset }), facts: { record, detail } });
    for (const { record, bytes, detail, offset } of this.notScanned)
      sink.finding({ code: 'pickle-not-scanned', ...(offset === undefined ? {} : { offset }), facts: { record, bytes, detail } });
  }

  /** One finding for all functions of the file: rebuilding each takes some ten calls. */
  private reportEmbedded(sink: ImportSink): void {
    const found = this.collectors.filter(({ collector }) => collector.embeddedAt !== undefined);
    const [first] = found;
    if (first === undefined) return;
    const names = new Set(found.flatMap(({ collector }) => [...collector.embedded]));
    const place = first.offset === undefined ? {} : { offset: first.offset + (first.collector.embeddedAt ?? 0) };
    const shown = [...names].slice(0, limits.pickleCalls).map(escaped).join(', ');
    const hasMore = names.size > limits.pickleCalls || found.some(({ collector }) => collector.hasMoreEmbedded);
    sink.finding({ code: 'pickle-embeds-code', ...place, facts: { names: `${shown}${hasMore ? ' and others' : ''}` } });
  }

  private keep(collector: ImportCollector, offset: number | undefined, depth: number): void {
    this.collectors.push({ collector, offset });
    for (const nested of collector.nested) {
      const place = offset === undefined ? undefined : offset + nested.offset;
      const isGuess = nested.isGuess === true;
      this.add({
        bytes: nested.bytes,
        record: 'bytes in a pickle',
        offset: place,
        depth: depth + 1,
        isLoaded: !isGuess,
        isGuess,
      });
    }
    if (collector.leftOutBytes > 0) this.leaveOut('bytes in a pickle', collector.leftOutBytes, 'too many nested pickles', offset);
  }

  private add(content: Content | Stretch): void {
    this.contents += 1;
    if (content.depth > limits.pickleNesting)
      this.leaveOut(content.record, bytesOf(content), 'nested too deeply', content.offset);
    else if (this.contents > limits.nestedPickles)
      this.leaveOut(content.record, bytesOf(content), 'too many nested pickles', content.offset);
    else this.queue.push(content);
  }

  private async scanContents(): Promise<void> {
    for (let content = this.queue.pop(); content !== undefined; content = this.queue.pop()) {
      try {
        await ('source' in content ? this.scanStretch(content) : this.scanBytes(content));
      } catch (error) {
        if (!FormatError.is(error) || error.code === 'cancelled' || error.code === 'io') throw error;
        this.leaveOut(content.record, bytesOf(content), error.detail, content.offset);
      }
    }
  }

  private async scanBytes(content: Content): Promise<void> {
    const { bytes, record, offset, depth } = content;
    const head = bytes.subarray(0, HEAD_BYTES);
    const stretch = { source: memorySource(record, bytes), record, offset, depth };
    if (content.isGuess === true && !isZip(head)) return this.scanGuess(content);
    if (isZip(head)) return this.scanZip(stretch);
    if (isTar(head)) await this.scanTar(stretch);
    const compression = compressionOfPickle(head);
    if (compression !== undefined && !content.isLoaded) return this.scanPacked(content, compression);
    if (isNpy(head)) return this.scanObjects(stretch);
    if (isPickle(head) || content.isLoaded) {
      this.scan(bytes, offset, {}, depth);
      if (content.isLoaded && compression !== undefined) await this.scanPacked(content, compression);
      return;
    }
    if (!mayBeOldPickle(head)) return;
    const collector = new ImportCollector();
    const { callsBeforeDamage, namesBeforeDamage, pickles } = scanPickles(bytes, collector);
    if (callsBeforeDamage || namesBeforeDamage || (pickles > 0 && collector.imports().length > 0))
      this.keep(collector, offset, depth);
  }

  /** An archive that does not begin with the stretch: zipfile looks for its end alone. */
  private async scanArchiveBehind(stretch: Stretch): Promise<void> {
    try {
      const directory = await readZipDirectory(stretch.source, this.unpacking.signal, 'any');
      await this.addArchive(stretch, { ...directory, conflict: undefined }, () => false, 0);
    } catch (error) {
      if (!FormatError.is(error) || ['cancelled', 'io', 'limit-exceeded'].includes(error.code)) throw error;
    }
  }

  /** Bytes that begin as a pickle count as one where they run to an end, or make a call. */
  private scanGuess({ bytes, offset, depth }: Content): void {
    const collector = new ImportCollector();
    const { callsBeforeDamage, end } = scanPickles(bytes, collector, { isUntilDamage: true });
    const isOld = !isPickle(bytes.subarray(0, 2));
    if (callsBeforeDamage || (end !== -1 && (!isOld || collector.imports().length > 0))) this.keep(collector, offset, depth);
  }

  private async scanZip(stretch: Stretch): Promise<void> {
    const directory = await readZipDirectory(stretch.source, this.unpacking.signal, 'any');
    // Data files of a distributed save are archives one behind the other: their loader reads each by itself.
    const conflict = directory.otherEntries.length > 0 ? undefined : directory.conflict;
    await this.addArchive(stretch, { ...directory, conflict }, () => false, directory.entries[0]?.headerOffset ?? 0);
  }

  /** Members of a tar archive that may be pickles wait for their turn; an archive among them is walked over in the same way. */
  private async scanTar({ source, record, offset, depth }: Stretch): Promise<void> {
    let members = 0;
    await walkTar(source, this.unpacking.signal, async (member, near) => {
      members += 1;
      if (members > limits.tarMembers) {
        this.leaveOut(record, source.sizeBytes - member.headerOffset, 'it has more members than are looked at', offset);
        return false;
      }
      const available = Math.min(member.bytes, Math.max(0, source.sizeBytes - member.offset));
      const head = available === 0 ? undefined : await near(Math.min(HEAD_BYTES, available));
      if (head === undefined || !mayHoldPickles(head) || isPlainArray(head)) return true;
      const place = placeAt(offset, member.offset);
      const content = sliceSource(source, member.offset, available);
      this.add({ source: content, record: member.name, offset: place, depth: depth + 1 });
      if (available < member.bytes)
        this.leaveOut(member.name, member.bytes - available, 'it goes on behind what is read of the archive', place);
      return true;
    });
  }

  private async scanPacked({ bytes, record, offset, depth }: Content, compression: PackedFormat): Promise<void> {
    const unpacked = await unpack(bytes, compression, this.room(), this.unpacking);
    this.unpackedBytes += unpacked.bytes.byteLength;
    if (!unpacked.isWhole) this.leaveOut(record, bytes.byteLength, reasonOfCut(this.unpacking), offset);
    this.add({ bytes: unpacked.bytes, record, offset: undefined, depth: depth + 1, isLoaded: false });
  }

  /** @param archive the zip archive that has the directory */
  private async addArchive(
    archive: Stretch,
    { entries, otherEntries, conflict }: ZipDirectory,
    isOther: (entry: ZipEntry) => boolean,
    start: number,
  ): Promise<void> {
    if (conflict !== undefined) this.noteConflict(archive.record, conflict, archive.offset);
    this.noteRepeated(archive, entries);
    for (const entry of entries) if (!isOther(entry)) await this.addMember(archive, entry);
    for (const entry of otherEntries) await this.addMember(archive, entry);
    if (start > 0) this.addBeginning(archive, start);
  }

  /** zipfile takes the last of several records of one name, miniz any. */
  private noteRepeated(archive: Stretch, entries: readonly ZipEntry[]): void {
    const counts = new Map<string, number>();
    for (const { name } of entries) counts.set(name, (counts.get(name) ?? 0) + 1);
    if (counts.size === entries.length) return;
    for (const { name, headerOffset } of entries) {
      const count = counts.get(name) ?? 0;
      if (count > 1) this.noteConflict(name, `it is listed ${count} times`, placeAt(archive.offset, headerOffset));
      counts.delete(name);
    }
  }

  /** torch.load reads a file as a pickle where it does not begin as an archive, whatever is at its end. Another archive may be there as well. */
  private addBeginning({ source, offset, depth }: Stretch, start: number): void {
    const record = 'the bytes before the archive';
    const length = Math.min(start, source.sizeBytes, limits.largePickleScanBytes);
    this.add({ source: sliceSource(source, 0, length), record, offset, depth });
    if (start > length) this.leaveOut(record, start - length, 'more than are read', placeAt(offset, length));
  }

  private async addMember(archive: Stretch, entry: ZipEntry): Promise<void> {
    if (isPlainByName(entry.name) || entry.compressedBytes === 0) return;
    try {
      await this.readMember(archive, entry);
    } catch (error) {
      if (!FormatError.is(error) || error.code === 'cancelled' || error.code === 'io') throw error;
      this.leaveOut(entry.name, entry.compressedBytes, error.detail, placeAt(archive.offset, entry.headerOffset));
    }
  }

  /** A member that could be a pickle or an archive waits for its turn. */
  private async readMember({ source, offset: start, depth }: Stretch, entry: ZipEntry): Promise<void> {
    const { name, compressedBytes, headerOffset, isEncrypted } = entry;
    const offset = placeAt(start, headerOffset);
    // Some readers do not look at the flag: what is a pickle all the same is scanned.
    if (isEncrypted) this.leaveOut(name, compressedBytes, 'encrypted', offset);
    const record = await openZipRecord(source, entry, HEAD_BYTES * 2, this.unpacking.signal);
    if (record.conflict !== undefined) this.noteConflict(name, record.conflict, offset);
    const beginning = Math.min(beginningBytes(entry, HEAD_BYTES), record.storedBytes);
    if (beginning > HEAD_BYTES * 2) {
      // A block for each record, which may all be the same one.
      if (beginning > this.room()) return this.leaveOutLarge(entry, record.storedBytes, offset);
      this.unpackedBytes += beginning;
    }
    const head = await this.headOf(entry, await record.read(beginning));
    if (head === undefined || !mayHoldPickles(head) || isPlainArray(head)) return;
    const isTooLarge = (): boolean => record.storedBytes > this.room() || (!isStored(entry) && entry.bytes > this.packedRoom());
    if (isTooLarge()) return this.leaveOutLarge(entry, record.storedBytes, offset);
    const packed = await record.read(record.storedBytes);
    // Other files may have used up what was left while this one was read.
    if (isTooLarge()) return this.leaveOutLarge(entry, record.storedBytes, offset);
    const bytes = await unpackZipRecord(entry, packed, packed.byteLength + entry.bytes, this.unpacking);
    this.unpackedBytes += bytes.byteLength;
    const place = isStored(entry) ? placeAt(start, record.dataOffset) : undefined;
    this.add({ bytes, record: name, offset: place, depth: depth + 1, isLoaded: false });
  }

  /** The first bytes of a record; undefined for an encrypted one, whose bytes are no compressed data. */
  private async headOf(entry: ZipEntry, first: Uint8Array): Promise<Uint8Array | undefined> {
    try {
      return (await unpackZipRecord(entry, first, HEAD_BYTES, this.unpacking)).subarray(0, HEAD_BYTES);
    } catch (error) {
      if (entry.isEncrypted && FormatError.is(error) && error.code !== 'cancelled') return undefined;
      throw error;
    }
  }

  private leaveOutLarge(entry: ZipEntry, bytes: number, offset: number | undefined): void {
    const isBudget = Math.max(bytes, entry.bytes) <= this.room();
    this.leaveOut(entry.name, bytes, isBudget ? BUDGET_USED_UP : 'it is larger than what is read', offset);
  }

  private room(): number {
    return Math.max(0, limits.pickleUnpackedBytes - this.unpackedBytes);
  }

  private packedRoom(): number {
    return Math.min(this.room(), this.unpacking.unpackBudget.roomBytes);
  }
}

/** True for first bytes of a pickle, an archive, an array, or of one of them that is compressed. @param head 512 bytes, or all there are */
export function mayHoldPickles(head: Uint8Array): boolean {
  return isZip(head) || isTar(head) || isNpy(head) || mayBePickle(head);
}

function mayBePickle(head: Uint8Array): boolean {
  return isPickle(head) || compressionOfPickle(head) !== undefined || mayBeOldPickle(head);
}

function bytesOf(content: Content | Stretch): number {
  return 'source' in content ? content.source.sizeBytes : content.bytes.byteLength;
}

async function headerOrError(read: () => Promise<NpyHeader | undefined>): Promise<NpyHeader | FormatError | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled' || error.code === 'io') throw error;
    return error;
  }
}

/** Undefined within what was unpacked, which has no places in the file. */
function placeAt(start: number | undefined, offset: number): number | undefined {
  return start === undefined ? undefined : start + offset;
}

/** Members that the writers of these archives leave there, and that no loader of theirs unpickles. Any other name says nothing. */
const plainEndings =
  /(?:^|\/)(?:version|byteorder|\.format_version|\.storage_alignment|archive_format|archive_version|serialization_id|python_version|data\/\d+|data\/(?:weights|constants)\/(?:weight|tensor)_\d+|\.data\/\d+\.storage|[^/]*\.(?:py|h5|debug_pkl))$/i;

function isPlainByName(name: string): boolean {
  return plainEndings.test(name) || name.endsWith('/');
}

/** True for an array of numbers, whose data need not be read. */
function isPlainArray(head: Uint8Array): boolean {
  if (!isNpy(head)) return false;
  try {
    const header = parseNpyHeader(head);
    return header?.isObject === false && header.isUsual;
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    return false;
  }
}
