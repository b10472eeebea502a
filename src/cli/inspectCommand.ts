import { parseArgs } from 'node:util';
import { FormatError } from '../core/bytes/formatError.js';
import { parseAmount } from '../core/text/amounts.js';
import { defaultReadPlan, isPlanNumber, readDemandOf, type ReadPlan } from '../core/datasets/readDemand.js';
import type { SamplingOptions } from '../core/datasets/text/estimateText.js';
import { inspect, type Inspection } from '../core/inspection/inspect.js';
import type { Severity } from '../core/findings/defineFinding.js';
import type { Report } from '../core/inspection/report.js';
import { visibleText } from '../core/text/visibleText.js';
import { listTensors, reportToJson } from '../core/inspection/reportJson.js';
import { renderMarkdown } from '../core/pages/reportMarkdown.js';
import { renderTerminal } from '../core/pages/reportTerminal.js';
import { formatBytes } from '../core/text/units.js';
import { createNodeFileTree } from '../platform/nodeFileTree.js';
import { datasetAround } from './datasetAround.js';
import { exitCode } from './exitCode.js';
import { readSampling, readTokenizer } from './samplingFlags.js';
import { UsageError } from './usageError.js';
import { writeOut } from './writeOut.js';

interface InspectArguments {
  path: string;
  form: 'text' | 'json' | 'markdown';
  tensors: boolean;
  failOn: Severity | undefined;
  allLengths: boolean;
  color: boolean;
  plan: Partial<ReadPlan>;
  sampling: Partial<SamplingOptions>;
  tokenizer: string | undefined;
}

/** `stowage inspect`; answers the exit code. */
export async function runInspect(args: readonly string[]): Promise<number> {
  const options = parseInspect(args);
  const tokenizer = options.tokenizer === undefined ? undefined : await readTokenizer(options.tokenizer);
  const root = await datasetAround(options.path);
  let inspection: Inspection;
  try {
    inspection = await inspect(await createNodeFileTree(root), {
      path: root,
      allLengths: options.allLengths,
      sampling: options.sampling,
      ...(tokenizer === undefined ? {} : { tokenizer }),
    });
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    process.stderr.write(`stowage: ${visibleText(options.path)} cannot be read: ${visibleText(error.detail)}\n`);
    return exitCode.unreadable;
  }
  const { report } = inspection;
  if (report.kind === 'dataset' && Object.keys(options.plan).length > 0)
    report.demand = readDemandOf(report, { ...defaultReadPlan(report), ...options.plan });
  if (options.tensors && report.kind === 'checkpoint') report.tensors = listTensors(inspection.tensors, report.files);
  await writeOut(render(report, options));
  return fails(report, options.failOn) ? exitCode.findings : exitCode.done;
}

function parseInspect(args: readonly string[]): InspectArguments {
  const { values, positionals } = parse(args);
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new UsageError('inspect takes one path');
  if (values.json === true && values.markdown === true) throw new UsageError('--json and --markdown exclude each other');
  const failOn = values['fail-on'];
  if (failOn !== undefined && failOn !== 'error' && failOn !== 'warning')
    throw new UsageError('--fail-on takes error or warning');
  const color = values['no-color'] !== true && process.env['NO_COLOR'] === undefined && process.stdout.isTTY;
  return {
    path,
    form: values.json === true ? 'json' : values.markdown === true ? 'markdown' : 'text',
    tensors: values.tensors === true,
    failOn,
    allLengths: values['all-lengths'] === true,
    color,
    plan: readPlan(values),
    sampling: readSampling(values),
    tokenizer: values.tokenizer,
  };
}

const flags = {
  json: { type: 'boolean' },
  markdown: { type: 'boolean' },
  tensors: { type: 'boolean' },
  'fail-on': { type: 'string' },
  'no-color': { type: 'boolean' },
  'all-lengths': { type: 'boolean' },
  tokenizer: { type: 'string' },
  seed: { type: 'string' },
  'sample-seconds': { type: 'string' },
  'tokens-per-second': { type: 'string' },
  'sequence-length': { type: 'string' },
  'train-tokens': { type: 'string' },
} as const;

const planFlags = {
  'tokens-per-second': 'tokensPerSecond',
  'sequence-length': 'sequenceLength',
  'train-tokens': 'trainingTokens',
} as const satisfies Record<string, keyof ReadPlan>;

/** The numbers of a training plan that were given. */
function readPlan(values: Partial<Record<keyof typeof planFlags, string>>): Partial<ReadPlan> {
  const plan: Partial<ReadPlan> = {};
  for (const [flag, key] of Object.entries(planFlags) as [keyof typeof planFlags, keyof ReadPlan][]) {
    const text = values[flag];
    if (text === undefined) continue;
    const value = parseAmount(text);
    if (value === null || !isPlanNumber(value)) throw new UsageError(`--${flag} takes a number above 0, such as 2.7M or 15T`);
    plan[key] = value;
  }
  return plan;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: flags });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function render(report: Report, options: InspectArguments): string {
  if (options.form === 'json') return `${reportToJson(report)}\n`;
  if (options.form === 'markdown') return renderMarkdown(report);
  const summary = renderTerminal(report, { width: process.stdout.columns ?? 80, color: options.color });
  const rows = (report.kind === 'checkpoint' ? (report.tensors ?? []) : []).map((tensor) =>
    [visibleText(tensor.name), tensor.dtype, `[${tensor.shape.join(', ')}]`, formatBytes(tensor.bytes), tensor.component].join(
      '\t',
    ),
  );
  return rows.length === 0 ? summary : `${summary}\n${rows.join('\n')}\n`;
}

function fails(report: Report, failOn: Severity | undefined): boolean {
  if (failOn === undefined) return false;
  return report.findings.some(
    (finding) => finding.severity === 'error' || (failOn === 'warning' && finding.severity === 'warning'),
  );
}
