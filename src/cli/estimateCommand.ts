import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { limits } from '../core/bytes/limits.js';
import { createConfigAccess } from '../core/configs/configAccess.js';
import { optimizerPlan } from '../core/configs/values/optimizerNames.js';
import { precisionOf } from '../core/configs/values/precisionNames.js';
import type { TrainingPlan } from '../core/configs/trainingPlan.js';
import { estimate, openConfig } from '../core/estimates/estimate.js';
import { parseAmount } from '../core/text/amounts.js';
import { buildEstimate } from '../core/estimates/buildEstimate.js';
import { renderEstimateMarkdown } from '../core/pages/estimate/estimateMarkdown.js';
import type { EstimateReport } from '../core/estimates/estimateReport.js';
import { renderEstimateTerminal } from '../core/pages/estimate/estimateTerminal.js';
import { visibleText } from '../core/text/visibleText.js';
import { describeIoError } from '../platform/ioError.js';
import { freeBytesFor, nodeConfigSources } from '../platform/nodeConfigSources.js';
import { exitCode } from './exitCode.js';
import { UsageError } from './usageError.js';
import { writeOut } from './writeOut.js';

/** `stowage estimate`; answers the exit code. */
export async function runEstimate(args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args);
  const [named, ...more] = positionals;
  if (named === undefined || more.length > 0) throw new UsageError('estimate takes one path');
  if (values.json === true && values.markdown === true) throw new UsageError('--json and --markdown exclude each other');
  const plan = planOfFlags(values);
  const place = await configAt(named);
  const text = await readText(place);
  if (typeof text !== 'string') {
    process.stderr.write(`stowage: ${visibleText(place)} cannot be read: ${visibleText(text.detail)}\n`);
    return exitCode.unreadable;
  }
  const config = await openConfig(place, text);
  if (config === null) {
    process.stderr.write(`stowage: ${visibleText(place)} is no config of a model or a training run that Stowage knows\n`);
    return exitCode.unreadable;
  }
  const folder = path.dirname(path.resolve(place));
  const access = createConfigAccess(nodeConfigSources(folder));
  const first = await estimate(config, access, { plan });
  const freeBytes = await freeBytesFor(folder, first.plan.outputFolder);
  const report = buildEstimate(await estimate(config, access, { plan, freeBytes }), place);
  await writeOut(render(report, values));
  return exitCode.done;
}

/** A folder stands for the config of the model in it. */
async function configAt(named: string): Promise<string> {
  const isFolder = await stat(named).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return isFolder ? path.join(named, 'config.json') : named;
}

async function readText(place: string): Promise<string | { detail: string }> {
  try {
    const { size } = await stat(place);
    if (size > limits.configCharacters * 4) return { detail: `it has ${size} bytes, more than any config` };
    const text = await readFile(place, 'utf8');
    return text.length > limits.configCharacters ? { detail: `it has ${text.length} characters, more than any config` } : text;
  } catch (error) {
    return { detail: describeIoError(error) };
  }
}

const flags = {
  json: { type: 'boolean' },
  markdown: { type: 'boolean' },
  'no-color': { type: 'boolean' },
  optimizer: { type: 'string' },
  precision: { type: 'string' },
  steps: { type: 'string' },
  'save-interval': { type: 'string' },
  keep: { type: 'string' },
} as const;

type Values = Partial<Record<'optimizer' | 'precision' | 'steps' | 'save-interval' | 'keep', string>>;

/** What the command line says over the config. */
function planOfFlags(values: Values): Partial<TrainingPlan> {
  const plan: Partial<TrainingPlan> = {};
  if (values.optimizer !== undefined) {
    const told = optimizerPlan(values.optimizer);
    if (told.optimizer === undefined || told.optimizer === 'unknown')
      throw new UsageError(`--optimizer: ${values.optimizer} is none that Stowage knows`);
    // What the config says of another optimizer's momentum is not this one's.
    Object.assign(plan, { hasMomentum: false }, told);
  }
  if (values.precision !== undefined) {
    const precision = precisionOf(values.precision);
    if (precision === undefined) throw new UsageError('--precision takes f32, bf16, f16 or f8');
    plan.precision = precision;
  }
  const count = (flag: 'steps' | 'save-interval' | 'keep') => {
    const text = values[flag];
    const value = text === undefined ? undefined : parseAmount(text);
    if (value === null || (value !== undefined && !Number.isSafeInteger(value)))
      throw new UsageError(`--${flag} takes a whole number`);
    return value;
  };
  const numbers = { steps: count('steps'), saveIntervalSteps: count('save-interval'), keep: count('keep') };
  for (const [key, value] of Object.entries(numbers)) if (value !== undefined) Object.assign(plan, { [key]: value });
  return plan;
}

function render(report: EstimateReport, values: { json?: boolean; markdown?: boolean; 'no-color'?: boolean }): string {
  if (values.json === true) return `${JSON.stringify(report, null, 2)}\n`;
  if (values.markdown === true) return renderEstimateMarkdown(report);
  const color = values['no-color'] !== true && process.env['NO_COLOR'] === undefined && process.stdout.isTTY;
  return renderEstimateTerminal(report, { width: process.stdout.columns || 100, color });
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: flags });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
