/** Reads what a file has by its role, and by its first bytes where the name tells nothing or something else. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { readWhole } from '../../bytes/readWhole.js';
import { byteOrderMark } from '../../bytes/text.js';
import { readablePattern } from '../../files/readableFiles.js';
import { isArchiveName, isCheckpointArchive, isCheckpointZip } from '../../formats/checkpointArchive.js';
import { SNIFF_BYTES } from '../../formats/fileFormat.js';
import { refuseImpostor } from '../../formats/impostor.js';
import { FileImports } from '../../formats/pickle/imports/fileImports.js';
import type { FileSink } from '../../formats/sink/fileSink.js';
import { jsonErrorInWords } from '../../formats/text/jsonError.js';
import { jsonFileValue } from '../../formats/text/jsonValue.js';
import { codeOfJson } from '../codeFiles.js';
import { fileFormatOf, formatInstead, sniffFormat } from '../fileFormats.js';
import type { FilePart } from '../parts.js';
import type { PartsSink } from '../partsSink.js';
import type { FileRole } from '../roles/fileRule.js';
import { isAnyBinary, isTorchTarName, noteArchive, noteName, isPromisedByName, type AnyFormat } from './promisedNames.js';
import type { ReadState } from './readState.js';

export class ContentReader {
  constructor(private readonly state: ReadState) {}

  async readByRole(source: ByteSource, part: FilePart, role: FileRole, sink: PartsSink): Promise<void> {
    if (role.reader === 'json') await this.readJson(source, part, sink);
    else if (role.reader === 'index') await this.readIndex(source, part, sink);
    else if (role.reader === 'text') await this.readText(source, part, sink);
    else if (role.reader === 'sniff' || role.reader === 'none') await this.sniff(source, part, sink);
    else await this.readNamed(fileFormatOf(role.reader), source, part, sink);
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
    part.format = await format.read(source, sink, this.state.context.roles);
    part.layout = format.layout ?? 'unknown';
  }

  /** The name is unknown: the first bytes may still tell. */
  private async sniff(source: ByteSource, part: FilePart, sink: PartsSink): Promise<void> {
    const isArchive = isArchiveName(part.path) && (await isCheckpointArchive(source, sink.signal));
    const sniffed = isArchive ? undefined : sniffFormat(await headOf(source, sink.signal));
    if (sniffed === undefined) {
      if (isPromisedByName(part)) await refuseImpostor(source, sink.signal);
      const imports = new FileImports(this.state.context);
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
      this.state.side.json.set(part.path, root);
      this.state.parts.objects.push({ path: part.path, value: { kind: 'json', root } });
      const code = codeOfJson(source, part.path, root, (file) => this.state.placeOf(part.path, file));
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
    this.state.side.indexes.set(part.path, bytes);
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
    this.state.side.texts.set(part.path, new TextDecoder().decode(bytes).trim());
  }
}

/** What bytes import that were expected to be text. It is the file's turn. */
async function reportPickle(bytes: Uint8Array, path: string, sink: FileSink): Promise<void> {
  const imports = new FileImports(sink);
  await imports.scanContent(bytes, path, 0);
  await imports.report(sink);
}

function headOf(source: ByteSource, signal: AbortSignal | undefined): Promise<Uint8Array> {
  return source.read(0, Math.min(SNIFF_BYTES, source.sizeBytes), signal);
}
