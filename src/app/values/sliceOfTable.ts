import { FormatError } from '../../core/bytes/formatError.js';
import type { FileTree } from '../../core/files/fileTree.js';
import { heatMap, type HeatMap } from '../../core/pages/values/heatMap.js';
import { noPlaceSentence } from '../../core/pages/values/noPlaceSentence.js';
import { sliceGrid, type SliceGrid } from '../../core/pages/values/sliceGrid.js';
import type { TensorTable } from '../../core/tensors/tensorTable.js';
import { basisOfRow } from '../../core/values/basisOfRow.js';
import { rowFinder } from '../../core/values/scaled/rowFinder.js';
import { matrixAxes } from '../../core/tensors/matrixAxes.js';
import { readSlice, readSpread } from '../../core/values/slice/readSlice.js';
import { noAxis, type SliceAxis } from '../../core/values/slice/sliceAxes.js';
import { slicePlace, type SlicePlace } from '../../core/values/slice/slicePlace.js';
import type { NoSlice } from '../../protocol/messages.js';

/** The tensors of an inspection, and the tree of the files that they are in. */
interface SlicedTensors {
  table: TensorTable;
  files: readonly { path: string }[];
  tree: Pick<FileTree, 'open'>;
}

/** A part of a matrix: the last two axes of a tensor. */
export interface GridChoice {
  row: number;
  /** The first index of each axis. */
  index: readonly number[];
  /** At most `mostGridRows` and `mostGridColumns`, and what the shape has behind the index. */
  rows: number;
  columns: number;
}

/**
 * A part of a tensor as texts.
 * @throws FormatError as `readSlice`
 */
export async function gridOfRow(
  tensors: SlicedTensors,
  { row, index, rows, columns }: GridChoice,
  signal?: AbortSignal,
): Promise<SliceGrid | NoSlice> {
  const place = placeOf(tensors, row);
  if ('why' in place) return place;
  const { rowAxis, columnAxis } = matrixAxes(place.shape.length);
  const counts = place.shape.map((_, axis) => (axis === rowAxis ? rows : axis === columnAxis ? columns : 1));
  const axes = place.shape.map((size, axis): SliceAxis => {
    const start = index[axis] ?? 0;
    return { start, count: Math.min(counts[axis] ?? 1, size - start), step: 1 };
  });
  const slice = await readSlice(tensors.tree, place, axes, { signal });
  const [down, across] = [axisAt(axes, rowAxis), axisAt(axes, columnAxis)];
  return sliceGrid(slice, [down, across], place.dtype, basisOfRow(tensors.table, row, rowFinder(tensors.table)));
}

/**
 * The whole matrix at an index as a picture, or rows and columns of it that are spread evenly.
 * @throws FormatError as `readSlice`, and `unsupported` for a tensor of fewer than two axes
 */
export async function heatMapOfRow(
  tensors: SlicedTensors,
  { row, index }: Pick<GridChoice, 'row' | 'index'>,
  signal?: AbortSignal,
): Promise<HeatMap | NoSlice> {
  const place = placeOf(tensors, row);
  if ('why' in place) return place;
  const { rowAxis, columnAxis } = matrixAxes(place.shape.length);
  if (rowAxis === null || columnAxis === null) throw new FormatError('unsupported', 'a heat map is of two axes');
  const { axes, ...slice } = await readSpread(tensors.tree, place, { rowAxis, columnAxis, index }, { signal });
  const of: [number, number] = [place.shape[rowAxis] ?? 0, place.shape[columnAxis] ?? 0];
  return heatMap(slice, [axisAt(axes, rowAxis), axisAt(axes, columnAxis)], of, place.dtype);
}

function placeOf({ table, files }: SlicedTensors, row: number): SlicePlace | NoSlice {
  const place = slicePlace(table, files, row, rowFinder(table));
  return 'code' in place ? { why: noPlaceSentence(place) } : place;
}

function axisAt(axes: readonly SliceAxis[], axis: number | null): SliceAxis {
  return (axis === null ? undefined : axes[axis]) ?? noAxis;
}
