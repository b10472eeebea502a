/** Opens the files of a listing through their formats and gathers what they hold. One damaged file is a finding, no more. */
import { isArchiveName, isCheckpointArchive, isCheckpointZip } from '../formats/checkpointArchive.js';
import { FileImports } from '../formats/pickle/imports/fileImports.js';
import { appendAll } from '../bytes/appendAll.js';
import type { ByteSource } from '../bytes/byteSource.js';
import { FormatError, throwIfCancelled } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import { readWhole } from '../bytes/readWhole.js';
import { byteOrderMark } from '../bytes/text.js';
import type { FileEntry } from '../files/fileTree.js';
import { baseName, joinPath, parentPath } from '../files/paths.js';
import { LfsPointerError, mayBeLfsPointer } from '../files/lfsPointer.js';
import { nameOfWhole } from '../files/secondCopies.js';
import { openFile, withFile, type OpenContext } from '../files/openFiles.js';
import { promisesData, readablePattern } from '../files/readableFiles.js';
import type { FileSink } from '../formats/sink/fileSink.js';
import { SNIFF_BYTES, type FileFormat } from '../formats/fileFormat.js';
import { jsonFileValue } from '../formats/text/jsonValue.js';
import { jsonErrorInWords } from '../formats/text/jsonError.js';
import { findHoles, findMissingSpace, findImpostor, isHollow, refuseImpostor } from '../formats/impostor.js';
import { scanPicklesInstead } from '../formats/pickle/imports/picklesBeside.js';
import { isPathConfigurationName, readPathConfiguration } from '../formats/loaderCode/pathConfiguration.js';
import type { FileFinding, Finding } from '../findings/finding.js';
import { findingOfError } from '../findings/findingOfError.js';
import { ImpostorError } from '../findings/impostorError.js';
import { isOfSave } from '../findings/saveFindings.js';
import { codeOfJson, codeReaderOf, type CodeReader } from './codeFiles.js';
import { fileFormatOf, formatInstead, sniffFormat, type FileFormatId } from './fileFormats.js';
import type { FileRoles } from './roles/fileRoles.js';
import type { FileRole, RolesOfPaths } from './roles/fileRule.js';
import type { FoundFileSet } from './fileSets/fileSets.js';
import type { Listing } from '../files/listing.js';
import { runOrdered } from '../files/orderedPool.js';
import { emptyParts, type FilePart, type Parts } from './parts.js';
import { PartsSink, type SharedParts } from './partsSink.js';
import { isClosed, leftClosed, unitsOf, type FileUnit } from './readUnits.js';
import { ShardedTensors } from './shardedTensors.js';
import { describeStates } from './statesByContent.js';
import { describeVocabularies } from './vocabularies.js';
import { areTensorsOfZeros, tensorStarts } from './zeroTensors.js';

export interface ReadContext extends OpenContext {
  entries: readonly FileEntry[];
  /** What files are for by their names. */
  roles: FileRoles;
  /** Called when a file is done. */
  onFile(path: string, done: number, total: number): void;
}

/** Side files that a layout wants to see as they are. */
export interface SideFiles {
  json: Map<string, unknown>;
  /** Raw bytes of index files, scanned by who knows their shape. */
  indexes: Map<string, Uint8Array>;
  /** Pointers and notes of a few bytes, without the white space around them. */
  texts: Map<string, string>;
}

export interface ReadResult {
  parts: Parts;
  side: SideFiles;
}

/**
 * Reads all entries into new parts: file sets through their format, every other file by its role. The caller fills in layout, step
 * and topology.
 */
export async function readFiles(
  context: ReadContext,
  listing: Listing,
  roles: RolesOfPaths = context.roles,
): Promise<ReadResult> {
  const units = unitsOf(listing, context.roles, roles);
  const left = leftClosed(units);
  const reading = new FileReading(context, roles, left, listing.isSingleFile);
  let done = 0;
  await runOrdered(units, limits.concurrentReads, async (unit, _, turn) => {
    throwIfCancelled(context.signal);
    const path = await (unit.kind === 'file' ? reading.readEntry(unit, turn) : reading.readSet(unit.found, turn));
    done += unit.kind === 'file' ? 1 : unit.found.set.paths.length;
    context.onFile(path, done, context.entries.length);
  });
  return reading.finish();
}

type AnyFormat = FileFormat<FileFormatId>;

