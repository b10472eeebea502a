/** Types of blocks, by the names that reports have. */
import { chunkElements, type NumberDecoder } from '../numberAccumulator.js';
import type { BlockType } from './blockType.js';
import { gridBlocks } from './gridBlocks.js';
import { smallBlocks } from './smallBlocks.js';
import { superBlocks } from './superBlocks.js';

const blockTypes: Readonly<Record<string, BlockType>> = { ...smallBlocks, ...superBlocks, ...gridBlocks };

/** Decoder of a type of blocks; undefined for others. */
export function blockDecoder(dtype: string): NumberDecoder | undefined {
  const type = Object.hasOwn(blockTypes, dtype) ? blockTypes[dtype] : undefined;
  if (type === undefined) return undefined;
  const { elements, bytes: blockBytes } = type;
  const values = new Float32Array(chunkElements);
  return {
    unitBytes: blockBytes,
    unitElements: elements,
    precision: 'f32',
    decode(bytes) {
      const blocks = bytes.byteLength / blockBytes;
      for (let block = 0; block < blocks; block++) type.decode(bytes, block * blockBytes, values, block * elements);
      return values.subarray(0, blocks * elements);
    },
  };
}

export function isBlockType(dtype: string): boolean {
  return Object.hasOwn(blockTypes, dtype);
}
