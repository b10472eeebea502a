/** Opens the files of a listing through their formats and gathers what they hold. One damaged file is a finding, no more. */
import { countReads, type ReadCounter } from '../bytes/countingSource.js';
import type { ByteSource } from '../bytes/byteSource.js';
import { FormatError, throwIfCancelled } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import type { FileEntry, FileTree } from '../files/fileTree.js';
import { baseName, parentPath } from '../files/paths.js';
import type { FileSink } from '../formats/fileSink.js';
import { findImpostor } from '../formats/impostor.js';
import { isNpy, readNpy } from '../formats/npy.js';
import { readSafetensors } from '../formats/safetensors.js';
import { isPickle, readTorchFile } from '../formats/torchFile.js';
import { isZip } from '../formats/zip.js';
import type { Finding, FindingCode } from '../report/finding.js';
import { classify } from '../formats/fileSink.js';
import { TensorTable } from '../tensors/tensorTable.js';
import type { FileRole } from './fileRole.js';
import { runOrdered } from './orderedPool.js';
import { unknownTopology, type FilePart, type Parts } from './parts.js';
import { rankOfFile, ShardedTensors } from './shardedTensors.js';
import { isTrainingDict } from './stateParts.js';

export interface ReadContext {
  tree: FileTree;
  entries: readonly FileEntry[];
  counter: ReadCounter;
  signal: AbortSignal | undefined;
  /** Called when a file is done. */
  onFile(path: string, done: number, total: number): void;
}

/** Side files that a layout wants to see as they are. */
export interface SideFiles {
  json: Map<string, unknown>;
  /** Raw bytes of index files, scanned by who knows their shape. */
  indexes: Map<string, Uint8Array>;
}

export interface ReadResult {
  parts: Parts;
  side: SideFiles;
}

/** Reads all entries by their roles into new parts. The caller fills in layout, step and topology. */
export async function readFiles(context: ReadContext, roleOf: (path: string) => FileRole): Promise<ReadResult> {
  const reading = new Reading(context);
  let done = 0;
  await runOrdered(context.entries, limits.concurrentReads, async (entry, index, turn) => {
    throwIfCancelled(context.signal);
    await reading.readEntry(entry, index, roleOf(entry.path), turn);
    done += 1;
    context.onFile(entry.path, done, context.entries.length);
  });
  return reading.finish();
}

class Reading {
  private readonly files: FilePart[] = [];
  private readonly sharded = new ShardedTensors();
  private readonly side: SideFiles = { json: new Map(), indexes: new Map() };
  private readonly parts: Parts = {
    layout: 'unknown',
    framework: { name: 'unknown', version: null },
    step: null,
    topology: unknownTopology(),
    tensors: new TensorTable(),
    files: this.files,
    objects: [],
    facts: [],
    imports: new Map(),
    findings: [],
    metadata: new Map(),
  };

  constructor(private readonly context: ReadContext) {}

  finish(): ReadResult {
    this.sharded.addTo(this.parts.tensors);
    return { parts: this.parts, side: this.side };
  }

  async readEntry(entry: FileEntry, index: number, role: FileRole, turn: () => Promise<void>): Promise<void> {
    const part: FilePart = {
      path: entry.path,
      sizeBytes: entry.sizeBytes,
      format: role.format,
      role: role.role,
      component: role.component,
      ...(entry.link === undefined ? {} : { link: entry.link.target }),
      claims: [],
      unexplained: [],
    };
    this.files[index] = part;
    if (entry.link?.isDirectory === true)
      Object.assign(part, { format: 'directory', role: 'link to a directory', component: 'container' });
    const isClosed =
      role.reader === 'none' || entry.link?.isDirectory === true || entry.link?.inside === true || entry.error !== undefined;
    if (isClosed) {
      await turn();
      this.noteClosed(entry, part);
      return;
    }
    const sink = this.sinkOf(part, index, role, turn);
    let source: ByteSource | undefined;
    try {
      source = countReads(await this.context.tree.open(entry.path, this.context.signal), this.context.counter);
      await this.readSource(source, entry, part, role, sink);
    } catch (error) {
      await turn();
      await this.noteFailure(error, source, part, sink);
    } finally {
      await source?.close();
    }
  }

  private async readSource(source: ByteSource, entry: FileEntry, part: FilePart, role: FileRole, sink: FileSink): Promise<void> {
    // The file was written to since it was listed: what is there now counts.
    const hasChanged = source.sizeBytes !== entry.sizeBytes;
    part.sizeBytes = source.sizeBytes;
    switch (role.reader) {
      case 'safetensors':
        part.format = 'safetensors';
        await readSafetensors(source, sink);
        break;
      case 'torch':
        part.format = 'torch-zip';
        part.format = await readTorchFile(source, sink);
        break;
      case 'npy':
        part.format = 'npy';
        await readNpy(source, sink);
        break;
      case 'json':
        await this.readJson(source, part, sink);
        break;
      case 'index':
        part.format = 'json';
        await this.readIndex(source, part, sink);
        break;
      default:
        await this.sniff(source, part, sink);
    }
    if (hasChanged) sink.finding({ code: 'file-changed', facts: { expectedBytes: entry.sizeBytes, bytes: source.sizeBytes } });
  }

  /** A name that nobody knows: the first bytes may still tell. */
  private async sniff(source: ByteSource, part: FilePart, sink: FileSink): Promise<void> {
    const head = await source.read(0, Math.min(64, source.sizeBytes), sink.signal);
    if (isZip(head) || isPickle(head)) {
      await this.sniffTorch(source, part, sink);
    } else if (isNpy(head)) {
      part.format = 'npy';
      part.component = 'weights';
      part.role = 'array';
      await readNpy(source, sink);
    } else {
      await sink.turn();
    }
  }

