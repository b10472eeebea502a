/** A plan as Markdown: for a design document or a ticket. Text from files is escaped. */
import type { PlanDocument } from '../../planning/inputs/planDocument.js';
import { meaningOfNull, type PlanField } from '../../planning/inputs/planField.js';
import { inputOrigin } from '../../planning/inputs/inputOrigin.js';
import { planFields } from '../../planning/inputs/planFields.js';
import { planKeys, type PlanKey } from '../../planning/inputs/planInputs.js';
import { withUnit } from '../../planning/inputs/quantity.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import { markdownText } from '../../text/displayText.js';
import type { PlanPage, PlanRisk, PlanSection, PlanStep } from './planSection.js';
import type { PageChart } from '../chart.js';
import { chartLink, tableLines } from '../render/markdownTable.js';
import type { Statement } from '../statement.js';

/** @param chartFolder where the charts lie as `ID.svg`, relative to the Markdown; null shows their numbers as tables */
export function renderPlanMarkdown(
  plan: StoragePlan,
  page: PlanPage,
  document: PlanDocument,
  chartFolder: string | null,
): string {
  return [
    `# ${markdownText(`Storage plan: ${page.title}`)}`,
    '',
    `**${markdownText(page.headline)}**`,
    '',
    ...riskList('Blockers', page.impossible),
    ...page.numbers.flatMap(({ amount, text, kind }) => [statementLine({ amount, text, kind, detail: '' }), '']),
    ...stepList(page.actions),
    ...riskList('Risks most worth removing', page.risks),
    ...page.sections.flatMap((section) => sectionLines(section, chartFolder)),
    ...inputLines(plan, document),
  ].join('\n');
}

function stepList(actions: readonly PlanStep[]): string[] {
  const step = ({ title, text, code }: PlanStep, index: number): string[] => [
    `${index + 1}. **${markdownText(title)}.** ${markdownText(text)}`,
    '',
    ...(code === undefined
      ? []
      : [`   \`\`\`${code.language}`, ...code.text.split('\n').map((line) => `   ${line}`), '   ```', '']),
  ];
  return ['## What to do', '', ...actions.flatMap(step)];
}

function riskList(title: string, risks: readonly PlanRisk[]): string[] {
  if (risks.length === 0) return [];
  const line = ({ title: what, text, advice }: PlanRisk, index: number): string =>
    `${index + 1}. **${markdownText(what)}** ${markdownText(text)} ${markdownText(advice)}`;
  return [`## ${title}`, '', ...risks.map(line), ''];
}

function sectionLines({ title, lead, more, code, charts, tables, notes }: PlanSection, chartFolder: string | null): string[] {
  const statements = [lead, ...more];
  return [
    `## ${markdownText(title)}`,
    '',
    ...statements.flatMap((statement) => [statementLine(statement), '']),
    ...(code === undefined ? [] : [`\`\`\`${code.language}`, code.text, '```', '']),
    ...charts.flatMap((chart) => chartLines(chart, chartFolder)),
    ...tables.flatMap(tableLines),
    ...notes.flatMap((note) => [markdownText(note), '']),
    ...derivationLines(statements),
  ];
}

function statementLine({ amount, text, detail, kind }: Omit<Statement, 'derivation'>): string {
  const number = `**${kind === 'assumed' ? '~' : ''}${markdownText(amount)}**`;
  return `${number} ${markdownText(text)}${detail === '' ? '' : `  \n${markdownText(detail)}`}`;
}

function chartLines(chart: PageChart, chartFolder: string | null): string[] {
  if (chartFolder !== null) return chartLink(chart, chartFolder);
  return [`${markdownText(chart.title)}: ${markdownText(chart.summary)}`, '', ...tableLines(chart.table)];
}

function derivationLines(statements: readonly Statement[]): string[] {
  const derivations = statements.map(({ derivation }) => derivation).filter((derivation) => derivation !== null);
  if (derivations.length === 0) return [];
  return [
    'Where this comes from:',
    '',
    ...derivations.map(
      ({ formula, steps, source }) => `- ${[formula, ...steps].map(markdownText).join('; ')}. ${markdownText(source)}.`,
    ),
    '',
  ];
}

function inputLines({ inputs }: StoragePlan, document: PlanDocument): string[] {
  const row = (key: PlanKey): string =>
    `| ${[planFields[key].label, inputText(key, inputs[key]), originText(key, document)].map(markdownText).join(' | ')} |`;
  return ['## Inputs', '', '| input | value | from |', '| --- | ---: | --- |', ...planKeys.map(row), ''];
}

/** What an input is unless it is given: a value with its unit, or in words what the plan does without one. */
export function standardText(key: PlanKey): string {
  const field: PlanField = planFields[key];
  const meaning = field.kind === 'number' && field.standard === null ? meaningOfNull(field) : null;
  return meaning ?? inputText(key, field.standard);
}

/** A value with its unit, as the panel shows it. */
export function inputText(key: PlanKey, value: number | string | boolean | null): string {
  const field: PlanField = planFields[key];
  if (field.kind === 'choice') return field.choices.find((choice) => choice.value === value)?.label ?? String(value);
  if (field.kind === 'flag') return value === true ? 'yes' : 'no';
  if (typeof value !== 'number') return field.optional === true ? 'not set' : 'derived';
  return withUnit(value, field);
}

/** Where an input's value is from. */
export function originText(key: PlanKey, document: PlanDocument): string {
  const { inputs } = document;
  const origin = inputOrigin(document, key);
  if (origin?.kind === 'site') return `of ${origin.text}, sites file`;
  if (inputs[key] === undefined && origin !== undefined) return `of ${origin.text}`;
  if (inputs[key] === undefined || inputs[key] === null) {
    const field: PlanField = planFields[key];
    return field.kind === 'number' ? (meaningOfNull(field) ?? 'assumed') : 'assumed';
  }
  if (origin === undefined || origin.kind === 'set') return 'set';
  return origin.kind === 'preset' ? origin.text : `${origin.kind} in ${origin.text}`;
}
