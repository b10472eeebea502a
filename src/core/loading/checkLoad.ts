/** Config, tokenizer, adapters and optimizer against the tensors, as the framework that loads them would compare them. */
import { isBlocking, layoutsOfAnyFile } from '../checkpoints/assess.js';
import type { LoadChecker } from '../checkpoints/buildReport.js';
import { noLoading, type Loading, type LoadReport, type LoadVerdict } from '../checkpoints/loadReport.js';
import { isModelDirectory } from '../checkpoints/ownWeights.js';
import type { ReadResult } from '../checkpoints/readFiles.js';
import { createConfigAccess } from '../configs/configAccess.js';
import { describeFinding } from '../findings/describeFindings.js';
import type { Finding } from '../findings/finding.js';
import { adapterCheck, type AdapterCheck } from './adapterCheck.js';
import { chatTemplateCheck } from './chatTemplateCheck.js';
import { conversions } from './conversions/conversions.js';
import { generationCheck } from './generationCheck.js';
import type { LoadCheck } from './loadCheck.js';
import type { LoadContext } from './loadContext.js';
import { loadMemory } from './loadMemory.js';
import { megatronCheck } from './megatronCheck.js';
import { isNoneThere, modelCheck } from './modelCheck.js';
import type { ModelCheck } from './comparedModel.js';
import { openedName, withOpenedFiles } from './openedFiles.js';
import { isPassedOver } from './openedIndex.js';
import { optimizerCheck } from './optimizerCheck.js';
import { otherModelCheck } from './otherModelCheck.js';
import { noDifferences } from './tensors/tensorDifferences.js';
import { withLoader } from './quantizationCheck.js';
import { settingsCheck } from './settingsCheck.js';
import { withModelType } from './withModelType.js';
import { tokenizerCheck } from './tokenizerCheck.js';
import { writtenAsFloats } from './writtenNumbers.js';
import { readTokenizer } from './tokenizerFacts.js';

/** What `buildReport` asks once a checkpoint is read. */
export function loadChecker(context: LoadContext): LoadChecker {
  return (read, place) => checkLoad(read, context, place);
}

async function checkLoad(
  read: ReadResult,
  context: LoadContext,
  { path, optimizer }: Parameters<LoadChecker>[1],
): Promise<Loading> {
  const own = modelCheck(read, await writtenAsFloats(read, context));
  const model =
    own === undefined
      ? (megatronCheck(read) ?? (await otherModelCheck(read, context)))
      : withOpenedFiles(withModelType(await withLoader(own, read, context), read.side.json.get('config.json')), read);
  const tokenizer = await readTokenizer(read, context);
  const adapter = await adapterCheck(read, context.configs === undefined ? null : createConfigAccess(context.configs));
  const checks: LoadCheck[] = [
    ...(model === undefined ? [] : [model]),
    await settingsCheck(read, context),
    tokenizerCheck(read, tokenizer),
    await generationCheck(read, context, tokenizer),
    await chatTemplateCheck(read, context, tokenizer),
    optimizerCheck(read, optimizer),
    ...(adapter === undefined ? [] : [adapter]),
  ].filter(({ checked, notChecked, findings }) => checked.length + notChecked.length + findings.length > 0);
  // Tensors that lack because a file is damaged or missing are explained by that file.
  const opened = model?.framework === 'transformers' ? openedName(read) : undefined;
  const blocking = read.parts.findings.find(
    (finding) => isBlocking(finding) && !(opened !== undefined && isPassedOver(finding, opened)),
  );
  const memory = loadMemory(read, adapter?.loaded);
  const converted = conversions(read, context.tree.location ?? path, adapter?.loaded);
  const isModel = checks.length + converted.length > 0 || !layoutsOfAnyFile.has(read.parts.layout);
  if (!hasWeights(read) || !isModel) {
    const isUnread = blocking !== undefined && !isState(read) && !isEmptyAdapter(read, blocking);
    return isUnread ? unreadLoading(read, blocking) : noLoading;
  }
  const report = reportOf(read, { model, adapter, checks }, blocking);
  return {
    report: {
      ...report,
      ...(memory.length === 0 ? {} : { memory }),
      ...(converted.length === 0 || isConvertedInVain(report, checks) ? {} : { conversions: converted }),
    },
    findings: blocking === undefined ? checks.flatMap(({ findings }) => findings) : [],
    done: checks.flatMap(({ done }) => done),
  };
}