  /** A zip or a pickle by its first bytes. Other zips (spreadsheets, npz) are no damage: what they hold stays unexplained. */
  private async sniffTorch(source: ByteSource, part: FilePart, sink: FileSink): Promise<void> {
    try {
      part.format = await readTorchFile(source, sink);
      part.component = 'trainerState';
      part.role = 'pickled object';
    } catch (error) {
      if (!FormatError.is(error, 'not-this-format')) throw error;
      part.format = 'zip';
      await sink.turn();
    }
  }

  private async readJson(source: ByteSource, part: FilePart, sink: FileSink): Promise<void> {
    part.format = 'json';
    if (source.sizeBytes > limits.jsonBytes) throw new FormatError('limit-exceeded', `${source.sizeBytes} bytes of JSON`);
    const bytes = await source.read(0, source.sizeBytes, sink.signal);
    await sink.turn();
    try {
      const root: unknown = JSON.parse(new TextDecoder().decode(bytes));
      this.side.json.set(part.path, root);
      this.parts.objects.push({ path: part.path, value: { kind: 'json', root } });
    } catch (error) {
      throw new FormatError('corrupt', error instanceof SyntaxError ? error.message : 'no JSON', { offset: 0, cause: error });
    }
  }

  private async readIndex(source: ByteSource, part: FilePart, sink: FileSink): Promise<void> {
    if (source.sizeBytes > limits.indexBytes) throw new FormatError('limit-exceeded', `${source.sizeBytes} bytes of index`);
    const bytes = await source.read(0, source.sizeBytes, sink.signal);
    await sink.turn();
    this.side.indexes.set(part.path, bytes);
  }

  private noteClosed(entry: FileEntry, part: FilePart): void {
    if (entry.error !== undefined) {
      part.component = 'unexplained';
      this.parts.findings.push({ code: 'file-unreadable', path: entry.path, facts: { detail: entry.error } });
    } else if (part.role === 'left over from an interrupted save') {
      this.parts.findings.push({ code: 'leftover-file', path: entry.path, facts: { bytes: entry.sizeBytes } });
    }
  }

  /** Names the everyday reason where there is one; else what the parser stumbled over. The file's bytes stay in the account. */
  private async noteFailure(error: unknown, source: ByteSource | undefined, part: FilePart, sink: FileSink): Promise<void> {
    if (FormatError.is(error, 'cancelled')) throw error;
    if (!FormatError.is(error)) {
      sink.finding({
        code: 'internal-error',
        facts: { detail: error instanceof Error ? `${error.name}: ${error.message}` : String(error) },
      });
      return;
    }
    const impostor = source === undefined || error.code === 'io' ? undefined : await impostorOf(source, sink);
    if (impostor !== undefined || error.code !== 'limit-exceeded') part.component = 'unexplained';
    sink.finding(
      impostor ?? {
        code: findingOfError[error.code],
        ...(error.offset === undefined ? {} : { offset: error.offset }),
        facts: { detail: error.detail, bytes: part.sizeBytes, expectedBytes: 0, tensors: 0 },
      },
    );
  }

  private sinkOf(part: FilePart, file: number, role: FileRole, turn: () => Promise<void>): FileSink {
    const { parts, sharded } = this;
    const isRankFile = rankOfFile(baseName(part.path)) !== undefined;
    let isParted = false;
    return {
      file,
      path: part.path,
      tensors: parts.tensors,
      signal: this.context.signal,
      classify: role.tensors,
      turn,
      tensor(tensor) {
        const { component: found, part: tensorPart } = classify(this, tensor.keyPath);
        // A number beside the parts of training state (`best_acc1`, `loss`) is no parameter.
        const isNumber = tensor.keyPath.length === 1 && tensor.shape.length === 0;
        const component = isParted && found === 'weights' && isNumber ? 'trainerState' : found;
        if (isRankFile || tensor.isShard === true) {
          sharded.add(parentPath(part.path), file, tensor, component, tensorPart);
          return;
        }
        parts.tensors.add({ ...tensor, name: tensor.keyPath.join('.'), component, part: tensorPart });
        for (const piece of tensor.pieces) parts.tensors.addPiece(file, piece.offset, piece.bytes);
      },
      claim(offset, bytes, component) {
        part.claims.push({ offset, bytes, component });
      },
      finding(finding) {
        parts.findings.push({ ...finding, path: part.path });
      },
      unexplained(offset, bytes) {
        part.unexplained.push({ offset, bytes });
      },
      object(root) {
        isParted = typeof role.tensors !== 'string' && isTrainingDict(root);
        parts.objects.push({ path: part.path, value: { kind: 'pickle', root } });
      },
      pickleImport(name) {
        const paths = parts.imports.get(name) ?? new Set();
        parts.imports.set(name, paths.add(part.path));
      },
      metadata(key, value) {
        const texts = parts.metadata.get(part.path) ?? new Map<string, string>();
        parts.metadata.set(part.path, texts.set(key, value));
      },
    };
  }
}

const findingOfError: Record<FormatError['code'], FindingCode> = {
  'not-this-format': 'file-not-its-format',
  truncated: 'file-truncated',
  corrupt: 'header-corrupt',
  'limit-exceeded': 'header-too-large',
  unsupported: 'unsupported-version',
  io: 'file-unreadable',
  cancelled: 'file-unreadable',
};

async function impostorOf(source: ByteSource, sink: FileSink): Promise<Omit<Finding, 'path'> | undefined> {
  try {
    return await findImpostor(source, sink.signal);
  } catch (error) {
    if (FormatError.is(error, 'cancelled') || !FormatError.is(error)) throw error;
    return undefined;
  }
}
