import type { ByteSource } from '../../bytes/byteSource.js';
import type { Region, StreamName } from '../passSpec.js';
import type { Damage, Extent, SumKind } from '../verification.js';

/** The sums that a container has of itself, as its index and headers tell. */
export interface ContainerSums {
  by: SumKind[];
  /** To be checked while the file is read, in any order. */
  regions: Region[];
  streams: StreamName[];
  /** What was checked while the index was read. */
  checked: Extent[];
  damage: Damage[];
  /** Why no more is covered; null where there is nothing to say. */
  reason: string | null;
}

/** One file of the listing, and those beside it. */
export interface SumContext {
  /** Relative to the root, with forward slashes. */
  path: string;
  /** The first bytes, at most 64. */
  head: Uint8Array;
  /** Opens another file of the listing, which the caller closes; undefined where there is none of that path. @throws FormatError `io` */
  openOther: (path: string) => Promise<ByteSource | undefined>;
  /** Sizes of all files of the listing by their paths. */
  sizes: ReadonlyMap<string, number>;
  /** Names of the files in a directory of the listing. */
  names: (directory: string) => readonly string[];
  /** What several files of a set need, such as their index, is made by the first that asks for it. */
  once: <Value>(key: string, make: () => Promise<Value>) => Promise<Value>;
  signal: AbortSignal | undefined;
}

/** Finds the sums of one format. */
export interface SumFormat {
  /** True for a file that is of this format by its name and its first bytes. */
  recognises(path: string, head: Uint8Array): boolean;
  /**
   * Reads index and headers.
   * @throws FormatError where these are damaged: the file is then changed
   */
  read(source: ByteSource, context: SumContext): Promise<ContainerSums>;
}

/** Sums of nothing, to be filled. */
export function noSums(): ContainerSums {
  return { by: [], regions: [], streams: [], checked: [], damage: [], reason: null };
}
