/** Plans side by side on the command line: of several paths, and of the first with other inputs. */
import type { PlanAnswer } from '../app/plans/planFrom.js';
import type { PlanInput } from '../app/useCaseInputs.js';
import { useCases } from '../app/useCases.js';
import { namedSettings, settingIn, settingsIn, type Setting } from '../core/planning/inputs/inputText.js';
import type { NamedPlan } from '../core/planning/comparison.js';
import { comparisonPage, comparisonToJson } from '../core/pages/plan/planComparison.js';
import { renderComparisonTerminal } from '../core/pages/plan/planTerminal.js';
import type { TerminalOptions } from '../core/pages/render/terminalText.js';
import { visibleText } from '../core/text/visibleText.js';
import { createNodePlatform } from '../platform/nodePlatform.js';
import { exitCode } from './exitCode.js';
import { given } from './flags.js';
import { UsageError } from './usageError.js';
import { writeAnswer } from './writeAnswer.js';

type Settings = NonNullable<PlanInput['set']>;

/** A plan; entries of a file that were ignored are said. */
export async function planOf(input: PlanInput): Promise<PlanAnswer> {
  const answer = await useCases.plan.run(createNodePlatform(__filename), input);
  for (const { key, text } of answer.problems) process.stderr.write(`stowage: ${visibleText(key)} ${visibleText(text)}\n`);
  return answer;
}

interface ComparisonFlags {
  against?: string[];
  all?: boolean;
  section?: string[];
  output?: string;
  markdown?: boolean;
  json?: boolean;
}

/** Plans of several paths, and of the first with other inputs. @throws UsageError for a form that there is not */
export async function printComparison(
  { against = [], all, section, output, markdown, ...forms }: ComparisonFlags,
  paths: readonly string[],
  { set, ...base }: Pick<PlanInput, 'preset' | 'sites' | 'cluster'> & { set: Settings },
): Promise<number> {
  if (all === true || section !== undefined || output !== undefined || markdown === true)
    throw new UsageError('plans side by side are a table, or --json');
  const inputs: PlanInput[] = [
    ...(paths.length === 0 ? [{ ...base, set }] : paths.map((one) => ({ path: one, ...base, set }))),
    ...against.map((other) => ({
      ...given('path', paths[0]),
      ...base,
      set: { ...set, ...settingsOf(namedSettings(other).settings) },
    })),
  ];
  const plans: NamedPlan[] = [];
  for (const [index, input] of inputs.entries()) {
    const { plan, document } = await planOf(input);
    plans.push({ plan, given: document.inputs, name: nameOf(against[index - Math.max(1, paths.length)]) ?? document.name });
  }
  const named = withOwnNames(plans, paths);
  const terminal = (options: TerminalOptions) => renderComparisonTerminal(comparisonPage(named), options);
  await writeAnswer({ json: () => comparisonToJson(named), terminal }, forms);
  return exitCode.done;
}

/** Plans of one name are called by their paths. */
function withOwnNames(plans: readonly NamedPlan[], paths: readonly string[]): NamedPlan[] {
  return plans.map((plan, index) => {
    const path = paths[index];
    const isShared = plans.some((other) => other !== plan && other.name === plan.name);
    return path !== undefined && isShared ? { ...plan, name: path } : plan;
  });
}

/** What other inputs are called, or themselves without a name. */
function nameOf(against: string | undefined): string | undefined {
  if (against === undefined) return undefined;
  const { name } = namedSettings(against);
  return name === '' ? against : name;
}

/** `gpus=520 store=nfs`: an input begins at each name. */
function settingsOf(text: string): Settings {
  return Object.fromEntries(settingsIn(text).map((setting) => setting ?? notSetting(text)));
}

/** @throws UsageError for what is no `key=value` */
export function settingOf(set: string): Setting {
  return settingIn(set) ?? notSetting(set);
}

function notSetting(text: string): never {
  throw new UsageError(`--set takes key=value, not ${visibleText(text)}`);
}
