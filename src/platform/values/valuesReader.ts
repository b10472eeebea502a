import type { Platform } from '../../app/platform.js';
import { gridOfRow, heatMapOfRow } from '../../app/values/sliceOfTable.js';
import { valuesOfTable, type ReadValues } from '../../app/values/valuesOfTable.js';
import { comparisonMarkdown } from '../../core/pages/render/comparisonMarkdown.js';
import { scannedValues } from '../../core/pages/values/scannedValues.js';
import { valuesPage } from '../../core/pages/values/valuesPage.js';
import type { FileTree } from '../../core/files/fileTree.js';
import type { ValuesReader } from '../valuesService.js';

/** Where the files of the tensors are. */
interface ValuesPlace {
  path: string;
  openTree: () => Promise<FileTree>;
  readValues: Platform['readValues'];
}

/** Tensors in Markdown that is copied, what matters first. */
const copiedRows = 200;

/** Reads values of the tensors of one path. */
export function createValuesReader({ path, openTree, readValues }: ValuesPlace): ValuesReader {
  return {
    async read({ table, files }, choice, hooks) {
      const tree = await openTree();
      const read: ReadValues = (tasks, reading) => readValues({ path, tree, tasks }, reading);
      return valuesOfTable({ path, table, files, readValues: read }, choice, hooks);
    },
    page: (report) => ({
      scanned: scannedValues(report),
      markdown: comparisonMarkdown(valuesPage(report, copiedRows)),
    }),
    grid: async (tensors, choice, signal) => gridOfRow({ ...tensors, tree: await openTree() }, choice, signal),
    heatMap: async (tensors, choice, signal) => heatMapOfRow({ ...tensors, tree: await openTree() }, choice, signal),
  };
}
