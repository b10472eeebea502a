/** Plan files, and the options of a plan on the command line. */
import { planFields } from '../../src/core/planning/inputs/planFields.js';
import type { PlanDocument } from '../../src/core/planning/inputs/planDocument.js';
import { readPlanFile } from '../../src/core/planning/inputs/planFile.js';
import { writePlanFile } from '../../src/core/planning/inputs/writePlanFile.js';
import { documentOfPreset, planPresets } from '../../src/core/planning/inputs/presets.js';
import { makePlan } from '../../src/core/planning/storagePlan.js';
import { renderPlanMarkdown } from '../../src/core/pages/plan/planMarkdown.js';
import { planPage } from '../../src/core/pages/plan/planPage.js';
import { planReport, planToJson } from '../../src/core/pages/plan/planReport.js';
import { renderPlanTerminal } from '../../src/core/pages/plan/planTerminal.js';
import { withInputs } from '../../src/app/plans/planInputs.js';
import { InputError } from '../../src/app/useCaseError.js';
import type { FuzzTarget, Input } from '../target.js';

const dictionary = [
  ...Object.keys(planFields),
  'GiB',
  'TB',
  'min',
  'h',
  '%',
  'null',
  'true',
  'saved',
  'measured',
  'origins',
  'preset',
];
const decoder = new TextDecoder();
const encoder = new TextEncoder();

export function planTargets(): FuzzTarget[] {
  return [
    { name: 'plan-file', seeds: planFiles, formOf: () => 'json', dictionary, execute: planInput },
    { name: 'plan-options', seeds: planOptions, formOf: () => 'json', dictionary, execute: planFromOptions },
  ];
}

function planFiles(): Input[] {
  const presets = planPresets.map((preset) => writePlanFile(documentOfPreset(preset)));
  const saved = [{ path: 'a', step: 1, bytes: 10, savedAtSeconds: 5, isFinished: true, isLatest: false }];
  const measured = [{ label: 'weights', bytes: 5, isWeights: true }];
  const whole = writePlanFile({ ...documentOfPreset(planPresets[0] as never), saved, measured });
  return [...presets, whole].map((text) => ({ 'a.stowage-plan.json': encoder.encode(text) }));
}

function planInput(input: Input): void {
  const read = readPlanFile(decoder.decode(Object.values(input)[0]));
  if ('failure' in read) return;
  const again = readPlanFile(writePlanFile(read.document));
  if ('failure' in again) throw new Error(`what was written does not read back: ${again.failure}`);
  showPlan(read.document);
}

/** The name and everything else that comes out of the file, so that a word in it is no finding. */
const suspect = /\bNaN\b|\bundefined\b|\[object /;

function showPlan(document: PlanDocument): void {
  const plan = makePlan(document);
  const page = planPage(plan, document);
  const texts = [
    planToJson(planReport(plan, page, document, [])),
    renderPlanMarkdown(plan, page, document, null),
    renderPlanTerminal(page, { width: 80, color: false }),
  ];
  if (suspect.test(JSON.stringify(document))) return;
  for (const text of texts) {
    const found = suspect.exec(text);
    if (found !== null) throw new Error(`${found[0]} in: ${text.slice(Math.max(0, found.index - 80), found.index + 20)}`);
  }
}

function planOptions(): Input[] {
  const sets = Object.entries(planFields).map(([key, field]) => ({ [key]: String(field.standard ?? '1') }));
  const several = { parameters: '8B', checkpointBytes: '1.5 TB', intervalSeconds: '10 min', writeBytesPerSecond: '95 GB/s' };
  return [...sets, several].map((set) => ({ 'options.json': encoder.encode(JSON.stringify({ set })) }));
}

function planFromOptions(input: Input): void {
  const options = parsed(decoder.decode(Object.values(input)[0]));
  const set: Record<string, string> = {};
  for (const [key, value] of Object.entries(options))
    Object.defineProperty(set, key, { value: String(typeof value === 'object' ? '' : value), enumerable: true });
  try {
    showPlan(withInputs(null, { set }));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
}

function parsed(text: string): object {
  try {
    const { set } = JSON.parse(text) as { set?: unknown };
    return typeof set === 'object' && set !== null ? set : {};
  } catch {
    return {};
  }
}
