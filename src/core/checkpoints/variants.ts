/**
 * The same parameters in another dtype: variants of `save_pretrained` (`model.fp16.safetensors`), and `pytorch_model.bin` beside a
 * `model.safetensors` that was cast.
 */
import { baseName, parentPath } from '../files/paths.js';
import type { Parts } from './parts.js';
import { setOf } from './copies.js';

/** Files with the parameters of another set of files, each of the same name and shape. */
export interface Variant {
  /** A file of the set with these parameters, which loaders prefer. */
  of: string;
  /** Positions and paths of the variant's files. */
  files: number[];
  paths: string[];
  dtypes: string[];
  /** Payload of its weights. */
  bytes: number;
}

/** Shards of one model, or its only file. */
interface WeightSet {
  path: string;
  files: number[];
  /** Whether the name has a dtype in it, and the format is not the one that loaders prefer. */
  rank: number;
}

const ownName = /^(model|pytorch_model|diffusion_pytorch_model)((?:\.[\w-]+)*)\.(safetensors|bin)$/;

/** What `variant` is set to for a dtype. Others (`non_ema`, `ema_only`) are other values of the parameters. */
const dtypeVariants = new Set(['fp16', 'bf16', 'fp32', 'float16', 'bfloat16', 'float32', 'f16', 'f32', 'half']);

/** Sets of files whose weights are all in another set beside them, in another dtype. Values are not compared. */
export function findVariants(parts: Parts): Variant[] {
  const models = [...setsByModel(parts).values()].filter((sets) => sets.length > 1);
  if (models.length === 0) return [];
  const rows = rowsByFile(parts);
  return models.flatMap((sets) => variantsAmong(parts, sets, rows));
}

/** Sets that may be one model: of one directory, and equal in their names but for dtype, format and shard. */
function setsByModel({ files }: Parts): Map<string, WeightSet[]> {
  const models = new Map<string, WeightSet[]>();
  const known = new Map<string, WeightSet>();
  files.forEach(({ path }, at) => {
    const match = ownName.exec(baseName(setOf(path)).replace(/-of-\d{5}/, ''));
    if (match === null) return;
    const set = known.get(setOf(path));
    if (set !== undefined) {
      set.files.push(at);
      return;
    }
    const [, kind, variant = '', extension] = match;
    const tokens = variant.split('.').slice(1);
    const others = tokens.filter((token) => !dtypeVariants.has(token));
    const key = [parentPath(path), kind === 'pytorch_model' ? 'model' : kind, ...others].join('\n');
    const own = { path, files: [at], rank: (tokens.length - others.length) * 2 + (extension === 'safetensors' ? 0 : 1) };
    known.set(setOf(path), own);
    models.set(key, [...(models.get(key) ?? []), own]);
  });
  return models;
}

function variantsAmong(parts: Parts, sets: readonly WeightSet[], rows: ReadonlyMap<number, number[]>): Variant[] {
  const { tensors } = parts;
  const rowsOf = (set: WeightSet): number[] => set.files.flatMap((file) => rows.get(file) ?? []);
  const [first, ...others] = [...sets].sort((a, b) => a.rank - b.rank).filter((set) => rowsOf(set).length > 0);
  if (first === undefined) return [];
  const byName = new Map(rowsOf(first).map((row) => [tensors.nameOf(row), row]));
  return others.flatMap((set): Variant[] => {
    const own = rowsOf(set);
    const dtypes = new Set<string>();
    for (const row of own) {
      const other = byName.get(tensors.nameOf(row));
      if (other === undefined || tensors.shapeOf(row).join() !== tensors.shapeOf(other).join()) return [];
      if (tensors.dtypeOf(row) !== tensors.dtypeOf(other)) dtypes.add(tensors.dtypeOf(row));
    }
    // In the same dtypes they are copies, whose bytes are compared.
    if (dtypes.size === 0) return [];
    const bytes = own.reduce((sum, row) => sum + tensors.bytesOf(row), 0);
    const paths = set.files.flatMap((file) => parts.files[file]?.path ?? []);
    return [{ of: first.path, files: set.files, paths, dtypes: [...dtypes], bytes }];
  });
}

/** Rows of weights by the file of their first piece. */
export function rowsByFile({ tensors }: Pick<Parts, 'tensors'>): Map<number, number[]> {
  const rows = new Map<number, number[]>();
  for (let row = 0; row < tensors.size; row++) {
    const piece = tensors.firstPieceOf(row);
    if (tensors.componentOf(row) !== 'weights' || piece === tensors.endPieceOf(row)) continue;
    const file = tensors.pieceFile(piece);
    const own = rows.get(file);
    if (own === undefined) rows.set(file, [row]);
    else own.push(row);
  }
  return rows;
}
