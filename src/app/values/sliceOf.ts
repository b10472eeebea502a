import { FormatError } from '../../core/bytes/formatError.js';
import { inspect } from '../../core/inspection/inspect.js';
import { renderComparisonTerminal } from '../../core/pages/plan/planTerminal.js';
import { comparisonMarkdown } from '../../core/pages/render/comparisonMarkdown.js';
import { noPlaceSentence } from '../../core/pages/values/noPlaceSentence.js';
import { slicePage } from '../../core/pages/values/slicePage.js';
import type { TensorTable } from '../../core/tensors/tensorTable.js';
import { basisOfRow } from '../../core/values/basisOfRow.js';
import { rowFinder } from '../../core/values/scaled/rowFinder.js';
import { readSlice } from '../../core/values/slice/readSlice.js';
import { slicePlace } from '../../core/values/slice/slicePlace.js';
import { jsonNumbers, type SliceReport } from '../../core/values/slice/sliceReport.js';
import { sliceAxesOf } from '../../core/values/slice/sliceText.js';
import { jsonText, type Answer } from '../answer.js';
import type { Hooks, Platform } from '../platform.js';
import { InputError, PathError } from '../useCaseError.js';
import type { SliceInput } from '../useCaseInputs.js';

/**
 * Values of a part of one tensor.
 * @throws InputError for a name or indices that are not there, and PathError where the path or the tensor cannot be read
 */
export async function sliceOf(platform: Platform, input: SliceInput, hooks: Hooks = {}): Promise<Answer<SliceReport>> {
  const { path } = input;
  try {
    const report = await reportOf(platform, input, hooks);
    return {
      report,
      json: () => jsonText(report),
      markdown: () => comparisonMarkdown(slicePage(report)),
      terminal: (options) => renderComparisonTerminal(slicePage(report), options),
    };
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    if (error.code === 'unsupported' || error.code === 'limit-exceeded') throw InputError.ofInput('slice', error.detail);
    throw new PathError(path, `cannot be read: ${error.detail}`, { cause: error });
  }
}

async function reportOf(platform: Platform, { path, tensor, slice }: SliceInput, { signal }: Hooks): Promise<SliceReport> {
  const tree = await platform.openTree(path);
  const { report, tensors: table } = await inspect(tree, { path, ...(signal && { signal }) });
  if (report.kind !== 'checkpoint') throw new PathError(path, 'is no checkpoint');
  const row = rowOf(table, tensor);
  const find = rowFinder(table);
  const place = slicePlace(table, report.files, row, find);
  if ('code' in place) throw new PathError(path, `has no slice of ${tensor}. ${noPlaceSentence(place)}`);
  const axes = sliceAxesOf(slice, place.shape);
  if (typeof axes === 'string') throw InputError.ofValue('slice', slice, axes);
  const read = await readSlice(tree, place, axes, { signal });
  return {
    kind: 'tensor-slice',
    schemaVersion: 2,
    path,
    tensor,
    dtype: place.dtype,
    shape: place.shape,
    basis: read.isScaled ? 'values' : basisOfRow(table, row, find),
    axes,
    parts: read.parts === 2 ? 2 : 1,
    values: jsonNumbers(read),
    bytesRead: read.bytesRead,
  };
}

/** The first tensor of that name. @throws InputError where there is none */
function rowOf(table: TensorTable, name: string): number {
  for (let row = 0; row < table.size; row++) if (table.nameOf(row) === name) return row;
  throw InputError.ofValue('tensors', name, 'is no tensor of the checkpoint');
}
