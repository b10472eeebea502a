/**
 * Weights of nanotron (nanotron/serialize/weights.py): a safetensors file for each parameter and rank, with one tensor called `data`; the
 * parameter's name is in the path, the ranks in the file's name, the whole shape in the header's metadata.
 */
import { baseName, parentPath } from '../../files/paths.js';
import type { FileSink, FoundPiece } from '../../formats/sink/fileSink.js';
import { sinkWith } from '../../formats/sink/sinkWith.js';
import { readSafetensors } from '../../formats/safetensors/safetensors.js';
import { limits } from '../../bytes/limits.js';
import { TensorTable } from '../../tensors/tensorTable.js';
import type { FileSet, FileSetAccess, FileSetFormat } from './fileSet.js';

const rankedName =
  /^model_(.+?)_pp-rank-(\d{1,6})-of-(\d{1,6})_tp-rank-(\d{1,6})-of-(\d{1,6})(?:_exp-rank-(\d{1,6})-of-(\d{1,6}))?\.safetensors$/s;
const wholeName = /^model_(.+)\.safetensors$/s;

export const nanotronFiles: FileSetFormat = {
  id: 'safetensors',
  checks: 'nanotron: headers, slices of ranks against the whole shapes',
  find(listing) {
    const sets = new Map<string, string[]>();
    for (const { path } of listing.entries) {
      const root = rootOf(path);
      if (root === undefined || !wholeName.test(baseName(path))) continue;
      if (listing.entry(root === '' ? MARKER : `${root}/${MARKER}`) === undefined) continue;
      const paths = sets.get(root);
      if (paths === undefined) sets.set(root, [path]);
      else paths.push(path);
    }
    return [...sets].map(([root, paths]): FileSet => ({ root, paths }));
  },
  async read(set, access) {
    await access.turn();
    const gathered = new Map<string, Parameter>();
    for (const path of set.paths) {
      const ranks = ranksOf(path);
      access.describe(path, { role: 'parameter', ...(ranks === undefined ? {} : { rank: `pp ${ranks.pp} · tp ${ranks.tp}` }) });
      await access.guard(path, () => readParameter(path, set.root, ranks, access, gathered));
    }
    const sink = access.sinkOf(set.paths[0] as string);
    for (const [name, parameter] of gathered) addParameter(name, parameter, sink);
  },
};

const MARKER = 'checkpoint_metadata.json';

/** What lies before `model/` in the path. */
function rootOf(path: string): string | undefined {
  if (path.startsWith('model/')) return '';
  const at = path.indexOf('/model/');
  return at === -1 ? undefined : path.slice(0, at);
}

/** Positions of a file among the ranks, and how many there are. */
export interface NanotronRanks {
  pp: number;
  pipeline: number;
  tp: number;
  tensor: number;
  exp: number;
  expert: number;
}

/** The ranks in the name of a weight's file; undefined for one that all ranks share. */
export function ranksOf(path: string): NanotronRanks | undefined {
  const match = rankedName.exec(baseName(path));
  if (match === null) return undefined;
  const [pp, pipeline, tp, tensor, exp, expert] = match.slice(2).map((text) => Number(text ?? '0')) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return { pp, pipeline, tp, tensor, exp, expert: Math.max(1, expert) };
}

/** One parameter, put together from the ranks' files. */
interface Parameter {
  dtype: string;
  shape: number[];
  bytes: number;
  pieces: FoundPiece[];
  /** Tensor-parallel ranks whose slices are here, and how many there have to be. */
  present: Set<number>;
  expected: number;
  example: string;
}

async function readParameter(
  path: string,
  root: string,
  ranks: NanotronRanks | undefined,
  access: FileSetAccess,
  gathered: Map<string, Parameter>,
): Promise<void> {
  const table = new TensorTable();
  const sink = access.sinkOf(path);
  let whole: number[] | undefined;
  const scratch = sinkWith(sink, {
    tensors: table,
    metadata(key, value) {
      if (key === 'unsharded_shape') whole = shapeIn(value);
    },
  });
  await access.withSource(path, (source) => readSafetensors(source, scratch));
  const name = nameOf(path, root);
  for (let row = 0; row < table.size; row++) {
    const piece = table.firstPieceOf(row);
    const found = { file: table.pieceFile(piece), offset: table.pieceOffset(piece), bytes: table.pieceSize(piece) };
    const key = table.nameOf(row) === 'data' ? name : `${name}.${table.nameOf(row)}`;
    const known = gathered.get(key) ?? {
      dtype: table.dtypeOf(row),
      shape: whole ?? table.shapeOf(row),
      bytes: 0,
      pieces: [],
      present: new Set(),
      expected: (ranks?.tensor ?? 1) * (ranks?.expert ?? 1),
      example: path,
    };
    gathered.set(key, known);
    known.bytes += table.bytesOf(row);
    known.pieces.push(found);
    known.present.add((ranks?.exp ?? 0) * (ranks?.tensor ?? 1) + (ranks?.tp ?? 0));
  }
}

/** `(8, 4)`; some versions write `(np.int64(8), 4)`. */
function shapeIn(text: string): number[] {
  return text
    .split(',')
    .flatMap((size) => /(\d{1,15})\)*\s*$/.exec(size)?.[1] ?? [])
    .map(Number)
    .slice(0, limits.tensorRank);
}

/** Directories below `model/` and the parameter's own name, with dots. */
function nameOf(path: string, root: string): string {
  const start = root === '' ? 0 : root.length + 1;
  const directories = parentPath(path).slice(start).split('/').slice(1);
  const own = (rankedName.exec(baseName(path)) ?? wholeName.exec(baseName(path)))?.[1] ?? baseName(path);
  // Some versions put prefix and extension twice: model_model_weight.safetensors_pp-rank-….safetensors.
  return [...directories, own.replace(/^model_/, '').replace(/\.safetensors$/, '')].join('.');
}

function addParameter(
  name: string,
  { dtype, shape, bytes, pieces, present, expected, example }: Parameter,
  sink: FileSink,
): void {
  sink.tensor({ keyPath: [name], dtype, shape, bytes, pieces });
  if (present.size >= expected) return;
  const missing = expected - present.size;
  const facts = { files: missing, ranks: missing, worldSize: expected, first: `other ranks beside ${baseName(example)}` };
  sink.finding({ code: 'rank-file-missing', facts });
}
