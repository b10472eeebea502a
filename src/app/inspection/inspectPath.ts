import { FormatError } from '../../core/bytes/formatError.js';
import type { DatasetReport } from '../../core/datasets/datasetReport.js';
import { defaultReadPlan, isPlanNumber, readDemandOf, type ReadPlan } from '../../core/datasets/readDemand.js';
import type { FileTree } from '../../core/files/fileTree.js';
import { shownPath } from '../../core/files/remote/remoteAddress.js';
import { inspect, type InspectOptions, type InspectProgress, type Inspection } from '../../core/inspection/inspect.js';
import type { CollectionReport } from '../../core/inspection/collection/collectionReport.js';
import { MissingPartError } from '../../core/inspection/collection/missingPart.js';
import { partNames } from '../../core/inspection/collection/partName.js';
import type { Report } from '../../core/inspection/report.js';
import { listTensors, reportToJson } from '../../core/inspection/reportJson.js';
import { renderMarkdown } from '../../core/pages/reportMarkdown.js';
import { renderTerminal } from '../../core/pages/reportTerminal.js';
import type { TerminalOptions } from '../../core/pages/render/terminalText.js';
import { formatBytes } from '../../core/text/units.js';
import { visibleText } from '../../core/text/visibleText.js';
import type { Answer } from '../answer.js';
import { ofPath } from '../ofPath.js';
import type { Hooks, Platform } from '../platform.js';
import { resumeElsewhere, type JobSizes } from '../../core/checkpoints/resumeElsewhere.js';
import { InputError, PathError } from '../useCaseError.js';
import type { InspectInput } from '../useCaseInputs.js';
import { datasetAround } from './datasetAround.js';
import { noteLoggedChecks } from '../verification/noteLoggedChecks.js';
import { samplingOf } from './sampling.js';
import { tokenizerAt } from './tokenizers.js';

/**
 * Accounts for every byte of a checkpoint or a dataset, a folder or a file.
 * @throws InputError, and PathError when the path cannot be read
 */
export async function inspectPath(
  platform: Platform,
  input: InspectInput,
  hooks: Hooks<InspectProgress> = {},
): Promise<Answer<Report>> {
  const plan = readPlanOf(input);
  const sampling = samplingOf(input);
  const tokenizer = input.tokenizer === undefined ? undefined : await tokenizerAt(platform, input.tokenizer);
  const path = await datasetAround(platform, input.path);
  const options = {
    ...hooks,
    path: shownPath(path),
    allLengths: input.allLengths === true,
    sampling,
    ...partOf(input),
    ...(tokenizer && { tokenizer }),
  };
  const tree = await opened(platform, input.path, path);
  const configs = await platform.configSources(path);
  const { report, tensors } = await inspected(tree, input.path, { ...options, configs });
  await noteLoggedChecks(platform, tree, report, hooks.signal);
  if (report.kind === 'dataset' && Object.keys(plan).length > 0)
    report.demand = readDemandOf(report, { ...defaultReadPlan(report), ...plan });
  if (report.kind === 'collection') noteUnanswered(report, input, plan);
  if (report.kind === 'dataset') noteOfCheckpoints(report, input);
  const job = jobOf(input);
  if (job !== null && report.kind === 'checkpoint') report.resume.elsewhere = resumeElsewhere(report, job);
  if (input.tensors === true && report.kind === 'checkpoint') report.tensors = listTensors(tensors, report.files);
  return {
    report,
    json: () => `${reportToJson(report)}\n`,
    markdown: () => renderMarkdown(report),
    terminal: (terminal) => terminalText(report, terminal),
  };
}

/** What is asked of one thing and has no answer for several. */
function noteUnanswered({ checks }: CollectionReport, input: InspectInput, plan: Partial<ReadPlan>): void {
  if (input.tensors === true) checks.notDone.push('the list of tensors: inspect a part for it');
  if (Object.keys(plan).length > 0) checks.notDone.push('what a training run reads: inspect a data set for it');
  if (input.ranks !== undefined) checks.notDone.push('whether a job of other sizes can resume: inspect a checkpoint for it');
}

/** What is asked of a checkpoint and has no answer for a data set. */
function noteOfCheckpoints({ checks }: DatasetReport, input: InspectInput): void {
  if (input.tensors === true) checks.notDone.push('the list of tensors: a data set has none');
  if (input.ranks !== undefined) checks.notDone.push('whether a job of other sizes can resume: a data set is no checkpoint');
}

/** @throws InputError */
function jobOf({ ranks, tensorParallel, pipelineParallel }: InspectInput): JobSizes | null {
  for (const [name, size] of Object.entries({ ranks, tensorParallel, pipelineParallel }))
    if (size !== undefined && !(Number.isSafeInteger(size) && size >= 1))
      throw InputError.ofInput(name, 'takes a whole number from 1');
  if (ranks === undefined) {
    if (tensorParallel !== undefined || pipelineParallel !== undefined)
      throw InputError.ofInput('ranks', 'is needed with the sizes of a job');
    return null;
  }
  return { ranks, ...(tensorParallel && { tensorParallel }), ...(pipelineParallel && { pipelineParallel }) };
}

/** @throws InputError */
function partOf({ part }: InspectInput): Pick<InspectOptions, 'part'> {
  if (part === undefined) return {};
  if (!partNames.some((name) => name === part)) throw InputError.ofInput('part', `takes one of ${partNames.join(', ')}`);
  return { part };
}

/** @throws PathError */
function opened(platform: Platform, named: string, path: string): Promise<FileTree> {
  return ofPath(shownPath(named), 'cannot be read', () => platform.openTree(path));
}

async function inspected(tree: FileTree, named: string, options: InspectOptions): Promise<Inspection> {
  try {
    return await inspect(tree, options);
  } catch (error) {
    if (error instanceof MissingPartError) throw InputError.ofInput('part', error.detail);
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    throw new PathError(shownPath(named), `cannot be read: ${error.detail}`, { cause: error });
  }
}

const planInputs = {
  tokensPerSecond: 'tokensPerSecond',
  sequenceLength: 'sequenceLength',
  trainTokens: 'trainingTokens',
} as const satisfies Partial<Record<keyof InspectInput, keyof ReadPlan>>;

/** The numbers of a training run that were given. */
function readPlanOf(input: InspectInput): Partial<ReadPlan> {
  const plan: Partial<ReadPlan> = {};
  for (const [name, key] of Object.entries(planInputs) as [keyof typeof planInputs, keyof ReadPlan][]) {
    const value = input[name];
    if (value === undefined) continue;
    if (!isPlanNumber(value)) throw InputError.ofInput(name, 'takes a number above 0, such as 2.7M or 15T');
    plan[key] = value;
  }
  return plan;
}

/** The summary, and a row for each tensor where they are listed. */
function terminalText(report: Report, options: TerminalOptions): string {
  const summary = renderTerminal(report, options);
  const rows = (report.kind === 'checkpoint' ? (report.tensors ?? []) : []).map((tensor) =>
    [visibleText(tensor.name), tensor.dtype, `[${tensor.shape.join(', ')}]`, formatBytes(tensor.bytes), tensor.component].join(
      '\t',
    ),
  );
  return rows.length === 0 ? summary : `${summary}\n${rows.join('\n')}\n`;
}
