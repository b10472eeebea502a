import type { Platform } from '../../app/platform.js';
import { gridOfRow, heatMapOfRow } from '../../app/values/sliceOfTable.js';
import { valuesOfTable, type ReadValues } from '../../app/values/valuesOfTable.js';
import { comparisonMarkdown } from '../../core/pages/render/comparisonMarkdown.js';
import { scannedValues } from '../../core/pages/values/scannedValues.js';
import { valuesPage } from '../../core/pages/values/valuesPage.js';
import type { FileTree } from '../../core/files/fileTree.js';
import type { LoggedValues, LogOutcome } from '../../core/findings/loggedCheck.js';
import { loggedValues } from '../../core/values/loggedValues.js';
import type { ValuesReader } from '../valuesService.js';

/** Where the files of the tensors are. */
interface ValuesPlace {
  path: string;
  openTree: () => Promise<FileTree>;
  readValues: Platform['readValues'];
  /** Enters what was found into the log beside them. */
  log: (tree: FileTree, found: LoggedValues) => Promise<LogOutcome>;
}

/** Tensors in Markdown that is copied, what matters first. */
const copiedRows = 200;

/** Reads values of the tensors of one path. */
export function createValuesReader({ path, openTree, readValues, log }: ValuesPlace): ValuesReader {
  const readFrom = (tree: FileTree, ...[tensors, choice, hooks]: Parameters<ValuesReader['read']>) => {
    const read: ReadValues = (tasks, reading) => readValues({ path, tree, tasks }, reading);
    return valuesOfTable({ path, ...tensors, readValues: read }, choice, hooks);
  };
  return {
    read: async (tensors, choice, hooks) => readFrom(await openTree(), tensors, choice, hooks),
    async readAndLog(tensors, hooks) {
      const tree = await openTree();
      // As it is before any of its bytes are read.
      await tree.list(hooks.signal);
      const report = await readFrom(tree, tensors, {}, hooks);
      return { ...report, log: await log(tree, loggedValues(report)) };
    },
    page: (report) => ({
      scanned: scannedValues(report),
      markdown: comparisonMarkdown(valuesPage(report, copiedRows)),
    }),
    grid: async (tensors, choice, signal) => gridOfRow({ ...tensors, tree: await openTree() }, choice, signal),
    heatMap: async (tensors, choice, signal) => heatMapOfRow({ ...tensors, tree: await openTree() }, choice, signal),
  };
}
