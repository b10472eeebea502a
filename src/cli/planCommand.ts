import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { PlanDocument } from '../core/planning/inputs/planDocument.js';
import { planFields } from '../core/planning/inputs/planFields.js';
import { isPlanKey, planKeys, problemOf, type InputProblem, type PlanKey } from '../core/planning/inputs/planInputs.js';
import { documentOfPreset, planPresets, presetOf } from '../core/planning/inputs/presets.js';
import { parseQuantity } from '../core/planning/inputs/quantity.js';
import { makePlan } from '../core/planning/storagePlan.js';
import { chartSvg } from '../core/pages/charts/chartSvg.js';
import { chartsOf } from '../core/pages/plan/planSection.js';
import { inputText, renderPlanMarkdown } from '../core/pages/plan/planMarkdown.js';
import { planPage } from '../core/pages/plan/planPage.js';
import { planReport, planToJson } from '../core/pages/plan/planReport.js';
import { renderPlanTerminal } from '../core/pages/plan/planTerminal.js';
import { visibleText } from '../core/text/visibleText.js';
import { describeIoError } from '../platform/ioError.js';
import { exitCode } from './exitCode.js';
import { openPlan } from './openPlan.js';
import { UsageError } from './usageError.js';
import { writeOut } from './writeOut.js';

/** `stowage plan`; answers the exit code. */
export async function runPlan(args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args);
  const [named, ...more] = positionals;
  if (more.length > 0) throw new UsageError('plan takes one path at most');
  if (values.json === true && values.markdown === true) throw new UsageError('--json and --markdown exclude each other');
  if (values.inputs === true) return list();
  const opened = named === undefined ? { document: nothing, problems: [] } : await openPlan(named);
  if ('failure' in opened) {
    process.stderr.write(`stowage: ${visibleText(named ?? '')} cannot be planned from: ${visibleText(opened.failure)}\n`);
    return exitCode.unreadable;
  }
  const { problems } = opened;
  for (const { key, text } of problems) process.stderr.write(`stowage: ${visibleText(key)} ${visibleText(text)}\n`);
  const document = withSets(onPreset(opened.document, values.preset), values.set ?? []);
  return show(document, problems, values);
}

const nothing: PlanDocument = { name: 'Plan', inputs: {}, origins: {}, measured: [], saved: [] };

const flags = {
  json: { type: 'boolean' },
  markdown: { type: 'boolean' },
  'no-color': { type: 'boolean' },
  inputs: { type: 'boolean' },
  preset: { type: 'string' },
  set: { type: 'string', multiple: true },
  output: { type: 'string' },
} as const;

type Values = ReturnType<typeof parse>['values'];

/** A preset lies below what a file says. */
function onPreset(document: PlanDocument, id: string | undefined): PlanDocument {
  if (id === undefined) return document;
  const preset = presetOf(id);
  if (preset === null) throw new UsageError(`--preset takes one of ${planPresets.map((known) => known.id).join(', ')}`);
  const base = documentOfPreset(preset);
  return {
    ...document,
    name: document === nothing ? base.name : document.name,
    inputs: { ...base.inputs, ...document.inputs },
    origins: { ...base.origins, ...document.origins },
  };
}

/** `--set key=value` over all else. */
function withSets(document: PlanDocument, sets: readonly string[]): PlanDocument {
  const inputs: Record<string, unknown> = { ...document.inputs };
  const origins = { ...document.origins };
  for (const set of sets) {
    const { key, value } = settingOf(set);
    inputs[key] = value;
    origins[key] = { kind: 'set', text: '' };
  }
  return { ...document, inputs, origins };
}

/** @throws UsageError for a key that is no input and a value that it cannot have */
function settingOf(set: string): { key: PlanKey; value: unknown } {
  const at = set.indexOf('=');
  const key = set.slice(0, at).trim();
  if (at < 0) throw new UsageError(`--set takes key=value, not ${visibleText(set)}`);
  if (!isPlanKey(key)) throw new UsageError(`--set: ${visibleText(key)} is no input of a plan; --inputs lists them`);
  const field = planFields[key];
  const value = valueOf(set.slice(at + 1).trim(), field);
  const problem = value === undefined ? 'is no such amount' : problemOf(field, value);
  if (problem !== null) throw new UsageError(`--set ${key} ${problem}`);
  return { key, value };
}

function valueOf(text: string, field: (typeof planFields)[PlanKey]): unknown {
  if (field.kind === 'choice') return text;
  if (field.kind === 'flag') return text === 'true' ? true : text === 'false' ? false : undefined;
  return text === 'null' ? null : (parseQuantity(text, field) ?? undefined);
}

async function show(document: PlanDocument, problems: InputProblem[], values: Values): Promise<number> {
  const plan = makePlan(document);
  const page = planPage(plan, document);
  if (values.output !== undefined) {
    const folder = `${path.basename(values.output, path.extname(values.output))}-charts`;
    const charts = chartsOf(page).map((chart) => ({ name: `${chart.id}.svg`, svg: chartSvg(chart) }));
    return writeMarkdown(values.output, renderPlanMarkdown(plan, page, document, folder), folder, charts);
  }
  if (values.json === true) await writeOut(planToJson(planReport(plan, page, document, problems)));
  else if (values.markdown === true) await writeOut(renderPlanMarkdown(plan, page, document, null));
  else {
    const color = values['no-color'] !== true && process.env['NO_COLOR'] === undefined && process.stdout.isTTY;
    await writeOut(renderPlanTerminal(page, { width: process.stdout.columns || 100, color }));
  }
  return exitCode.done;
}

async function writeMarkdown(
  file: string,
  markdown: string,
  folder: string,
  charts: readonly { name: string; svg: string }[],
): Promise<number> {
  const beside = path.join(path.dirname(file), folder);
  try {
    await mkdir(beside, { recursive: true });
    await writeFile(file, markdown);
    for (const { name, svg } of charts) await writeFile(path.join(beside, name), svg);
    return exitCode.done;
  } catch (error) {
    process.stderr.write(`stowage: ${visibleText(file)} cannot be written: ${visibleText(describeIoError(error))}\n`);
    return exitCode.unreadable;
  }
}

/** All inputs with what they are unless they are told. */
async function list(): Promise<number> {
  const lines = planKeys.map((key) => {
    const field = planFields[key];
    const standard = inputText(key, field.standard);
    return `${key.padEnd(28)} ${field.label}: ${field.hint} (${standard === 'derived' && field.kind === 'number' ? field.derived : standard})`;
  });
  await writeOut(`${lines.join('\n')}\n`);
  return exitCode.done;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: flags });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
