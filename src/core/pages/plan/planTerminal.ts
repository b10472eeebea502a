/** A plan for a terminal: the recommendation, what is wrong, then the answers, each in a line or with all of its numbers. */
import { type TerminalOptions, painter, type Paint } from '../render/terminalText.js';
import { visibleText } from '../../text/visibleText.js';
import type { ComparisonPage } from './planComparison.js';
import type { CodeLines, KeyNumber, PlanPage, PlanRisk, PlanSection, PlanStep, SectionId } from './planSection.js';
import type { PageTable } from '../table.js';
import type { Statement } from '../statement.js';

/** `brief`: the decision, its numbers, what to do, and what other bandwidths would cost. */
export type PlanScope = 'brief' | 'all' | readonly SectionId[];

export function renderPlanTerminal(page: PlanPage, options: TerminalOptions, scope: PlanScope = 'brief'): string {
  const paint = painter(options.color);
  const width = Math.max(40, options.width);
  const head = [
    paint('dim', visibleText(page.title)),
    '',
    ...wrapped(page.headline, width).map((line) => paint('bold', line)),
    '',
    ...riskBlock('Blockers', page.impossible, 'red', paint, width),
    ...numberLines(page.numbers, paint, width),
    '',
    paint('bold', 'What to do'),
    ...page.actions.flatMap((action, index) => actionLines(action, index + 1, paint, width)),
    '',
  ];
  const risks = riskBlock('Risks most worth removing', page.risks, 'yellow', paint, width);
  if (scope === 'brief') return [...head, ...risks, ...briefLines(page, paint, width)].join('\n');
  const sections = scope === 'all' ? page.sections : page.sections.filter(({ id }) => scope.includes(id));
  return [...head, ...(scope === 'all' ? risks : []), ...sections.flatMap((section) => sectionBlock(section, paint, width))].join(
    '\n',
  );
}

/** Plans side by side. */
export function renderComparisonTerminal(
  { decision, reasons, table, tables = [], details = [] }: ComparisonPage,
  options: TerminalOptions,
): string {
  const width = Math.max(40, options.width);
  return [
    ...[decision, ...reasons].flatMap((text) => wrapped(text, width)),
    ...[table, ...tables].flatMap((each) => tableBlock(each, painter(options.color))),
    ...(details.length === 0 ? [] : ['', ...details.flatMap((detail) => wrapped(detail, width, '  '))]),
    '',
  ].join('\n');
}

/** The amounts in a column, each with what it is. */
function numberLines(numbers: readonly KeyNumber[], paint: Paint, width: number): string[] {
  const amounts = numbers.map(({ amount, kind }) => visibleText(`${kind === 'assumed' ? '~' : ''}${amount}`));
  const column = amounts.reduce((most, amount) => Math.max(most, [...amount].length), 0);
  return numbers.flatMap(({ text }, index) => {
    const [first = '', ...rest] = wrapped(text, width - column - 4);
    const amount = paint('bold', (amounts[index] ?? '').padEnd(column));
    return [`  ${amount}  ${first}`, ...rest.map((line) => `${' '.repeat(column + 4)}${line}`)];
  });
}

function actionLines({ title, text, code }: PlanStep, number: number, paint: Paint, width: number): string[] {
  const indent = '     ';
  return [
    ...wrapped(title, width - indent.length).map((line, index) =>
      paint('bold', `${index === 0 ? `  ${number}. ` : indent}${line}`),
    ),
    ...(text === '' ? [] : wrapped(text, width - indent.length).map((line) => indent + line)),
    ...(code === undefined ? [] : codeBlock(code, `${indent}  `)),
  ];
}

function briefLines({ sections }: PlanPage, paint: Paint, width: number): string[] {
  const [frontier] = sections.flatMap(({ tables }) => tables).filter(({ id }) => id === 'bandwidth-frontier');
  return [
    ...(frontier === undefined ? [] : tableBlock(frontier, paint).slice(1)),
    '',
    ...wrapped(
      `Reasons: --section ${sections.map(({ id }) => id).join(', ')}; --all shows every one. ~ rests on an assumed input.`,
      width,
    ).map((line) => paint('dim', line)),
    '',
  ];
}

function riskBlock(title: string, risks: readonly PlanRisk[], style: 'red' | 'yellow', paint: Paint, width: number): string[] {
  if (risks.length === 0) return [];
  return [
    paint(style, title),
    ...risks.flatMap(({ title: what, text, advice }) => wrapped(`${what}. ${text} ${advice}`, width, '  ')),
    '',
  ];
}

function codeBlock(code: CodeLines, indent: string): string[] {
  return code.text.split('\n').map((line) => indent + visibleText(line));
}

function sectionBlock(section: PlanSection, paint: Paint, width: number): string[] {
  const { title, lead, more, tables, notes } = section;
  return [
    paint('bold', visibleText(title)),
    ...[lead, ...more].flatMap((statement) => statementBlock(statement, paint, width)),
    ...(section.code === undefined ? [] : codeBlock(section.code, '  ')),
    ...tables.flatMap((table) => tableBlock(table, paint)),
    ...notes.flatMap((note) => wrapped(note, width, '  ')),
    '',
  ];
}

function statementBlock({ amount, text, detail, kind }: Statement, paint: Paint, width: number): string[] {
  const [first = '', ...rest] = wrapped(`${kind === 'assumed' ? '~' : ''}${amount} ${text}`, width, '  ');
  return [first, ...rest, ...(detail === '' ? [] : wrapped(detail, width, '    ').map((line) => paint('dim', line)))];
}

/** A longer cell is cut: reasons of a page fill it, and JSON and Markdown have them whole. */
const longestCell = 56;

/** Columns as wide as their longest cell: a table is not wrapped, so that it can be searched and cut. */
export function tableBlock({ caption, columns, rows, note }: PageTable, paint: Paint): string[] {
  if (rows.length === 0) return [];
  const cells = [columns.map(({ label }) => label), ...rows].map((row) => row.map(cellText));
  const widths = columns.map((_, index) => cells.reduce((most, row) => Math.max(most, [...(row[index] ?? '')].length), 0));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => padded(cell, widths[index] ?? 0, columns[index]?.isNumber === true))
      .join('  ')
      .trimEnd();
  const [heads = [], ...body] = cells;
  return [
    '',
    paint('dim', `  ${visibleText(caption)}`),
    `  ${paint('dim', line(heads))}`,
    ...body.map((row) => `  ${line(row)}`),
    ...(note === '' ? [] : [paint('dim', `  ${visibleText(note)}`)]),
  ];
}

function cellText(text: string): string {
  const characters = [...visibleText(text)];
  return characters.length > longestCell ? `${characters.slice(0, longestCell - 1).join('')}…` : characters.join('');
}

function padded(text: string, width: number, isNumber: boolean): string {
  const gap = ' '.repeat(Math.max(0, width - [...text].length));
  return isNumber ? gap + text : text + gap;
}

/** Blanks between words, but for those between a number and its unit. */
const betweenWords = / +(?!(?<=\d )(?:%|[kMGTPE]?i?B(?:\/s)?|[kMT]|s|ms|minutes|hours|d|days|×)(?![\w]))/;

/** Lines of whole words, each after an indent; a number stays with its unit. */
export function wrapped(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of visibleText(text).split(betweenWords)) {
    if (word === '') continue;
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, indent + line];
}
