/** Packed values of 4 bits and floats of 8 bits, and the tensors beside them that give their scales. */
import { bytesOfElements } from '../../tensors/dtype.js';
import type { TensorTable } from '../../tensors/tensorTable.js';
import { patternBits } from '../patternValues.js';
import type { ValueExtent } from '../valueExtent.js';
import { scaleGridOf, type ScaleGrid } from './scaleGrid.js';

/** What a tensor beside a packed one is for it. */
export type ScaleUse =
  | 'scales'
  /** One scale of the whole tensor, by which values are multiplied, or divided. */
  | 'factor'
  | 'divisor'
  | 'absmax'
  | 'map'
  | 'state'
  | 'nestedAbsmax'
  | 'nestedMap';

export interface ScalePart {
  use: ScaleUse;
  dtype: string;
  extent: ValueExtent;
}

/** How codes become values. */
export type Scaling = PackedScaling | FloatScaling;

interface PackedScaling {
  kind: 'mxfp4' | 'nvfp4' | 'bitsandbytes';
  parts: ScalePart[];
}

/** A float of 8 bits times the scale of its block. */
interface FloatScaling {
  kind: 'f8';
  dtype: string;
  grid: ScaleGrid;
  parts: [ScalePart];
}

/** Scales of one tensor that are held while it is read: of a quarter of a gigabyte of codes and more. */
const mostScaleBytes = 64 * 1024 * 1024;

/** A row by its name; -1 where there is none. */
export type FindRow = (name: string) => number;

/**
 * The scaling of a row of packed bytes; undefined where it is none, or where what belongs to it is not there. Layouts: MXFP4 of gpt-oss
 * (transformers, integrations/mxfp4.py) and of compressed-tensors, NVFP4 of compressed-tensors (divided by a global scale) and of ModelOpt
 * (multiplied by a second scale), 4 bits of bitsandbytes (functional.py, QuantState.as_dict), and f8 with one scale of all, of each row or of each
 * block: DeepSeek-V3 (inference/kernel.py, weight_dequant), compressed-tensors (lifecycle/forward.py, _dequantize) and ModelOpt.
 */
export function scalingOf(
  table: TensorTable,
  files: readonly { path: string }[],
  row: number,
  find: FindRow,
): Scaling | undefined {
  if (isScaledFloat(table.dtypeOf(row))) return floatScaling(table, files, row, find);
  if (table.dtypeOf(row) !== 'u8') return undefined;
  const name = table.nameOf(row);
  const part = (use: ScaleUse, of: string): ScalePart | undefined => partOf(table, files, find(of), use);
  const bytes = table.bytesOf(row);
  if (name.endsWith('_blocks')) return microscaled(bytes, part('scales', `${name.slice(0, -'blocks'.length)}scales`));
  if (name.endsWith('weight_packed')) {
    const module = name.slice(0, -'packed'.length);
    const scales = part('scales', `${module}scale`);
    return microscaled(bytes, scales) ?? nvfp4(bytes, scales, part('divisor', `${module}global_scale`));
  }
  return nvfp4(bytes, part('scales', `${name}_scale`), part('factor', `${name}_scale_2`)) ?? bitsandbytes(name, part);
}

function isScaledFloat(dtype: string): boolean {
  return dtype.startsWith('f8_') && dtype !== 'f8_e8m0';
}

/** The tensor with the scales of a float of 8 bits; -1 where its values are what is stored. */
export function floatScaleRow(table: TensorTable, row: number, find: FindRow): number {
  if (!isScaledFloat(table.dtypeOf(row))) return -1;
  const name = table.nameOf(row);
  // Both are factors, whatever the name of the first one says.
  const inverse = find(`${name}_scale_inv`);
  return inverse === -1 ? find(`${name}_scale`) : inverse;
}

function floatScaling(
  table: TensorTable,
  files: readonly { path: string }[],
  row: number,
  find: FindRow,
): FloatScaling | undefined {
  const scaleRow = floatScaleRow(table, row, find);
  const scales = partOf(table, files, scaleRow, 'scales');
  const { strides, storageOffset = 0 } = table.extraOf(row) ?? {};
  const isPlain = strides === undefined && storageOffset === 0 && find(`${table.nameOf(row)}_zero_point`) === -1;
  const grid = scales && scaleGridOf(table.shapeOf(row), table.shapeOf(scaleRow));
  if (scales === undefined || grid === undefined || !isPlain) return undefined;
  const dtype = table.dtypeOf(row);
  // Exponents of MXFP8 are stored as bytes, too.
  if (scales.dtype === 'u8' && grid.sides.every((side, axis) => side === (axis === grid.sides.length - 1 ? 32 : 1)))
    return { kind: 'f8', dtype, grid, parts: [{ ...scales, dtype: 'f8_e8m0' }] };
  const isFloat = scales.dtype === 'f32' || (scales.dtype.includes('f') && patternBits(scales.dtype) !== undefined);
  return isFloat ? { kind: 'f8', dtype, grid, parts: [scales] } : undefined;
}

/** Scales of one byte for 32 values, which are 16 bytes. */
function microscaled(bytes: number, scales: ScalePart | undefined): Scaling | undefined {
  const isExponent = scales?.dtype === 'u8' || scales?.dtype === 'f8_e8m0';
  return scales !== undefined && isExponent && scales.extent.bytes * 16 === bytes
    ? { kind: 'mxfp4', parts: [scales] }
    : undefined;
}

/** Scales of one byte for 16 values, which are 8 bytes, and one scale of all. */
function nvfp4(bytes: number, scales: ScalePart | undefined, whole: ScalePart | undefined): Scaling | undefined {
  if (scales?.dtype !== 'f8_e4m3' || scales.extent.bytes * 8 !== bytes || whole?.dtype !== 'f32') return undefined;
  return { kind: 'nvfp4', parts: [scales, whole] };
}

function bitsandbytes(name: string, part: (use: ScaleUse, of: string) => ScalePart | undefined): Scaling | undefined {
  const state = part('state', `${name}.quant_state.bitsandbytes__nf4`) ?? part('state', `${name}.quant_state.bitsandbytes__fp4`);
  const [absmax, map] = [part('absmax', `${name}.absmax`), part('map', `${name}.quant_map`)];
  if (state === undefined || absmax === undefined || map === undefined) return undefined;
  const nested = [part('nestedAbsmax', `${name}.nested_absmax`), part('nestedMap', `${name}.nested_quant_map`)];
  return { kind: 'bitsandbytes', parts: [state, absmax, map, ...nested.filter((each) => each !== undefined)] };
}

/** Undefined for what is not stored whole in one place. */
function partOf(table: TensorTable, files: readonly { path: string }[], row: number, use: ScaleUse): ScalePart | undefined {
  if (row === -1) return undefined;
  const piece = table.firstPieceOf(row);
  const dtype = table.dtypeOf(row);
  const bytes = table.pieceSize(piece);
  const path = files[table.pieceFile(piece)]?.path;
  const isWhole = table.endPieceOf(row) === piece + 1 && table.extraOf(row) === undefined;
  const isPlain = isWhole && bytes === table.pieceLogicalSize(piece) && bytes === bytesOfElements(dtype, table.elementsOf(row));
  if (path === undefined || !isPlain || bytes === 0 || bytes > mostScaleBytes) return undefined;
  return { use, dtype, extent: { path, offset: table.pieceOffset(piece), bytes } };
}
