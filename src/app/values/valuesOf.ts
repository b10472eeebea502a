import { FormatError } from '../../core/bytes/formatError.js';
import type { FileTree } from '../../core/files/fileTree.js';
import { inspect } from '../../core/inspection/inspect.js';
import { renderComparisonTerminal } from '../../core/pages/plan/planTerminal.js';
import { comparisonMarkdown } from '../../core/pages/render/comparisonMarkdown.js';
import { valuesPage } from '../../core/pages/values/valuesPage.js';
import { loggedValues } from '../../core/values/loggedValues.js';
import type { ValuesProgress, ValuesReport } from '../../core/values/valuesReport.js';
import { planValues, type ValuesChoice } from '../../core/values/planValues.js';
import { matchesGlob } from '../../core/values/tensorGlob.js';
import type { TensorTable } from '../../core/tensors/tensorTable.js';
import type { ValueTask } from '../../core/values/valueTask.js';
import { jsonText, jsonTextPieces, type Answer } from '../answer.js';
import type { Hooks, Platform } from '../platform.js';
import { InputError, PathError } from '../useCaseError.js';
import type { ValuesInput } from '../useCaseInputs.js';
import { placeOf } from '../verification/besidePath.js';
import { logCheck } from '../verification/logCheck.js';
import { sampleOf } from './sampleOf.js';
import { valuesOfTable, type InspectedTensors, type ReadValues } from './valuesOfTable.js';

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
  const choice = choiceOf(input);
  if (input.log === true && (choice.sample !== undefined || input.tensors !== undefined))
    throw InputError.ofInput('log', 'goes with all values of all tensors');
  const report = await readable(input.path, async () => {
    const tree = await platform.openTree(input.path);
    return reportOf(platform, tree, input, choice, hooks);
  });
  return {
    report,
    json: () => jsonText(report),
    jsonPieces: () => jsonTextPieces(report),
    markdown: () => comparisonMarkdown(valuesPage(report)),
    terminal: (options) => renderComparisonTerminal(valuesPage(report, terminalRows), options),
  };
}

/**
 * What `valuesOf` reads, in the tasks that it is read in.
 * @throws InputError, PathError as `valuesOf`
 */
export async function tasksOf(platform: Platform, input: ValuesInput): Promise<ValueTask[]> {
  const choice = choiceOf(input);
  return readable(input.path, async () => {
    const { table, files } = await inspected(await platform.openTree(input.path), input, undefined);
    return planValues(table, files, choice).tasks;
  });
}

async function reportOf(
  platform: Platform,
  tree: FileTree,
  input: ValuesInput,
  choice: ValuesChoice,
  hooks: Hooks<ValuesProgress>,
): Promise<ValuesReport> {
  const { path, log } = input;
  const own = await inspected(tree, input, hooks.signal);
  const readValues: ReadValues = (tasks, reading) => platform.readValues({ path, tree, tasks }, reading);
  const values = await valuesOfTable({ path, ...own, readValues }, choice, hooks);
  return log === true ? { ...values, log: await logCheck(platform, tree, placeOf(tree, path), loggedValues(values)) } : values;
}

/** @throws PathError for what is no single checkpoint and where no tensor matches, FormatError */
async function inspected(
  tree: FileTree,
  { path, tensors }: ValuesInput,
  signal: AbortSignal | undefined,
): Promise<Pick<InspectedTensors, 'table' | 'files' | 'findings'>> {
  const { report, tensors: table } = await inspect(tree, { path, ...(signal && { signal }) });
  if (report.kind === 'dataset') throw new PathError(path, 'is a data set, which has no tensors');
  if (report.kind === 'collection') throw new PathError(path, 'has several things in it: name one of them');
  const all = table.size + table.absentTensors.length;
  if (tensors !== undefined && !hasMatch(table, tensors))
    throw new PathError(path, `has no tensor that matches '${tensors}'; there ${all === 1 ? 'is' : 'are'} ${all}`);
  return { table, files: report.files, findings: report.findings };
}

function hasMatch(table: TensorTable, glob: string): boolean {
  for (let row = 0; row < table.size; row++) if (matchesGlob(table.nameOf(row), glob)) return true;
  return table.absentTensors.some(({ name }) => matchesGlob(name, glob));
}

/** @throws InputError */
function choiceOf(input: ValuesInput): ValuesChoice {
  const sample = sampleOf(input);
  return { ...(input.tensors !== undefined && { tensors: input.tensors }), ...(sample && { sample }) };
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