class FileReading {
  private readonly files: FilePart[] = [];
  private readonly side: SideFiles = { json: new Map(), indexes: new Map(), texts: new Map() };
  /** Files of sets that may still be opened to look for holes. */
  private sparseFilesLeft: number = limits.sparseFilesOfSets;
  /** Files of sets whose first bytes may still be looked at. */
  private setFilesLeft: number = limits.picklesInstead;
  private plainNamesLeft: number = limits.plainNamesSniffed;
  /** Files that may be anything and are left closed, as there are too many. */
  private readonly left: Set<FileEntry>;
  private readonly parts = emptyParts(this.files);
  private readonly shared: SharedParts;
  private readonly numbers: ReadonlyMap<string, number>;

  constructor(
    private readonly context: ReadContext,
    private readonly roles: RolesOfPaths,
    left: ReadonlySet<FileEntry>,
    private readonly isAlone: boolean,
  ) {
    this.left = new Set(left);
    this.numbers = new Map(context.entries.map((entry, index) => [entry.path, index]));
    const { signal, unpackBudget } = context;
    this.shared = { parts: this.parts, sharded: new ShardedTensors(), rankObjects: new Map(), signal, unpackBudget };
  }

  finish(): ReadResult {
    this.parts.leftClosed = this.left.size;
    this.noteDownloads();
    this.shared.sharded.addTo(this.parts.tensors);
    describeVocabularies(this.parts);
    describeStates(this.parts);
    return { parts: this.parts, side: this.side };
  }

