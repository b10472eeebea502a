import { FormatError } from '../../core/bytes/formatError.js';
import type { FileTree } from '../../core/files/fileTree.js';
import { inspect } from '../../core/inspection/inspect.js';
import { renderComparisonTerminal } from '../../core/pages/plan/planTerminal.js';
import { comparisonMarkdown } from '../../core/pages/render/comparisonMarkdown.js';
import { valuesPage } from '../../core/pages/values/valuesPage.js';
import type { ValuesProgress, ValuesReport } from '../../core/values/valuesReport.js';
import type { Sample } from '../../core/values/valueTask.js';
import { jsonText, type Answer } from '../answer.js';
import type { Hooks, Platform } from '../platform.js';
import { InputError, PathError } from '../useCaseError.js';
import type { ValuesInput } from '../useCaseInputs.js';
import { valuesOfTable, type ReadValues } from './valuesOfTable.js';

/** Rows in a terminal: two screens. */
const terminalRows = 60;

/**
 * Values of the tensors of a checkpoint.
 * @throws InputError, and PathError where the path cannot be read or is none or several checkpoints
 */
export async function valuesOf(
  platform: Platform,
  input: ValuesInput,
  hooks: Hooks<ValuesProgress> = {},
): Promise<Answer<ValuesReport>> {
  const sample = sampleOf(input);
  const report = await readable(input.path, async () => {
    const tree = await platform.openTree(input.path);
    return reportOf(platform, tree, input, sample, hooks);
  });
  return {
    report,
    json: () => jsonText(report),
    markdown: () => comparisonMarkdown(valuesPage(report)),
    terminal: (options) => renderComparisonTerminal(valuesPage(report, terminalRows), options),
  };
}

async function reportOf(
  platform: Platform,
  tree: FileTree,
  { path, tensors }: ValuesInput,
  sample: Sample | undefined,
  hooks: Hooks<ValuesProgress>,
): Promise<ValuesReport> {
  const { report, tensors: table } = await inspect(tree, { path, ...(hooks.signal && { signal: hooks.signal }) });
  if (report.kind === 'dataset') throw new PathError(path, 'is a data set, which has no tensors');
  if (report.kind === 'collection') throw new PathError(path, 'has several things in it: name one of them');
  const choice = { ...(tensors !== undefined && { tensors }), ...(sample && { sample }) };
  const readValues: ReadValues = (tasks, reading) => platform.readValues({ path, tree, tasks }, reading);
  return valuesOfTable({ path, table, files: report.files, readValues }, choice, hooks);
}

/** @throws InputError */
function sampleOf({ sampleShare, seed }: ValuesInput): Sample | undefined {
  if (sampleShare === undefined) {
    if (seed !== undefined) throw InputError.ofInput('seed', 'goes with a sample');
    return undefined;
  }
  if (!(sampleShare > 0 && sampleShare <= 1)) throw InputError.ofInput('sample', 'takes a share above 0 and up to 100%');
  return sampleShare === 1 ? undefined : { share: sampleShare, seed: seed ?? 1 };
}

/** @throws PathError */
async function readable<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    throw new PathError(path, `cannot be read: ${error.detail}`, { cause: error });
  }
}
