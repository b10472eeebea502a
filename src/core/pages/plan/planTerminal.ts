/** A plan for a terminal: the recommendation, what is wrong, then the answers, each in a line or with all of its numbers. */
import { type TerminalOptions, painter, type Paint } from '../render/terminalText.js';
import { visibleText } from '../../text/visibleText.js';
import type { ComparisonPage } from './planComparison.js';
import type { PlanPage, PlanRisk, PlanSection, SectionId } from './planSection.js';
import type { PageTable } from '../table.js';
import type { Statement } from '../statement.js';

/** `brief`: the answer of each section in its first line, and what other bandwidths would cost. */
export type PlanScope = 'brief' | 'all' | readonly SectionId[];

export function renderPlanTerminal(page: PlanPage, options: TerminalOptions, scope: PlanScope = 'brief'): string {
  const paint = painter(options.color);
  const width = Math.max(40, options.width);
  const head = [
    paint('bold', visibleText(page.title)),
    '',
    ...riskBlock('Impossible', page.impossible, 'red', paint, width),
    ...wrapped(page.recommendation.join(' '), width),
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
export function renderComparisonTerminal({ decision, reasons, table }: ComparisonPage, options: TerminalOptions): string {
  const width = Math.max(40, options.width);
  return [
    ...[decision, ...reasons].flatMap((text) => wrapped(text, width)),
    ...tableBlock(table, painter(options.color)),
    '',
  ].join('\n');
}

/** Of the column with the names of sections. */
const nameWidth = 15;

function briefLines({ sections }: PlanPage, paint: Paint, width: number): string[] {
  const frontier = sections.flatMap(({ tables }) => tables).filter(({ id }) => id === 'bandwidth-frontier');
  const answers = sections.flatMap((section) => {
    const { id, lead } = section;
    const lines = wrapped(`${lead.kind === 'assumed' ? '~' : ''}${lead.amount} ${lead.text}`, width - nameWidth);
    const named = lines.map((line, index) => `  ${paint('dim', (index === 0 ? id : '').padEnd(nameWidth - 2))}${line}`);
    return [...named, ...codeBlock(section, ' '.repeat(nameWidth + 2))];
  });
  return [
    paint('bold', 'Answers'),
    ...answers,
    ...frontier.flatMap((table) => tableBlock(table, paint)),
    '',
    paint('dim', '--section NAME,… shows answers with their reasons, --all shows every one.'),
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

function codeBlock({ code }: PlanSection, indent: string): string[] {
  return code === undefined ? [] : code.text.split('\n').map((line) => indent + visibleText(line));
}

function sectionBlock(section: PlanSection, paint: Paint, width: number): string[] {
  const { title, lead, more, tables, notes } = section;
  return [
    paint('bold', visibleText(title)),
    ...[lead, ...more].flatMap((statement) => statementBlock(statement, paint, width)),
    ...codeBlock(section, '  '),
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

/** Lines of whole words, each after an indent. */
export function wrapped(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of visibleText(text).split(' ')) {
    if (word === '') continue;
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, indent + line];
}
