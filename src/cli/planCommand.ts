import { planFields } from '../core/planning/inputs/planFields.js';
import { gpuChoices } from '../core/planning/training/gpuModels.js';
import { planKeys } from '../core/planning/inputs/planInputs.js';
import { sectionIds, type SectionId } from '../core/pages/plan/planSection.js';
import { renderPlanTerminal, type PlanScope } from '../core/pages/plan/planTerminal.js';
import type { TerminalOptions } from '../core/pages/render/terminalText.js';
import { standardText } from '../core/pages/plan/planMarkdown.js';
import { visibleText } from '../core/text/visibleText.js';
import { exitCode } from './exitCode.js';
import { readCluster } from './planCluster.js';
import { exportPlan, exportsOf } from './planExport.js';
import { given, parseFlags, refuseTwoForms, reportFlags } from './flags.js';
import { planOf, printComparison, settingOf } from './planComparison.js';
import { writePlanMarkdown } from './planMarkdownFiles.js';
import { UsageError } from './usageError.js';
import { writeAnswer } from './writeAnswer.js';
import { writeOut } from './writeOut.js';

const flags = {
  ...reportFlags,
  inputs: { type: 'boolean' },
  preset: { type: 'string' },
  gpu: { type: 'string' },
  sites: { type: 'string' },
  set: { type: 'string', multiple: true },
  quota: { type: 'string' },
  used: { type: 'string' },
  'step-seconds': { type: 'string' },
  cluster: { type: 'boolean' },
  directory: { type: 'string' },
  partition: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  output: { type: 'string' },
  all: { type: 'boolean' },
  section: { type: 'string', multiple: true },
  against: { type: 'string', multiple: true },
  export: { type: 'string', multiple: true },
  'storage-class': { type: 'string' },
  volume: { type: 'string' },
} as const;

/** `stowage plan`; answers the exit code. */
export async function runPlan(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseFlags(args, flags);
  refuseTwoForms(values);
  if (values.inputs === true) return list();
  const scope = scopeOf(values);
  const exports = exportsOf(values);
  const [named] = positionals;
  const hasCapacity =
    positionals.length > 0 ||
    values.sites !== undefined ||
    (values.set ?? []).some((set) => set.startsWith('storeCapacityBytes='));
  if (values.used !== undefined && values.quota === undefined && !hasCapacity) throw new UsageError('--used goes with --quota');
  const set = {
    ...given('gpu', gpuOf(values.gpu)),
    ...given('storeCapacityBytes', values.quota),
    ...given('storeUsedBytes', values.used),
    ...given('stepSeconds', values['step-seconds']),
    ...Object.fromEntries((values.set ?? []).map(settingOf)),
  };
  const cluster = await readCluster(values);
  if (cluster === null) return exitCode.usage;
  const inputs = { ...given('preset', values.preset), ...given('sites', values.sites), ...cluster, set };
  if (positionals.length > 1 || values.against !== undefined) return printComparison(values, positionals, inputs);
  const answer = await planOf({ ...given('path', named), ...inputs });
  if (exports !== null) return exportPlan(answer, exports, values.output);
  if (values.output !== undefined) return writePlanMarkdown(values.output, answer);
  const terminal = (options: TerminalOptions) => renderPlanTerminal(answer.page, options, scope);
  await writeAnswer({ ...answer, terminal }, values);
  return exitCode.done;
}

/** What of the plan is printed. @throws UsageError */
function scopeOf({ all, section }: { all?: boolean; section?: string[] }): PlanScope {
  if (all === true && section !== undefined) throw new UsageError('--all and --section exclude each other');
  if (section === undefined) return all === true ? 'all' : 'brief';
  return section.flatMap((names) => names.split(',')).map(sectionOf);
}

function sectionOf(name: string): SectionId {
  const found = sectionIds.find((id) => id === name.trim());
  if (found === undefined) throw new UsageError(`there is no section ${visibleText(name)}: ${sectionIds.join(', ')}`);
  return found;
}

/** As its name is written in the table, whatever its case. @throws UsageError for one that is not listed */
function gpuOf(name: string | undefined): string | undefined {
  const id = name?.trim().toLowerCase();
  const known = gpuChoices.map(({ value }) => value);
  if (id === undefined || known.some((one) => one === id)) return id;
  throw new UsageError(`--gpu takes one of ${known.join(', ')}, not ${visibleText(id)}`);
}

/** All inputs with their defaults. */
async function list(): Promise<number> {
  const lines = planKeys.map((key) => {
    const field = planFields[key];
    return `${key.padEnd(28)} ${field.label}: ${field.hint} (${standardText(key)})`;
  });
  await writeOut(`${lines.join('\n')}\n`);
  return exitCode.done;
}