  /** Files that aria2 writes in place, at their full size from the first moment on: only its control file says what is missing. */
  private noteDownloads(): void {
    const begun = this.files.filter(({ role }) => role === 'interrupted-download');
    const [first] = begun;
    if (first !== undefined)
      this.parts.findings.push({
        code: 'download-incomplete',
        path: first.path,
        facts: { files: begun.length, bytes: begun.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) },
      });
    for (const path of this.numbers.keys()) {
      const file = path.endsWith('.aria2') ? path.slice(0, -'.aria2'.length) : undefined;
      if (file !== undefined && this.numbers.has(file))
        this.parts.findings.push({ code: 'download-unfinished', path: file, facts: { control: baseName(path) } });
    }
  }

  async readEntry({ entry, index, role, original }: FileUnit, turn: () => Promise<void>): Promise<string> {
    const part = this.addPart(entry, index, role);
    if (entry.link?.isDirectory === true)
      Object.assign(part, { format: 'directory', role: 'directory-link', component: 'container' } satisfies Partial<FilePart>);
    const codeReader = entry.sizeBytes > 0 && !this.left.has(entry) ? codeReaderOf(entry.path) : undefined;
    if (
      isClosed(entry) ||
      this.left.has(entry) ||
      (role.reader === 'none' && codeReader === undefined && (await this.mayStayClosed(entry.path, entry.sizeBytes)))
    ) {
      const sink = this.sinkFor(part, index, role, turn);
      try {
        const imports = this.left.has(entry) || role.reader !== 'none' ? undefined : await this.importsOfPlain(entry, role);
        await turn();
        await imports?.report(sink);
      } catch (error) {
        await turn();
        await this.noteFailure(error, undefined, part, sink);
      }
      this.noteClosed(entry, part, original);
      return entry.path;
    }
    const sink = this.sinkFor(part, index, role, turn);
    let source: ByteSource | undefined;
    try {
      source = await openFile(this.context, entry.path);
      if (role.reader !== 'none' || codeReader === undefined) await this.readSource(source, entry, part, role, sink);
      else await this.scanPlain(source, entry.path, sink);
      if (codeReader !== undefined && role.reader !== 'json') await this.readCode(codeReader, source, sink);
      if (sink.hasFindings) await this.explainFindings(source, part, sink);
      if (!sink.holdsTensors && (isPickled(part) || isOtherMsgpack(part))) describeWithoutTensors(part);
    } catch (error) {
      await turn();
      await this.noteFailure(error, source, part, sink);
    } finally {
      await source?.close();
    }
    return entry.path;
  }

  private sinkFor(part: FilePart, number: number, role: FileRole, turn: () => Promise<void>): PartsSink {
    return new PartsSink(this.shared, { part, number, role, isOfSet: false, turn });
  }

  /** The same of one that is open. */
  private async scanPlain(source: ByteSource, path: string, sink: PartsSink): Promise<void> {
    const imports = new FileImports(this.context);
    await imports.scanPart(source, path, 0);
    await sink.turn();
    await imports.report(sink);
  }

  /**
   * What a file imports that is a pickle under the name of a text or a picture: a program that knows it unpickles it whatever it is called. Undefined for files
   * that are not looked at.
   * @throws FormatError where it cannot be read
   */
  private async importsOfPlain(entry: FileEntry, role: FileRole): Promise<FileImports | undefined> {
    if (isClosed(entry) || entry.sizeBytes === 0 || role.role === 'repository-internals') return undefined;
    if (this.plainNamesLeft <= 0) return undefined;
    this.plainNamesLeft -= 1;
    const imports = new FileImports(this.context);
    await withFile(this.context, entry.path, (source) => imports.scanPart(source, entry.path, 0));
    return imports;
  }

  /** Reads a set of files. Where its marker cannot be read the others stay unexplained. */
  async readSet({ format, set }: FoundFileSet, turn: () => Promise<void>): Promise<string> {
    const paths = set.paths.filter((path) => this.numbers.has(path));
    const parts = new Map(paths.map((path) => [path, this.addSetPart(path, format.id)]));
    const marker = paths[0] as string;
    const markerPart = parts.get(marker) as FilePart;
    const sinks = new Map<string, PartsSink>();
    const sinkOf = (path: string): PartsSink => {
      const known = sinks.get(path);
      if (known !== undefined) return known;
      const part = parts.get(path) ?? markerPart;
      const number = this.numbers.get(part.path) as number;
      const sink = new PartsSink(this.shared, { part, number, role: this.roles.of(path), isOfSet: true, turn });
      sinks.set(path, sink);
      return sink;
    };
    const givenBack = new Set<string>();
    const failed = new Map<unknown, string>();
    const opened = async <T>(path: string, use: (source: ByteSource) => Promise<T>): Promise<T> => {
      try {
        return await withFile(this.context, path, use);
      } catch (error) {
        // Of an unreadable file the set need not be named by its marker.
        if (FormatError.is(error, 'io')) failed.set(error, path);
        throw error;
      }
    };
    try {
      await format.read(set, {
        signal: this.context.signal,
        unpackBudget: this.context.unpackBudget,
        entry: (path) => this.context.entries[this.numbers.get(path) ?? -1],
        fileNumber: (path) => this.numbers.get(path),
        read: (path, offset, length) => opened(path, (source) => source.read(offset, length, this.context.signal)),
        withSource: opened,
        sinkOf,
        describe: (path, facts) => Object.assign(parts.get(path) ?? {}, facts),
        giveBack: (path) => givenBack.add(path),
        turn,
        guard: async (path, work) => {
          try {
            await work();
          } catch (error) {
            await this.noteFailure(error, undefined, parts.get(path) ?? markerPart, sinkOf(path));
          }
        },
        onProgress: (path) => this.context.onFile(path, 0, this.context.entries.length),
      });
      for (const path of givenBack) parts.delete(path);
      for (const part of parts.values()) part.checks = format.checks;
    } catch (error) {
      await turn();
      markerPart.checks = format.checks;
      const path = failed.get(error) ?? marker;
      await this.noteFailure(error, undefined, parts.get(path) ?? markerPart, sinkOf(path));
      for (const part of parts.values()) if (part.component === 'weights') part.component = 'unexplained';
    }
    await this.explainSet([...parts.values()], sinkOf);
    await this.noteHolesOfSet([...parts.values()], sinkOf);
    for (const [path, part] of parts) this.noteClosed(this.context.entries[this.numbers.get(path) as number] as FileEntry, part);
    await this.scanSet(parts, sinkOf);
    await this.readGivenBack([...givenBack], turn);
    return marker;
  }

  /** Pickles in place of the files of a set: what is raw data to its reader is opened by other programs as well. */
  private async scanSet(parts: ReadonlyMap<string, FilePart>, sinkOf: (path: string) => PartsSink): Promise<void> {
    const scanned = new Set(this.parts.imports.items().flatMap(({ paths }) => [...paths]));
    const entries = [...parts.keys()]
      .filter((path) => !scanned.has(path))
      .map((path) => this.context.entries[this.numbers.get(path) as number] as FileEntry);
    const most = this.setFilesLeft;
    this.setFilesLeft = Math.max(0, most - entries.length);
    const { findings, unreadable } = await scanPicklesInstead(this.context, entries, { isRaw: true, most });
    for (const finding of findings) if (finding.path !== undefined) sinkOf(finding.path).finding(finding);
    for (const { path, error } of unreadable) await this.noteFailure(error, undefined, parts.get(path) as FilePart, sinkOf(path));
  }

  /** Files that a set might have referred to, each as if there were no set. */
  private async readGivenBack(paths: readonly string[], turn: () => Promise<void>): Promise<void> {
    const units = paths.map((path): FileUnit => {
      const index = this.numbers.get(path) as number;
      return { kind: 'file', entry: this.context.entries[index] as FileEntry, index, role: this.roles.of(path) };
    });
    for (const entry of leftClosed(units)) this.left.add(entry);
    for (const unit of units) await this.readEntry(unit, turn);
  }

  /**
   * Sets leave most of their data closed. What is found of those whose data are not here follows from what is in place of them: a pointer
   * is too short for its tensors, a web page is no index.
   */
  private async explainSet(parts: readonly FilePart[], sinkOf: (path: string) => PartsSink): Promise<void> {
    const own = findingsByPath(this.parts.findings);
    const explained = new Map<string, unknown>();
    for (const part of parts) {
      const found = own.get(part.path) ?? [];
      if (found.length === 0 && !mayBeLfsPointer(part.sizeBytes)) continue;
      try {
        const impostor = await this.impostorAt(part, found.length > 0);
        // Raw data may be zeros: what was read as something else is not.
        const isRaw =
          part.isUnreadable !== true && found.every(({ code }) => code === 'file-truncated' || code === 'file-too-long');
        if (impostor !== undefined && !(impostor.code === 'file-zero-filled' && isRaw))
          explained.set(part.path, new ImpostorError(impostor));
      } catch (error) {
        await this.noteFailure(error, undefined, part, sinkOf(part.path));
      }
    }
    if (explained.size === 0) return;
    const left = this.parts.findings.filter(({ code, path }) => isOfSave(code) || path === undefined || !explained.has(path));
    this.parts.findings.length = 0;
    appendAll(this.parts.findings, left);
    for (const part of parts)
      if (explained.has(part.path)) await this.noteFailure(explained.get(part.path), undefined, part, sinkOf(part.path));
  }

  /** Holes of files of a set that take less on the disk than their size, the largest first: only these are opened, within a budget for all sets. */
  private async noteHolesOfSet(parts: readonly FilePart[], sinkOf: (path: string) => PartsSink): Promise<void> {
    const sparse = parts
      .filter(({ isUnreadable }) => isUnreadable !== true)
      .map(({ path }) => this.context.entries[this.numbers.get(path) as number] as FileEntry)
      .filter(isSparse)
      .sort((a, b) => b.sizeBytes - a.sizeBytes);
    const looked = sparse.slice(0, this.sparseFilesLeft);
    this.sparseFilesLeft -= looked.length;
    for (const entry of looked) {
      try {
        await withFile(this.context, entry.path, (source) => this.noteHoles(source, entry, sinkOf(entry.path)));
      } catch (error) {
        // One that cannot be opened has a finding of its own where it was to be read.
        if (!FormatError.is(error) || error.code === 'cancelled') throw error;
      }
    }
  }

  /** What is in place of the data of a file, or why it cannot be opened where that is not a finding already. */
  private async impostorAt({ path }: FilePart, isDamaged: boolean): Promise<FileFinding | undefined> {
    try {
      return await withFile(this.context, path, (source) =>
        isDamaged ? findImpostor(source, this.context.signal) : Promise.resolve(undefined),
      );
    } catch (error) {
      if (error instanceof LfsPointerError) return findingOfError(error, 'file');
      if (!FormatError.is(error) || error.code === 'cancelled') throw error;
      return isDamaged ? undefined : findingOfError(error, 'file');
    }
  }

  /** A file that is left closed for its name may be a pointer as any other; one that cannot be opened to see says so when it is read. */
  private async mayStayClosed(path: string, sizeBytes: number): Promise<boolean> {
    if (!mayBeLfsPointer(sizeBytes)) return true;
    try {
      await withFile(this.context, path, () => Promise.resolve());
      return true;
    } catch {
      return false;
    }
  }

  private addPart(entry: FileEntry, index: number, role: Pick<FilePart, 'format' | 'role' | 'component' | 'rank'>): FilePart {
    const part: FilePart = {
      path: entry.path,
      sizeBytes: entry.sizeBytes,
      modifiedMs: entry.modifiedMs,
      format: role.format,
      role: role.role,
      component: role.component,
      ...(entry.link === undefined ? {} : { link: entry.link.target }),
      ...(entry.link?.isDirectory === true && entry.link.inside ? { isWithin: true } : {}),
      ...(entry.fileId === undefined ? {} : { fileId: entry.fileId }),
      ...(role.rank === undefined ? {} : { rank: role.rank }),
      claims: [],
      unexplained: [],
    };
    this.files[index] = part;
    return part;
  }

  private addSetPart(path: string, format: string): FilePart {
    const index = this.numbers.get(path) as number;
    return this.addPart(this.context.entries[index] as FileEntry, index, { format, role: 'tensor-data', component: 'weights' });
  }

  /** What the file names, or holds, that a loader runs. */
  private async readCode(reader: CodeReader, source: ByteSource, sink: PartsSink): Promise<void> {
    const { path, signal } = sink;
    const findings = await reader({ path, source, placeOf: (file) => this.placeOf(path, file), signal });
    await sink.turn();
    for (const finding of findings) sink.finding(finding);
  }

  /** Where a file beside another one is. */
  private placeOf(path: string, file: string): 'here' | 'missing' | 'unknown' {
    if (this.numbers.has(joinPath(parentPath(path), file))) return 'here';
    return this.isAlone ? 'unknown' : 'missing';
  }

  private async readSource(source: ByteSource, entry: FileEntry, part: FilePart, role: FileRole, sink: PartsSink): Promise<void> {
    // The file was written to since it was listed: what is there now counts.
    const hasChanged = source.sizeBytes !== entry.sizeBytes;
    part.sizeBytes = source.sizeBytes;
    if (role.reader === 'json' || role.reader === 'index') part.checks = '';
    if (isPathConfigurationName(part.path)) await this.readPathConfiguration(source, part, role, sink);
    else await this.readByRole(source, part, role, sink);
    await this.noteHoles(source, entry, sink);
    if (hasChanged) sink.finding({ code: 'file-changed', facts: { expectedBytes: entry.sizeBytes, bytes: source.sizeBytes } });
  }

  /** A file of PyTorch that may be one of Python's path configurations as well, or nothing else. */
  private async readPathConfiguration(source: ByteSource, part: FilePart, role: FileRole, sink: PartsSink): Promise<void> {
    const found = await readPathConfiguration(source, sink.signal);
    try {
      await this.readByRole(source, part, role, sink);
    } catch (error) {
      if (found === undefined || !FormatError.is(error) || error.code === 'cancelled') throw error;
      await noteAll(found.findings, sink);
      if (error.code !== 'not-this-format') throw error;
      const text = { format: 'text', role: 'path-configuration', component: 'unexplained', checks: '' } as const;
      Object.assign(part, text satisfies Partial<FilePart>);
      delete part.isRoleOfFormat;
      return;
    }
    await noteAll(found?.findings ?? [], sink);
  }

  private async readByRole(source: ByteSource, part: FilePart, role: FileRole, sink: PartsSink): Promise<void> {
    if (role.reader === 'json') await this.readJson(source, part, sink);
    else if (role.reader === 'index') await this.readIndex(source, part, sink);
    else if (role.reader === 'text') await this.readText(source, part, sink);
    else if (role.reader === 'sniff' || role.reader === 'none') await this.sniff(source, part, sink);
    else await this.readNamed(fileFormatOf(role.reader), source, part, sink);
  }

  /** A file that takes less on the disk than its size, and reads as zeros over a stretch of its data. */
  private async noteHoles(source: ByteSource, entry: FileEntry, sink: PartsSink): Promise<void> {
    const { allocatedBytes = 0, sizeBytes } = entry;
    if (!isSparse(entry) || source.sizeBytes !== sizeBytes) return;
    const found = await findHoles(source, 0, allocatedBytes, sink.signal);
    await sink.turn();
    if (found === undefined || (await this.isWritten(source, entry, found.offset, sink.signal))) {
      // Zeros that are values were left out by git or a copy.
      const less = found === undefined ? findMissingSpace(sizeBytes, allocatedBytes) : undefined;
      // Not of the sink, which would look for what is in place of the data: nothing is read for it.
      if (less !== undefined) this.parts.findings.push({ ...less, path: entry.path });
      return;
    }
    const facts = { bytes: sizeBytes, missingBytes: sizeBytes - allocatedBytes };
    sink.finding({ code: 'file-has-holes', ...(found.offset === undefined ? {} : { offset: found.offset }), facts });
  }

  /** Whether a stretch of zeros is tensors of zeros, in a file that has other data as well. */
  private async isWritten(
    source: ByteSource,
    { path, allocatedBytes = 0, sizeBytes }: FileEntry,
    offset = 0,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const file = this.parts.files.findIndex((part) => part.path === path);
    if (file === -1 || isHollow(sizeBytes, allocatedBytes)) return false;
    return areTensorsOfZeros(source, tensorStarts(this.parts.tensors, file), offset, signal);
  }

  /** Reads what the name promises. The first bytes are looked at only where that fails: an intact file needs no read more. */
  private async readNamed(format: AnyFormat, source: ByteSource, part: FilePart, sink: FileSink): Promise<void> {
    part.format = format.label ?? format.id;
    try {
      await this.readAs(format, source, part, sink);
    } catch (error) {
      if (!FormatError.is(error) || error.code === 'cancelled' || error.code === 'io') throw error;
      const actual = formatInstead(format, await headOf(source, sink.signal));
      if (actual === undefined) throw error;
      await this.readInstead(actual, format, error, { source, part, sink });
    }
  }

  /** Reads a file whose name promises another format. A role that the name tells beside the format stays. */
  private async readInstead(
    actual: AnyFormat,
    promised: AnyFormat,
    failure: FormatError,
    { source, part, sink }: { source: ByteSource; part: FilePart; sink: FileSink },
  ): Promise<void> {
    part.format = actual.label ?? actual.id;
    const isSilent = isAnyBinary(part);
    try {
      await this.readAs(actual, source, part, sink);
      if (!isSilent) noteName(promised.id, actual, part, sink);
      if (part.role === promised.role)
        Object.assign(part, { role: actual.role, component: actual.component, isRoleOfFormat: true } satisfies Partial<FilePart>);
    } catch (error) {
      if (!FormatError.is(error, 'not-this-format')) throw error;
      Object.assign(part, { format: promised.label ?? promised.id, checks: promised.checks } satisfies Partial<FilePart>);
      throw failure;
    }
  }

  private async readAs(format: AnyFormat, source: ByteSource, part: FilePart, sink: FileSink): Promise<void> {
    part.checks = format.checks;
    if (part.role === format.role) part.isRoleOfFormat = true;
    part.format = await format.read(source, sink, this.context.roles);
    part.layout = format.layout ?? 'unknown';
  }

  /** The name is unknown: the first bytes may still tell. */
  private async sniff(source: ByteSource, part: FilePart, sink: PartsSink): Promise<void> {
    const isArchive = isArchiveName(part.path) && (await isCheckpointArchive(source, sink.signal));
    const sniffed = isArchive ? undefined : sniffFormat(await headOf(source, sink.signal));
    if (sniffed === undefined) {
      if (isPromisedByName(part)) await refuseImpostor(source, sink.signal);
      const imports = new FileImports(this.context);
      await imports.scanPart(source, part.path, 0, true);
      await sink.turn();
      await imports.report(sink);
      if (isArchive) noteArchive(source, part, sink);
      return;
    }
    if (part.role === 'unrecognised' && sniffed.tensors !== undefined) sink.setRule(sniffed.tensors);
    try {
      await this.readAs(sniffed, source, part, sink);
      if (part.role === 'unrecognised' && readablePattern.test(part.path) && !isTorchTarName(part.path, sniffed))
        noteName(part.path.slice(part.path.lastIndexOf('.') + 1), sniffed, part, sink);
      part.component = sniffed.content?.component ?? sniffed.component;
      part.role = sniffed.content?.role ?? sniffed.role;
    } catch (error) {
      if (sniffed.content?.otherwise === undefined || !FormatError.is(error, 'not-this-format')) throw error;
      part.format = sniffed.content.otherwise;
      delete part.checks;
      delete part.layout;
      const isZipOfCheckpoint = sniffed.content.otherwise === 'zip' && (await isCheckpointZip(source, sink.signal));
      await sink.turn();
      if (isZipOfCheckpoint) noteArchive(source, part, sink);
    }
  }

  private async readJson(source: ByteSource, part: FilePart, sink: FileSink): Promise<void> {
    part.format = 'json';
    const bytes = await readWhole(source, limits.jsonBytes, 'JSON', sink.signal);
    await sink.turn();
    try {
      const root: unknown = jsonFileValue(bytes);
      if (byteOrderMark(bytes) !== undefined) sink.finding({ code: 'json-byte-order-mark', offset: 0 });
      this.side.json.set(part.path, root);
      this.parts.objects.push({ path: part.path, value: { kind: 'json', root } });
      const code = codeOfJson(source, part.path, root, (file) => this.placeOf(part.path, file));
      for (const finding of code) sink.finding(finding);
    } catch (error) {
      if (FormatError.is(error)) throw error;
      await reportPickle(bytes, part.path, sink);
      throw new FormatError('corrupt', jsonErrorInWords(error), { offset: 0, cause: error });
    }
  }

  private async readIndex(source: ByteSource, part: FilePart, sink: FileSink): Promise<void> {
    await refuseImpostor(source, sink.signal);
    const bytes = await readWhole(source, limits.indexBytes, 'index', sink.signal);
    await sink.turn();
    if (bytes[0] !== 0x7b) await reportPickle(bytes, part.path, sink);
    this.side.indexes.set(part.path, bytes);
  }

  /** What is longer is no pointer, whatever its name. */
  private async readText(source: ByteSource, part: FilePart, sink: PartsSink): Promise<void> {
    if (source.sizeBytes > limits.pointerBytes) {
      Object.assign(part, { role: 'unrecognised', component: 'unexplained', format: 'unknown' } satisfies Partial<FilePart>);
      return this.sniff(source, part, sink);
    }
    Object.assign(part, { format: 'text', checks: '' } satisfies Partial<FilePart>);
    const bytes = await source.read(0, source.sizeBytes, sink.signal);
    await sink.turn();
    await reportPickle(bytes, part.path, sink);
    this.side.texts.set(part.path, new TextDecoder().decode(bytes).trim());
  }

  private noteClosed(entry: FileEntry, part: FilePart, original?: string): void {
    if (entry.error !== undefined) {
      Object.assign(part, { component: 'unexplained', isUnreadable: true } satisfies Partial<FilePart>);
      this.parts.findings.push({ code: 'file-unreadable', path: entry.path, facts: { detail: entry.error } });
    } else if (part.role === 'interrupted-save' || original !== undefined) {
      this.parts.findings.push({
        code: 'leftover-file',
        path: entry.path,
        facts: {
          bytes: entry.sizeBytes,
          copyOf: original === undefined ? null : baseName(original),
          missing: original === undefined ? this.missingOf(entry.path) : null,
        },
      });
    } else if (part.role === 'tokenizer' && entry.sizeBytes === 0 && entry.link === undefined) {
      part.isUnreadable = true;
      this.parts.findings.push({ code: 'file-empty', path: entry.path });
    }
  }

  /** The name of the data that an interrupted copy was to become, where they are not here; null for any other. */
  private missingOf(path: string): string | null {
    const whole = nameOfWhole(path);
    return whole !== undefined && promisesData(whole) && !this.numbers.has(whole) ? baseName(whole) : null;
  }

  /** A reader that makes the best of what it finds reports the consequences: where there is an everyday reason, that is the finding. */
  private async explainFindings(source: ByteSource, part: FilePart, sink: PartsSink): Promise<void> {
    const impostor = await impostorOf(source, sink);
    if (impostor === undefined) return;
    part.isUnreadable = true;
    sink.withdrawFindings();
    sink.finding(impostor);
  }

  /** Names the everyday reason where there is one; else what the parser stumbled over. The file's bytes stay in the account. */
  private async noteFailure(error: unknown, source: ByteSource | undefined, part: FilePart, sink: PartsSink): Promise<void> {
    const finding = findingOfError(error, 'file');
    if (part.isUnreadable === true && FormatError.is(error, 'io')) return;
    part.isUnreadable = true;
    if (!FormatError.is(error)) return sink.finding(finding);
    const isLooked = source !== undefined && error.code !== 'io';
    const impostor = error instanceof ImpostorError ? error.finding : isLooked ? await impostorOf(source, sink) : undefined;
    if (impostor !== undefined || error.code !== 'limit-exceeded') part.component = 'unexplained';
    if (impostor !== undefined) sink.withdrawFindings();
    if (impostor === undefined && finding.code === 'file-not-its-format' && isAnyBinary(part)) {
      Object.assign(part, { role: 'unrecognised', format: 'unknown' } satisfies Partial<FilePart>);
      return sink.finding({ code: 'binary-not-recognised', offset: 0 });
    }
    sink.finding(impostor ?? finding);
  }
}

