/** Puts the tensors of a torch object into the sink: each with the extents of its storages, as the container format placed them. */
import { elementCount } from '../../bytes/checkedInteger.js';
import type { StreamCodec } from '../../bytes/chunkCodec.js';
import { limits } from '../../bytes/limits.js';
import { bitsOfDtype } from '../../tensors/dtype.js';
import type { TensorExtra } from '../../tensors/tensorTable.js';
import type { FileSink, FoundPiece } from '../sink/fileSink.js';
import type { PickleResult } from '../pickle/pickleMachine.js';
import type { PickleValue } from '../pickle/pickleValue.js';
import { walkPickle } from '../pickle/walkPickle.js';
import { storageOf, type TorchStorage, type TorchTensor } from './torchTensor.js';

/** Where a container keeps a storage; undefined when it has none of that key. */
export type StorageLocator = (key: string) => StoragePlace | undefined;

interface StoragePlace extends FoundPiece {
  /** Of a compressed one: by what; null where it is not unpacked here. */
  packedBy?: StreamCodec | null;
}

/** A storage and how much of it the tensors of the object use. */
interface StorageUse {
  storage: TorchStorage;
  piece: StoragePlace | undefined;
  usedBytes: number;
  tensor: string;
}

/** Bytes of each storage that a pickle refers to, by key; those of unknown storage classes are left out. */
export function storageSizesOf({ persistents }: PickleResult): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const persistent of persistents) {
    const storage = storageOf(persistent);
    if (storage?.bytes !== undefined) sizes.set(storage.key, storage.bytes);
  }
  return sizes;
}

/** Lists all tensors of `root` and checks their storages against the container. */
export function listTorchTensors(root: PickleValue, locate: StorageLocator, sink: FileSink, isCut = false): void {
  const uses = new Map<string, StorageUse>();
  const useOf = (storage: TorchStorage, keyPath: readonly string[]): StorageUse => {
    const known = uses.get(storage.key);
    if (known !== undefined) return known;
    const use = { storage, piece: locate(storage.key), usedBytes: 0, tensor: keyPath.join('.') };
    uses.set(storage.key, use);
    return use;
  };
  const complete = walkPickle(root, {
    tensor(keyPath, tensor) {
      const pieces: StoragePlace[] = [];
      for (const storage of tensor.storages) {
        const use = useOf(storage, keyPath);
        if (use.piece !== undefined) pieces.push(sink.isPadded === true ? ownExtent(use.piece, tensor) : use.piece);
        // The storages of a wrapper are used whole; its shape is not theirs.
        if (tensor.inner.length === 0) noteUse(use, tensor, keyPath, sink);
        else use.usedBytes = use.storage.bytes ?? 0;
      }
      for (const storage of tensor.hiddenStorages) claimHidden(locate(storage.key), sink);
      sink.tensor({
        keyPath,
        dtype: tensor.dtype,
        shape: tensor.shape.slice(0, limits.tensorRank),
        bytes: tensor.bytes,
        pieces,
        ...(tensor.isShard ? { isShard: true } : {}),
        ...extraOf(tensor, pieces, sink.isPadded !== true),
      });
    },
    hidden(storage) {
      claimHidden(locate(storage.key), sink);
    },
  });
  if (!complete)
    sink.finding({ code: 'pickle-walk-limit', facts: { nodes: limits.pickleWalkNodes, depth: limits.pickleWalkDepth } });
  const all = [...uses.values()];
  if (!isCut) noteMissing(all, sink);
  noteSizes(all, sink);
  for (const use of all) checkUse(use, sink);
}

/** One finding for all storages that are missing: they are so for one reason. */
function noteMissing(uses: readonly StorageUse[], sink: FileSink): void {
  const missing = uses.filter(({ piece, storage }) => piece === undefined && storage.bytes !== 0);
  const [first] = missing;
  if (first === undefined) return;
  const { storage, tensor } = first;
  sink.finding({ code: 'storage-missing', facts: { storage: storage.key, tensor, storages: missing.length } });
}

/** One for all that have another size than the object declares. */
function noteSizes(uses: readonly StorageUse[], sink: FileSink): void {
  const differing = uses.flatMap(({ storage, piece, tensor }) =>
    piece === undefined || storage.bytes === undefined || storage.bytes === plainBytesOf(piece)
      ? []
      : [{ storage: storage.key, tensor, offset: piece.offset, bytes: plainBytesOf(piece), expectedBytes: storage.bytes }],
  );
  const [first] = differing;
  if (first === undefined) return;
  const { offset, ...facts } = first;
  sink.finding({ code: 'storage-size-mismatch', offset, facts: { ...facts, storages: differing.length } });
}

