/** Payload of a checkpoint by directory, from which the memory and the disk of a conversion follow. */
import type { Parts } from '../../checkpoints/parts.js';
import { sharedBytes } from '../sharedBytes.js';
import { parentPath } from '../../files/paths.js';

/** Payload of the tensors whose files are in one directory. */
export interface DirectoryBytes {
  all: number;
  weights: number;
  weightElements: number;
  /** Of the weights, those of tensors with one axis or none. */
  vectorElements: number;
  /** 32-bit weights, and the state of the optimizer. */
  masters: number;
  moments: number;
}

export const noBytes: DirectoryBytes = { all: 0, weights: 0, weightElements: 0, vectorElements: 0, masters: 0, moments: 0 };

/** By the directory of the file that a tensor begins in. */
export function bytesByDirectory(parts: Parts): Map<string, DirectoryBytes> {
  const { tensors, files } = parts;
  const sums = new Map<string, DirectoryBytes>();
  const ofFiles: (DirectoryBytes | undefined)[] = [];
  for (let row = 0; row < tensors.size; row++) {
    const piece = tensors.firstPieceOf(row);
    if (piece >= tensors.endPieceOf(row)) continue;
    const file = tensors.pieceFile(piece);
    const sum = ofFiles[file] ?? sumOf(sums, parentPath(files[file]?.path ?? ''));
    ofFiles[file] = sum;
    const bytes = tensors.bytesOf(row);
    const component = tensors.componentOf(row);
    sum.all += bytes;
    if (component === 'masterWeights') sum.masters += sharedBytes(parts, row);
    else if (component === 'optimizer') sum.moments += sharedBytes(parts, row);
    else if (component === 'weights') {
      sum.weights += bytes;
      const elements = tensors.elementsOf(row);
      sum.weightElements += elements;
      if (tensors.rankOf(row) <= 1) sum.vectorElements += elements;
    }
  }
  return sums;
}

function sumOf(sums: Map<string, DirectoryBytes>, directory: string): DirectoryBytes {
  const sum = sums.get(directory) ?? { ...noBytes };
  sums.set(directory, sum);
  return sum;
}

/** Bytes of an element in bfloat16, to which some programs cast. */
export const halfBytes = 2;

/** Of one in 32 bits. */
export const fullBytes = 4;
