/** Reads one file of a listing by its role. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import type { FileEntry } from '../../files/fileTree.js';
import { mayBeLfsPointer } from '../../files/lfsPointer.js';
import { openFile, withFile } from '../../files/openFiles.js';
import type { FileFinding } from '../../findings/finding.js';
import { isPathConfigurationName, readPathConfiguration } from '../../formats/loaderCode/pathConfiguration.js';
import { FileImports } from '../../formats/pickle/imports/fileImports.js';
import type { FileSink } from '../../formats/sink/fileSink.js';
import { codeReaderOf, type CodeReader } from '../codeFiles.js';
import type { FilePart } from '../parts.js';
import type { PartsSink } from '../partsSink.js';
import { isClosed, type FileUnit } from '../readUnits.js';
import type { FileRole } from '../roles/fileRule.js';
import { noteClosed } from './closedFiles.js';
import { ContentReader } from './contentReader.js';
import type { HoleSearch } from './holes.js';
import { isPickled, isOtherMsgpack, describeWithoutTensors } from './promisedNames.js';
import { explainFindings, noteFailure } from './readFailure.js';
import type { ReadState } from './readState.js';

export class FileReader {
  private plainNamesLeft: number = limits.plainNamesSniffed;
  private readonly content: ContentReader;

  constructor(
    private readonly state: ReadState,
    private readonly holes: HoleSearch,
  ) {
    this.content = new ContentReader(state);
  }

  async readEntry({ entry, index, role, original }: FileUnit, turn: () => Promise<void>): Promise<string> {
    const part = this.state.addPart(entry, index, role);
    if (entry.link?.isDirectory === true)
      Object.assign(part, { format: 'directory', role: 'directory-link', component: 'container' } satisfies Partial<FilePart>);
    const codeReader = entry.sizeBytes > 0 && !this.state.left.has(entry) ? codeReaderOf(entry.path) : undefined;
    if (
      isClosed(entry) ||
      this.state.left.has(entry) ||
      (role.reader === 'none' && codeReader === undefined && (await this.mayStayClosed(entry.path, entry.sizeBytes)))
    ) {
      const sink = this.state.sinkFor(part, index, role, turn);
      try {
        const imports = this.state.left.has(entry) || role.reader !== 'none' ? undefined : await this.importsOfPlain(entry, role);
        await turn();
        await imports?.report(sink);
      } catch (error) {
        await turn();
        await noteFailure(error, undefined, part, sink);
      }
      noteClosed(this.state, entry, part, original);
      return entry.path;
    }
    const sink = this.state.sinkFor(part, index, role, turn);
    let source: ByteSource | undefined;
    try {
      source = await openFile(this.state.context, entry.path);
      if (role.reader !== 'none' || codeReader === undefined) await this.readSource(source, entry, part, role, sink);
      else await this.scanPlain(source, entry.path, sink);
      if (codeReader !== undefined && role.reader !== 'json') await this.readCode(codeReader, source, sink);
      if (sink.hasFindings) await explainFindings(source, part, sink);
      if (!sink.holdsTensors && (isPickled(part) || isOtherMsgpack(part))) describeWithoutTensors(part);
    } catch (error) {
      await turn();
      await noteFailure(error, source, part, sink);
    } finally {
      await source?.close();
    }
    return entry.path;
  }

  /** A file that is left closed for its name may be a pointer as any other; one that cannot be opened to see says so when it is read. */
  private async mayStayClosed(path: string, sizeBytes: number): Promise<boolean> {
    if (!mayBeLfsPointer(sizeBytes)) return true;
    try {
      await withFile(this.state.context, path, () => Promise.resolve());
      return true;
    } catch {
      return false;
    }
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
    const imports = new FileImports(this.state.context);
    await withFile(this.state.context, entry.path, (source) => imports.scanPart(source, entry.path, 0));
    return imports;
  }

  /** What a file imports that is open already. */
  private async scanPlain(source: ByteSource, path: string, sink: PartsSink): Promise<void> {
    const imports = new FileImports(this.state.context);
    await imports.scanPart(source, path, 0);
    await sink.turn();
    await imports.report(sink);
  }

  private async readSource(source: ByteSource, entry: FileEntry, part: FilePart, role: FileRole, sink: PartsSink): Promise<void> {
    // The file was written to since it was listed: what is there now counts.
    const hasChanged = source.sizeBytes !== entry.sizeBytes;
    part.sizeBytes = source.sizeBytes;
    if (role.reader === 'json' || role.reader === 'index') part.checks = '';
    if (isPathConfigurationName(part.path)) await this.readPathConfiguration(source, part, role, sink);
    else await this.content.readByRole(source, part, role, sink);
    await this.holes.noteHoles(source, entry, sink);
    if (hasChanged) sink.finding({ code: 'file-changed', facts: { expectedBytes: entry.sizeBytes, bytes: source.sizeBytes } });
  }

  /** What the file names, or holds, that a loader runs. */
  private async readCode(reader: CodeReader, source: ByteSource, sink: PartsSink): Promise<void> {
    const { path, signal } = sink;
    const findings = await reader({ path, source, placeOf: (file) => this.state.placeOf(path, file), signal });
    await sink.turn();
    for (const finding of findings) sink.finding(finding);
  }

  /** A file of PyTorch that may be one of Python's path configurations as well, or nothing else. */
  private async readPathConfiguration(source: ByteSource, part: FilePart, role: FileRole, sink: PartsSink): Promise<void> {
    const found = await readPathConfiguration(source, sink.signal);
    try {
      await this.content.readByRole(source, part, role, sink);
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
}

async function noteAll(findings: readonly FileFinding[], sink: FileSink): Promise<void> {
  await sink.turn();
  for (const finding of findings) sink.finding(finding);
}