/** What bytes import that were expected to be text. It is the file's turn. */
async function reportPickle(bytes: Uint8Array, path: string, sink: FileSink): Promise<void> {
  const imports = new FileImports(sink);
  await imports.scanContent(bytes, path, 0);
  await imports.report(sink);
}

async function noteAll(findings: readonly FileFinding[], sink: FileSink): Promise<void> {
  await sink.turn();
  for (const finding of findings) sink.finding(finding);
}

function headOf(source: ByteSource, signal: AbortSignal | undefined): Promise<Uint8Array> {
  return source.read(0, Math.min(SNIFF_BYTES, source.sizeBytes), signal);
}

const pickledFormats = new Set(['pickle', 'torch-zip', 'torch-legacy']);

function isPickled({ component, format, claims }: FilePart): boolean {
  return component === 'weights' && claims.length === 0 && pickledFormats.has(format);
}

/** Other programs store data in MessagePack, too. The name of a model of transformers promises one. */
function isOtherMsgpack({ path, role, format }: FilePart): boolean {
  return format === 'msgpack' && role === 'flax-state' && !baseName(path).startsWith('flax_model');
}

/** A pickle may hold any object, whatever its name: without a tensor it is no model. */
function describeWithoutTensors(part: FilePart): void {
  if (part.role === 'torch-file') part.role = 'pickled-object';
  if (part.role === 'flax-state') part.role = 'object';
  part.component = 'trainerState';
}

