/** Which tensors of one name are the same: equal names in different directories, or in files whose values differ, are not. */
import { NameIndex } from '../tensors/nameIndex.js';
import { nameScopeOf } from './nameScope.js';
import type { Parts } from './parts.js';

/** Numbers for the scopes of names. The root is 0. */
export class TensorScopes {
  private readonly numbers = new Map<string, number>([['', 0]]);
  private readonly ofFile: Int32Array;
  readonly scopeOf: (row: number) => number;

  /** @param groupOf a name for files of one scope that are no copies of others in it; empty for all others */
  constructor({ files, tensors }: Parts, groupOf: (path: string) => string = () => '') {
    this.ofFile = Int32Array.from(files, ({ path }) => {
      const group = groupOf(path);
      return this.numberOf(group === '' ? nameScopeOf(path) : `${nameScopeOf(path)}\n${group}`);
    });
    const isFlat = this.numbers.size === 1;
    this.scopeOf = (row) => {
      if (isFlat) return 0;
      const piece = tensors.firstPieceOf(row);
      return piece < tensors.endPieceOf(row) ? (this.ofFile[tensors.pieceFile(piece)] ?? 0) : 0;
    };
  }

  numberOf(directory: string): number {
    const known = this.numbers.get(directory);
    if (known !== undefined) return known;
    this.numbers.set(directory, this.numbers.size);
    return this.numbers.size - 1;
  }
}

/** The tensors of a checkpoint by name, with what was found out about copies. */
export interface NamedTensors {
  scopes: TensorScopes;
  names: NameIndex;
}

export function nameTensors(parts: Parts, groupOf?: (path: string) => string): NamedTensors {
  const scopes = new TensorScopes(parts, groupOf);
  return { scopes, names: new NameIndex(parts.tensors, scopes.scopeOf) };
}
