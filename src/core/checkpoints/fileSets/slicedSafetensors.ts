/**
 * safetensors files that each hold one rank's slices: `shard-<rank>-model-<i>-of-<n>.safetensors`, as the Hugging Face writer of
 * torch.distributed.checkpoint makes them (torch/distributed/checkpoint/hf_storage.py). The header's DCP_SHARDING_INFO says where in
 * the whole tensor each slice begins.
 */
import { elementCount } from '../../bytes/checkedInteger.js';
import { baseName } from '../../files/paths.js';
import type { FileSink } from '../../formats/sink/fileSink.js';
import { sinkWith } from '../../formats/sink/sinkWith.js';
import { readSafetensors } from '../../formats/safetensors/safetensors.js';
import { bytesOfElements } from '../../tensors/dtype.js';
import { TensorTable } from '../../tensors/tensorTable.js';
import type { FileSetAccess, FileSetFormat } from './fileSet.js';
import { memberOf } from '../../formats/text/jsonMember.js';
import { jsonValue } from '../../formats/text/jsonValue.js';

const sliceFile = /^shard-(\d{5,7})-.+\.safetensors$/s;

/** The rank that wrote a slice file, counted from 0; the files count from 1. */
export function rankOfSliceFile(path: string): number | undefined {
  const rank = sliceFile.exec(baseName(path))?.[1];
  return rank === undefined ? undefined : Math.max(0, Number(rank) - 1);
}

export const slicedSafetensors: FileSetFormat = {
  id: 'safetensors',
  checks: 'safetensors slices: headers, slices against the whole shapes',
  find(listing) {
    return [...listing.directories].flatMap(([root, paths]) => {
      const slices = paths.filter((path) => sliceFile.test(baseName(path)));
      return slices.length === 0 ? [] : [{ root, paths: slices }];
    });
  },
  async read(set, access) {
    await access.turn();
    const gathered = new Map<string, Sliced>();
    for (const path of set.paths) {
      access.describe(path, { role: 'model-weights-of-rank', rank: String(rankOfSliceFile(path) ?? 0) });
      await readSlices(path, access, gathered);
    }
    const sink = access.sinkOf(set.paths[0] as string);
    for (const [name, sliced] of gathered) addTensor(name, sliced, sink);
  },
};

/** The slices of one tensor, put together. */
interface Sliced {
  dtype: string;
  shape: number[];
  bytes: number;
  pieces: { file: number; offset: number; bytes: number }[];
}

async function readSlices(path: string, access: FileSetAccess, gathered: Map<string, Sliced>): Promise<void> {
  const table = new TensorTable();
  let sharding: unknown;
  const sink = access.sinkOf(path);
  const scratch = sinkWith(sink, {
    tensors: table,
    metadata(key, value) {
      sink.metadata(key, value);
      if (key === 'DCP_SHARDING_INFO') sharding = parseJson(value);
    },
  });
  await access.guard(path, () => access.withSource(path, (source) => readSafetensors(source, scratch)));
  for (let row = 0; row < table.size; row++) addSlice(table, row, savedOffsets(sharding, table.nameOf(row)), gathered);
}

function addSlice(table: TensorTable, row: number, offsets: readonly number[], gathered: Map<string, Sliced>): void {
  const name = table.nameOf(row);
  const dtype = table.dtypeOf(row);
  const end = table.shapeOf(row).map((size, dimension) => size + (offsets[dimension] ?? 0));
  const known = gathered.get(name);
  const sliced = known ?? { dtype, shape: end, bytes: 0, pieces: [] };
  gathered.set(name, sliced);
  sliced.shape = sliced.shape.map((size, dimension) => Math.max(size, end[dimension] ?? 0));
  sliced.bytes += table.bytesOf(row);
  for (let piece = table.firstPieceOf(row); piece < table.endPieceOf(row); piece++)
    sliced.pieces.push({ file: table.pieceFile(piece), offset: table.pieceOffset(piece), bytes: table.pieceSize(piece) });
}

function addTensor(name: string, { dtype, shape, bytes, pieces }: Sliced, sink: FileSink): void {
  const elements = elementCount(shape);
  const whole = elements === undefined ? undefined : bytesOfElements(dtype, elements);
  if (whole !== undefined && bytes < whole)
    sink.finding({ code: 'tensor-slices-missing', facts: { tensor: name, bytes, expectedBytes: whole } });
  sink.tensor({ keyPath: [name], dtype, shape, bytes: whole ?? bytes, pieces });
}

function savedOffsets(sharding: unknown, name: string): readonly number[] {
  const offsets = memberOf(memberOf(sharding, name), 'saved_offsets');
  const isOffsets = Array.isArray(offsets) && offsets.every((value) => Number.isSafeInteger(value) && value >= 0);
  return isOffsets ? (offsets as number[]) : [];
}

function parseJson(text: string): unknown {
  try {
    return jsonValue(text);
  } catch {
    // Without it the slices are read as whole tensors, and the finding about missing slices does not come.
    return undefined;
  }
}