function plainBytesOf({ bytes, logicalBytes = bytes }: StoragePlace): number {
  return logicalBytes;
}

/** The part of a storage that a contiguous tensor takes; all of it for any other, and where it is compressed. */
function ownExtent(storage: StoragePlace, { inner, dtype, shape, strides, storageOffset, bytes }: TorchTensor): StoragePlace {
  if (storage.packedBy !== undefined || inner.length > 0 || (strides !== undefined && !isContiguous(shape, strides)))
    return storage;
  const start = Math.min(Math.max(0, Math.floor((storageOffset * (bitsOfDtype(dtype) ?? 8)) / 8)), storage.bytes);
  return { offset: storage.offset + start, bytes: Math.min(bytes, storage.bytes - start) };
}

function claimHidden(piece: FoundPiece | undefined, sink: FileSink): void {
  if (piece !== undefined) sink.claim(piece.offset, piece.bytes, 'container');
}

/** @param areWhole whether pieces are whole storages, also of contiguous tensors */
function extraOf(tensor: TorchTensor, places: readonly StoragePlace[], areWhole: boolean): { extra?: TensorExtra } {
  const extra: TensorExtra = packingOf(tensor, places);
  if (tensor.strides !== undefined && !isContiguous(tensor.shape, tensor.strides)) extra.strides = tensor.strides;
  const isWhole = areWhole || extra.strides !== undefined;
  if (isWhole && tensor.inner.length === 0 && tensor.storageOffset !== 0) extra.storageOffset = tensor.storageOffset;
  if (tensor.wrapper !== undefined && tensor.wrapper !== 'Parameter') extra.wrapper = tensor.wrapper;
  if (tensor.inner.length > 0) extra.inner = tensor.inner;
  return Object.keys(extra).length === 0 ? {} : { extra };
}

/** Of storages that another program compressed. A tensor that is all of its storage can be unpacked to its numbers. */
function packingOf({ inner, shape, strides, storageOffset, bytes }: TorchTensor, places: readonly StoragePlace[]): TensorExtra {
  const [first, ...others] = places;
  if (places.every(({ packedBy }) => packedBy === undefined)) return {};
  const isAll = inner.length === 0 && storageOffset === 0 && (strides === undefined || isContiguous(shape, strides));
  const codec = first?.packedBy ?? null;
  if (first === undefined || codec === null || others.length > 0 || !isAll || plainBytesOf(first) !== bytes)
    return { isEncoded: true };
  return { isEncoded: true, packing: { codecs: [codec] } };
}

function isContiguous(shape: number[], strides: number[]): boolean {
  let expected = 1;
  for (let index = shape.length - 1; index >= 0; index--) {
    const size = shape[index] ?? 0;
    if (size !== 1 && strides[index] !== expected) return false;
    expected *= Math.max(size, 1);
  }
  return strides.length === shape.length;
}

/** Counts how far into its storage a tensor reaches, and finds one that reaches beyond. */
function noteUse(use: StorageUse, tensor: TorchTensor, keyPath: readonly string[], sink: FileSink): void {
  const itemBytes = (bitsOfDtype(tensor.dtype) ?? 8) / 8;
  const elements = elementCount(tensor.shape) ?? 0;
  use.usedBytes = Math.min(use.usedBytes + tensor.bytes, use.storage.bytes ?? Infinity);
  if (elements === 0) return;
  const reach = tensor.shape.reduce(
    (sum, size, index) => sum + (size - 1) * (tensor.strides?.[index] ?? 0),
    tensor.storageOffset + 1,
  );
  const storageBytes = use.storage.bytes;
  if (storageBytes !== undefined && reach * itemBytes > storageBytes) {
    sink.finding({
      code: 'tensor-out-of-range',
      ...offsetOf(use.piece),
      facts: { tensor: keyPath.join('.'), bytes: reach * itemBytes, expectedBytes: storageBytes },
    });
  }
}

/** A storage has to be worth its bytes. */
function checkUse({ storage, piece, usedBytes, tensor }: StorageUse, sink: FileSink): void {
  if (piece === undefined) return;
  const facts = { storage: storage.key, tensor };
  // The well-known bloated checkpoint: saving a slice saves the whole storage. Small ones are not worth a word.
  if (piece.bytes >= 4096 && usedBytes < piece.bytes / 2) {
    sink.finding({ code: 'view-keeps-large-storage', offset: piece.offset, facts: { ...facts, bytes: piece.bytes, usedBytes } });
  }
}

function offsetOf(piece: FoundPiece | undefined): { offset?: number } {
  return piece === undefined ? {} : { offset: piece.offset };
}
