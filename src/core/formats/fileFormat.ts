/** What there is to know of one format of single files. Its reader, the menus, the editors and the roles of its files follow from it. */
import type { ByteSource } from '../bytes/byteSource.js';
import type { NamePattern } from '../files/namePattern.js';
import type { RoleId } from '../files/roleLabels.js';
import type { LayoutId } from '../text/frameworkLabels.js';
import type { ComponentId } from '../tensors/component.js';
import type { Classifier, FileSink } from './sink/fileSink.js';

/** What the tensors of a file are: all the same, or by their key path. */
export type TensorRule = ComponentId | Classifier;

/** What tells the role of a file by its path, as far as formats need it: for the members of an archive, and for data files beside an index. */
export interface RolesByName {
  of(path: string): { role: RoleId; component: ComponentId; reader: string; tensors: TensorRule };
}

export interface FileFormat<Id extends string> {
  /** By which rules of roles name it. */
  readonly id: Id;
  /** As reports call it, where a damaged file cannot say more itself. Default: the id. */
  readonly label?: string;
  /** Names of its files. Absent for a format that the names of a framework, or the first bytes, tell. */
  readonly names?: readonly NamePattern[];
  /** What a file with such a name is for, unless a rule for whole names says more. */
  readonly role: RoleId;
  readonly component: ComponentId;
  /** Default: the component. */
  readonly tensors?: TensorRule;
  /** How a file with an unknown name is recognised, and one with the name of another format. */
  readonly content?: FileContent;
  /** The layout of such files alone. Without one, reports call them what `read` returns. */
  readonly layout?: LayoutId;
  /** What reading one compares, for the checks of a report: `GGUF: header, offsets of tensors, file size`. */
  readonly checks: string;
  /** Lists what the file holds into the sink; returns what kind of file it is. `roles` are for the members of an archive. Throws FormatError. */
  read(source: ByteSource, sink: FileSink, roles: RolesByName): Promise<string>;
}

export interface FileContent {
  /** @param head the first `SNIFF_BYTES` bytes, or the whole of a shorter file */
  matches(head: Uint8Array): boolean;
  /** What such a file is for, where that is not what one with a known name is for. */
  readonly role?: RoleId;
  readonly component?: ComponentId;
  /** Other formats begin with the same bytes: one that turns out to be another is no damage, and is called this. */
  readonly otherwise?: string;
}

/** First bytes that `FileContent.matches` needs. */
export const SNIFF_BYTES = 64;

/** An entry of the list in checkpoints/fileFormats.ts. */
export function defineFormat<const Id extends string>(format: FileFormat<Id>): FileFormat<Id> {
  return format;
}
