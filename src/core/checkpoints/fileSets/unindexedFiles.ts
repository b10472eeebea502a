/** What can be told of a distributed save whose index was never written: the ranks' files are rows of archives without names. */
import { elementCount } from '../../bytes/checkedInteger.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { withFile } from '../../files/openFiles.js';
import { FileImports } from '../../formats/pickle/imports/fileImports.js';
import { walkArchiveRow, type RowItem } from '../../formats/torch/archiveRow.js';
import { isFloatDtype } from '../../tensors/dtype.js';
import type { Parts } from '../parts.js';
import { addImport } from '../../formats/pickle/imports/importList.js';
import type { ReadContext } from '../reading/readContext.js';

/**
 * Walks the ranks' files and adds to the finding how much of them is whole. Where every rank's tensors are weights that are followed
 * by two of the same shape each, which are Adam's moments, the weights are counted.
 */
export async function describeUnindexed(context: ReadContext, parts: Parts): Promise<void> {
  let items = 0;
  let tensors = 0;
  let elements: number | undefined = 0;
  for (const { path } of parts.files.filter((file) => file.path.endsWith('.distcp'))) {
    const row = await readRow(context, path, limits.unindexedItems - items, parts);
    items += row.length;
    tensors += row.filter(({ tensor }) => tensor !== undefined).length;
    const weights = elementsOfWeights(row);
    elements = weights === undefined || elements === undefined ? undefined : elements + weights;
  }
  if (items === 0) return;
  parts.findings.push({ code: 'save-unindexed', facts: { tensors, objects: items - tensors } });
  if (elements !== undefined && elements > 0) {
    parts.parameters = {
      unique: elements,
      source:
        'From the ranks’ files alone, as there is no index: the tensors that two more of the same shape follow, as moments do.',
    };
  }
}

async function readRow(context: ReadContext, path: string, maxItems: number, parts: Parts): Promise<RowItem[]> {
  const row: RowItem[] = [];
  const imports = new FileImports(context);
  try {
    await withFile(context, path, async (source) => {
      for await (const item of walkArchiveRow(source, maxItems, imports, context.signal)) row.push(item);
    });
  } catch (error) {
    // A rank that was killed while it wrote, or whose file cannot be opened: what came before counts.
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
  }
  await imports.report({
    finding: (finding) => parts.findings.push({ ...finding, path }),
    pickleImport: (name) => addImport(parts, name, path),
  });
  return row;
}

/** Elements of the first third of a rank's float tensors, where the rest repeats their shapes in pairs; undefined otherwise. */
function elementsOfWeights(row: readonly RowItem[]): number | undefined {
  const shapes = row
    .map(({ tensor }) => tensor)
    .filter((tensor) => tensor !== undefined)
    .filter(({ dtype, shape }) => isFloatDtype(dtype) && shape.length > 0)
    .map(({ shape }) => shape);
  const count = shapes.length / 3;
  if (!Number.isInteger(count)) return undefined;
  let elements = 0;
  for (let index = 0; index < count; index++) {
    const shape = JSON.stringify(shapes[index]);
    const isFollowed = [0, 1].every((moment) => JSON.stringify(shapes[count + 2 * index + moment]) === shape);
    if (!isFollowed) return undefined;
    elements += elementCount(shapes[index] as number[]) ?? 0;
  }
  return elements;
}