/** A program that converts a model loads it first: what fails then, or is random, would be in the result. */
function isConvertedInVain({ verdict, counts }: LoadReport, checks: readonly LoadCheck[]): boolean {
  const isWrapped = checks.some(({ findings }) => findings.some(({ code }) => code === 'tensor-names-wrapped'));
  return verdict === 'fails' || isWrapped || isNoneThere(counts);
}

function hasWeights({ parts: { tensors } }: ReadResult): boolean {
  for (let row = 0; row < tensors.size; row++) if (tensors.componentOf(row) === 'weights') return true;
  return false;
}

/** Whether training would resume from it rather than a model be loaded. */
function isState({ parts: { tensors, layout, files } }: ReadResult): boolean {
  if (isModelDirectory({ layout, files })) return false;
  for (let row = 0; row < tensors.size; row++) if (tensors.componentOf(row) === 'optimizer') return true;
  return files.some(({ component }) => component === 'optimizer');
}

/** PEFT loads it, and nothing with it. */
function isEmptyAdapter({ parts: { layout } }: ReadResult, { code }: Finding): boolean {
  return layout === 'peft-adapter' && code === 'weights-missing';
}

/** Of files of which nothing could be read that would be loaded. */
function unreadLoading(read: ReadResult, blocking: Finding): Loading {
  return { ...noLoading, report: reportOf(read, { model: undefined, adapter: undefined, checks: [] }, blocking) };
}

function reportOf(
  { parts }: ReadResult,
  { model, adapter, checks }: { model: ModelCheck | undefined; adapter: AdapterCheck | undefined; checks: readonly LoadCheck[] },
  blocking: Finding | undefined,
): LoadReport {
  const differences = (model ?? adapter)?.differences ?? noDifferences();
  return {
    framework: model?.framework ?? parts.framework.name,
    architecture: model?.architecture ?? null,
    ...(blocking === undefined ? verdictOf(model ?? adapter, checks) : { verdict: 'fails', why: inWords(blocking) }),
    ...differences,
    fits: [...(model?.fits ?? [])],
    checked: [...new Set(checks.flatMap(({ checked }) => checked))],
    notChecked: checks.flatMap(({ notChecked }) => notChecked),
  };
}

function inWords(blocking: Finding): string {
  const { path, message } = describeFinding(blocking);
  return path === null ? message : `${path}: ${message}`;
}

/**
 * What decides is the model, or the adapter where there is no model. Any check that fails does; one that could not be made leaves the answer of
 * the others, and stands in `notChecked`.
 */
function verdictOf(deciding: LoadCheck | undefined, checks: readonly LoadCheck[]): Pick<LoadReport, 'verdict' | 'why'> {
  const found = (verdict: LoadVerdict): LoadCheck | undefined => checks.find((check) => check.verdict === verdict);
  const failing = found('fails');
  if (failing !== undefined) return { verdict: 'fails', why: failing.why };
  if (deciding === undefined) return { verdict: 'unknown', why: notCompared };
  const worst = deciding.verdict === 'unknown' ? deciding : found('loads-with-warnings');
  if (worst !== undefined) return { verdict: worst.verdict, why: worst.why };
  const open = checks.filter(({ verdict }) => verdict === 'unknown').flatMap(({ notChecked }) => notChecked);
  const notChecked = open.length === 0 ? '' : ` Not compared: ${open.map(({ detail }) => detail).join(', ')}.`;
  return { verdict: 'loads', why: `Nothing that was compared keeps it from loading.${notChecked}` };
}

const notCompared = 'Which tensors a loader of this layout looks for was not compared with those that are here.';
