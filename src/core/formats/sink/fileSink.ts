import type { UnpackBudget } from '../../bytes/unpackBudget.js';
import type { FileFinding } from '../../findings/finding.js';
import type { ComponentId, TensorPart } from '../../tensors/component.js';
import type { NewTensor, TensorTable } from '../../tensors/tensorTable.js';
import type { PickleImportName } from '../pickle/imports/importCollector.js';
import type { PickleValue } from '../pickle/pickleValue.js';

/** A tensor's place in training state. */
export interface Classification {
  component: ComponentId;
  part: TensorPart;
}

/** Decides by the key path as stored (`['optimizer', 'state', '0', 'exp_avg']`); a flat name is a path of one. */
export type Classifier = (keyPath: readonly string[]) => Classification;

/** Where (a part of) a tensor lies: a whole storage, which other tensors may share. */
export interface FoundPiece {
  offset: number;
  bytes: number;
  /** The file that holds it, by its position in the listing; the sink's own where absent. */
  file?: number;
  /** Bytes that it holds uncompressed, where that differs. */
  logicalBytes?: number;
}

export interface FoundTensor extends Omit<NewTensor, 'component' | 'part' | 'name'> {
  keyPath: readonly string[];
  /** As the format writes key paths, where that is not joined with dots. */
  name?: string;
  pieces: FoundPiece[];
  /** True for one rank's share of a tensor whose `shape` is the global one. */
  isShard?: boolean;
}

/**
 * Where a format puts what it finds in one file. The layout that opened the file made the sink and so decides what tensors are;
 * the format knows nothing of directories.
 */
export interface FileSink {
  /** Position of the file in the listing; what a tensor's pieces refer to. */
  readonly file: number;
  readonly path: string;
  readonly tensors: TensorTable;
  readonly signal: AbortSignal | undefined;
  readonly unpackBudget: UnpackBudget;
  /** A component where all tensors of the file are the same, else a function of the key path. */
  readonly classify: ComponentId | Classifier;
  /** True where tensors are views of buffers with padding between them: what no tensor covers is not theirs. */
  readonly isPadded?: boolean;
  /**
   * Resolves when all files before this one are done. A reader awaits it once, after its reads and before it puts anything in, so
   * that rows and findings are in the files' order however the reads overlap.
   */
  turn(): Promise<void>;
  /** A tensor with its pieces; the slow way for formats that make objects anyhow. */
  tensor(tensor: FoundTensor): void;
  /** Bytes of the file that belong to a component without being a listed tensor: hidden buffers, side files in an archive. */
  claim(offset: number, bytes: number, component: ComponentId): void;
  finding(finding: FileFinding): void;
  /** Bytes of the file that no part of the format refers to. */
  unexplained(offset: number, bytes: number): void;
  /** A pickled object, kept to be shown and searched for settings. `name` tells several of one file apart. */
  object(root: PickleValue, name?: string): void;
  /** Settings that a file holds in another form than a pickle: the key-values of a GGUF, a YAML file. */
  json(root: unknown, name?: string): void;
  /** A global that a pickle of this file names. */
  pickleImport(name: PickleImportName): void;
  /** A text of the file's own metadata, such as `format` = `pt`. */
  metadata(key: string, value: string): void;
}

/** The component of a tensor: the sink's constant, or what its function says. */
export function classify(sink: FileSink, keyPath: readonly string[]): Classification {
  return typeof sink.classify === 'string' ? { component: sink.classify, part: 'whole' } : sink.classify(keyPath);
}