/** `.bin` alone promises nothing: ggml, ncnn, CTranslate2 and tokenizers have files of that name too. */
function isAnyBinary({ path, role }: FilePart): boolean {
  return role === 'torch-file' && path.endsWith('.bin');
}

/** Training scripts of PyTorch's tutorials give what torch.save writes the extension `.tar`. */
function isTorchTarName(path: string, { id }: AnyFormat): boolean {
  return id === 'torch' && path.endsWith('.tar');
}

function noteArchive(source: ByteSource, part: FilePart, sink: FileSink): void {
  part.role = 'archived-checkpoint';
  sink.finding({ code: 'checkpoint-archived', facts: { bytes: source.sizeBytes } });
}

/** Says that a name promises another format than the content has. */
function noteName(promised: string, { id }: AnyFormat, { format }: FilePart, sink: FileSink): void {
  const isUnpickled = id === 'safetensors' && /^(?:torch|bin|pt|pth|ckpt|pkl)$/.test(promised);
  if (isUnpickled) return sink.finding({ code: 'safetensors-under-another-name', offset: 0, facts: { promised } });
  const code = id === 'torch' ? 'pickle-under-another-name' : 'name-of-another-format';
  sink.finding({ code, offset: 0, facts: { promised, found: format } });
}

/** Findings of single files, by path, without those of the save that they are part of. */
function findingsByPath(findings: readonly Finding[]): Map<string, Finding[]> {
  const byPath = new Map<string, Finding[]>();
  for (const finding of findings) {
    if (finding.path === undefined || isOfSave(finding.code)) continue;
    const known = byPath.get(finding.path);
    if (known === undefined) byPath.set(finding.path, [finding]);
    else known.push(finding);
  }
  return byPath;
}

/** False for files of which neither the name nor a rule says that they hold data: an empty one is a mark of its program. */
function isPromisedByName({ path, format }: FilePart): boolean {
  return format !== 'unknown' || promisesData(path);
}

async function impostorOf(source: ByteSource, sink: FileSink): Promise<FileFinding | undefined> {
  try {
    return await findImpostor(source, sink.signal);
  } catch (error) {
    if (FormatError.is(error, 'cancelled') || !FormatError.is(error)) throw error;
    return undefined;
  }
}

/** A hard link counts 0 bytes where its file is listed under another name, and some file systems count none for any file. */
function isSparse({ allocatedBytes = 0, sizeBytes }: FileEntry): boolean {
  return allocatedBytes > 0 && allocatedBytes < sizeBytes;
}
