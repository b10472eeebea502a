/** Reads the files of a set through the format of the set. */
import { appendAll } from '../../bytes/appendAll.js';
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import type { FileEntry } from '../../files/fileTree.js';
import { LfsPointerError, mayBeLfsPointer } from '../../files/lfsPointer.js';
import { withFile } from '../../files/openFiles.js';
import type { FileFinding, Finding } from '../../findings/finding.js';
import { findingOfError } from '../../findings/findingOfError.js';
import { ImpostorError } from '../../findings/impostorError.js';
import { isOfSave } from '../../findings/saveFindings.js';
import { findImpostor } from '../../formats/impostor.js';
import { scanPicklesInstead } from '../../formats/pickle/imports/picklesBeside.js';
import type { FoundFileSet } from '../fileSets/fileSets.js';
import type { FilePart } from '../parts.js';
import { PartsSink } from '../partsSink.js';
import { leftClosed, type FileUnit } from '../readUnits.js';
import { noteClosed } from './closedFiles.js';
import type { FileReader } from './fileReader.js';
import type { HoleSearch } from './holes.js';
import { noteFailure } from './readFailure.js';
import type { ReadState } from './readState.js';

export class SetReader {
  /** Files of sets whose first bytes may still be looked at. */
  private setFilesLeft: number = limits.picklesInstead;

  constructor(
    private readonly state: ReadState,
    private readonly files: FileReader,
    private readonly holes: HoleSearch,
  ) {}

  /** Reads a set of files. Where its marker cannot be read the others stay unexplained. */
  async readSet({ format, set }: FoundFileSet, turn: () => Promise<void>): Promise<string> {
    const paths = set.paths.filter((path) => this.state.numbers.has(path));
    const parts = new Map(paths.map((path) => [path, this.addSetPart(path, format.id)]));
    const marker = paths[0] as string;
    const markerPart = parts.get(marker) as FilePart;
    const sinks = new Map<string, PartsSink>();
    const sinkOf = (path: string): PartsSink => {
      const known = sinks.get(path);
      if (known !== undefined) return known;
      const part = parts.get(path) ?? markerPart;
      const number = this.state.numbers.get(part.path) as number;
      const sink = new PartsSink(this.state.shared, { part, number, role: this.state.roles.of(path), isOfSet: true, turn });
      sinks.set(path, sink);
      return sink;
    };
    const givenBack = new Set<string>();
    const failed = new Map<unknown, string>();
    const opened = async <T>(path: string, use: (source: ByteSource) => Promise<T>): Promise<T> => {
      try {
        return await withFile(this.state.context, path, use);
      } catch (error) {
        // Of an unreadable file the set need not be named by its marker.
        if (FormatError.is(error, 'io')) failed.set(error, path);
        throw error;
      }
    };
    try {
      await format.read(set, {
        signal: this.state.context.signal,
        unpackBudget: this.state.context.unpackBudget,
        entry: (path) => this.state.context.entries[this.state.numbers.get(path) ?? -1],
        fileNumber: (path) => this.state.numbers.get(path),
        read: (path, offset, length) => opened(path, (source) => source.read(offset, length, this.state.context.signal)),
        withSource: opened,
        sinkOf,
        describe: (path, facts) => Object.assign(parts.get(path) ?? {}, facts),
        giveBack: (path) => givenBack.add(path),
        turn,
        guard: async (path, work) => {
          try {
            await work();
          } catch (error) {
            await noteFailure(error, undefined, parts.get(path) ?? markerPart, sinkOf(path));
          }
        },
        onProgress: (path) => this.state.context.onFile(path, 0, this.state.context.entries.length),
      });
      for (const path of givenBack) parts.delete(path);
      for (const part of parts.values()) part.checks = format.checks;
    } catch (error) {
      await turn();
      markerPart.checks = format.checks;
      const path = failed.get(error) ?? marker;
      await noteFailure(error, undefined, parts.get(path) ?? markerPart, sinkOf(path));
      for (const part of parts.values()) if (part.component === 'weights') part.component = 'unexplained';
    }
    await this.explainSet([...parts.values()], sinkOf);
    await this.holes.noteHolesOfSet([...parts.values()], sinkOf);
    for (const [path, part] of parts)
      noteClosed(this.state, this.state.context.entries[this.state.numbers.get(path) as number] as FileEntry, part);
    await this.scanSet(parts, sinkOf);
    await this.readGivenBack([...givenBack], turn);
    return marker;
  }

  /** Pickles in place of the files of a set: what is raw data to its reader is opened by other programs as well. */
  private async scanSet(parts: ReadonlyMap<string, FilePart>, sinkOf: (path: string) => PartsSink): Promise<void> {
    const scanned = new Set(this.state.parts.imports.items().flatMap(({ paths }) => [...paths]));
    const entries = [...parts.keys()]
      .filter((path) => !scanned.has(path))
      .map((path) => this.state.context.entries[this.state.numbers.get(path) as number] as FileEntry);
    const most = this.setFilesLeft;
    this.setFilesLeft = Math.max(0, most - entries.length);
    const { findings, unreadable } = await scanPicklesInstead(this.state.context, entries, { isRaw: true, most });
    for (const finding of findings) if (finding.path !== undefined) sinkOf(finding.path).finding(finding);
    for (const { path, error } of unreadable) await noteFailure(error, undefined, parts.get(path) as FilePart, sinkOf(path));
  }

  /** Files that a set might have referred to, each as if there were no set. */
  private async readGivenBack(paths: readonly string[], turn: () => Promise<void>): Promise<void> {
    const units = paths.map((path): FileUnit => {
      const index = this.state.numbers.get(path) as number;
      return { kind: 'file', entry: this.state.context.entries[index] as FileEntry, index, role: this.state.roles.of(path) };
    });
    for (const entry of leftClosed(units)) this.state.left.add(entry);
    for (const unit of units) await this.files.readEntry(unit, turn);
  }

  /**
   * Sets leave most of their data closed. What is found of those whose data are not here follows from what is in place of them: a pointer
   * is too short for its tensors, a web page is no index.
   */
  private async explainSet(parts: readonly FilePart[], sinkOf: (path: string) => PartsSink): Promise<void> {
    const own = findingsByPath(this.state.parts.findings);
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
        await noteFailure(error, undefined, part, sinkOf(part.path));
      }
    }
    if (explained.size === 0) return;
    const left = this.state.parts.findings.filter(
      ({ code, path }) => isOfSave(code) || path === undefined || !explained.has(path),
    );
    this.state.parts.findings.length = 0;
    appendAll(this.state.parts.findings, left);
    for (const part of parts)
      if (explained.has(part.path)) await noteFailure(explained.get(part.path), undefined, part, sinkOf(part.path));
  }

  /** What is in place of the data of a file, or why it cannot be opened where that is not a finding already. */
  private async impostorAt({ path }: FilePart, isDamaged: boolean): Promise<FileFinding | undefined> {
    try {
      return await withFile(this.state.context, path, (source) =>
        isDamaged ? findImpostor(source, this.state.context.signal) : Promise.resolve(undefined),
      );
    } catch (error) {
      if (error instanceof LfsPointerError) return findingOfError(error, 'file');
      if (!FormatError.is(error) || error.code === 'cancelled') throw error;
      return isDamaged ? undefined : findingOfError(error, 'file');
    }
  }

  private addSetPart(path: string, format: string): FilePart {
    const index = this.state.numbers.get(path) as number;
    return this.state.addPart(this.state.context.entries[index] as FileEntry, index, {
      format,
      role: 'tensor-data',
      component: 'weights',
    });
  }
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
