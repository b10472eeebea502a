/** Two checkpoints side by side in words: what differs in a sentence, what a resume changes, then a table a subject. */
import type { SideName } from '../../comparison/comparedCheckpoint.js';
import type {
  ComparedSide,
  ComparisonFinding,
  ComparisonReport,
  OptimizerValues,
  RunDifferences,
  Sides,
  ValueDifference,
} from '../../comparison/comparisonReport.js';
import { labelOfComponent } from '../../checkpoints/segments.js';
import { damagedContents } from '../../findings/damagedContents.js';
import { capitalized } from '../../text/capitalized.js';
import { layoutLabels } from '../../text/frameworkLabels.js';
import { counted, listed, shortShare } from '../../text/quantities.js';
import { formatBytes, formatCount } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';
import type { ComponentId } from '../../tensors/component.js';
import type { ComparisonPage } from '../plan/planComparison.js';
import type { PageTable } from '../table.js';
import { fusedRows, notFiniteWords, rowWords, settingPlace, stepWords } from './comparedRows.js';

/** @param mostRows of each table; all without it */
export function comparisonPage(report: ComparisonReport, mostRows = Infinity): ComparisonPage {
  const tables = [
    tensorTable(report, mostRows),
    fusedTable(report, mostRows),
    valueTable(report, mostRows),
    layerTable(report, mostRows),
    optimizerValueTable(report, mostRows),
    settingTable(report, mostRows),
    tokenizerTable(report),
    fileTable(report, mostRows),
    stepTable(report, mostRows),
  ];
  return {
    decision: [...notWhole(report).map(({ words }) => words), headline(report)].join(' '),
    reasons: reasonsOf(report),
    table: sideTable(report),
    tables: tables.filter(({ rows }) => rows.length > 0),
  };
}

/** Whether a side is damaged, incomplete, or changed meanwhile. */
export function areWhole(report: ComparisonReport): boolean {
  return notWhole(report).length === 0;
}

/** What differs may come from a side that is not whole. The first finding of each kind a side. */
function notWhole({ findings: all, tensors }: ComparisonReport): { finding: ComparisonFinding; words: string }[] {
  const findings = all.filter(({ side, code }) => !(code === 'tensors-absent' && side !== null && areUnderALevel(tensors, side)));
  const listed = new Set<string>();
  return findings.flatMap((finding) => {
    const { side, severity, code } = finding;
    if (side === null || severity !== 'error') return [];
    const what = code === changed ? 'changed while it was compared' : isDamage(code) ? 'is damaged' : 'is incomplete';
    const others = findings.filter((other) => other.side === side && other.severity === severity && other.code !== changed);
    const kind = `${side} ${String(code === changed)}`;
    if (listed.has(kind)) return [];
    listed.add(kind);
    const more = code === changed || others.length === 1 ? '' : ` and ${counted(others.length - 1, 'more error')}`;
    const effect = code === changed ? 'differences may be of two states' : 'compared what is readable';
    return [{ finding, words: `${side.toUpperCase()} ${what}: ${placedMessage(finding).replace(/\.$/, '')}${more}; ${effect}.` }];
  });
}

/** The side has what its config names under other names, and nothing less than the other side. */
function areUnderALevel({ level, counts }: ComparisonReport['tensors'], side: SideName): boolean {
  return level?.side === side && (side === 'a' ? counts.added : counts.removed) === 0;
}

const changed = 'changed-while-compared';

function isDamage(code: string): boolean {
  return damagedContents.some((damaged) => damaged === code);
}

function placedMessage({ code, path, message }: ComparisonFinding): string {
  // Which file usually has them says nothing of what was compared.
  if (code === 'weights-missing') return 'No file has weights.';
  return visibleText(`${path === null ? '' : `${path}: `}${message}`);
}

function headline(report: ComparisonReport): string {
  const { tensors, settingCount, isSame, values, optimizer } = report;
  const unread = optimizer.a !== null && optimizer.b !== null ? 'values of tensors and optimizer state' : 'values of tensors';
  const checked = values === undefined ? `; ${unread} were not compared` : `; ${valueWords(report)}`;
  const others = report.files.areMatched ? ['settings', 'files'] : ['settings'];
  if (isSame) return `No differences in ${listed([counted(tensors.same, 'tensor'), ...others])}${checked}.`;
  const settings = settingCount === 0 ? '' : `${counted(settingCount, 'setting')} differ${settingCount === 1 ? 's' : ''}`;
  return `${capitalized(listOf([...tensorWords(report), settings]))}${checked}.`;
}

function valueWords({ valuesCompared, optimizer }: ComparisonReport): string {
  const { equal = 0, tensors = 0, resized = 0, notReadCount = 0, sample = null } = valuesCompared ?? {};
  const left = notReadCount === 0 ? '' : `, those of ${formatCount(notReadCount)} more were not read`;
  const rows = resized === 0 ? '' : `, of ${formatCount(resized)} in the rows that both have`;
  const part = sample === null ? '' : ` in a sample of ${shortShare(sample.share)}`;
  if (tensors === 0) return `values of no tensor of the model were compared${left}${optimizerWords(optimizer.values)}`;
  const of = tensors === 1 ? 'the one tensor' : `${formatCount(equal)} of ${counted(tensors, 'tensor')}`;
  return `values of ${of} ${tensors > 1 || equal === 1 ? 'are equal' : 'differ'}${rows}${part}${left}${optimizerWords(optimizer.values)}`;
}

function optimizerWords(values: OptimizerValues | undefined): string {
  if (values === undefined) return '';
  const left = values.notReadCount === 0 ? '' : `, those of ${formatCount(values.notReadCount)} more were not read`;
  return `; of the optimizer ${formatCount(values.equal)} of ${formatCount(values.tensors)}${left}`;
}

function listOf(parts: readonly string[]): string {
  return listed(parts.filter((part) => part !== ''));
}

function tensorWords({ tensors: { same, tied, counts } }: ComparisonReport): string[] {
  const total = counts.added + counts.removed + counts.renamed + counts.changed;
  if (total === 0 && same + tied === 0) return ['tensors of the model were not compared'];
  if (total === 0) return [`names and shapes of ${counted(same + tied, 'tensor')} of the model are the same`];
  const kinds = [
    [counts.added, 'added'],
    [counts.removed, 'removed'],
    [counts.renamed, 'renamed'],
    [counts.changed, 'changed in dtype or shape'],
  ] as const;
  const words = kinds.filter(([count]) => count > 0).map(([count, what]) => `${formatCount(count)} ${what}`);
  return [`${counted(same, 'tensor')} of the model the same, ${listed(words)}`];
}

function reasonsOf(report: ComparisonReport): string[] {
  const { resume, run, findings, notCompared } = report;
  const inHeadline = new Set(notWhole(report).map(({ finding }) => finding));
  return [
    ...fileOrDirectory(report),
    ...runWords(run),
    ...tensorNotes(report),
    ...resume.map(({ sentence }) => visibleText(sentence)),
    ...findingWords(findings.filter((finding) => !inHeadline.has(finding))),
    ...notCompared.map(({ side, what, reason }) => visibleText(`Not compared (${what}): ${sideWord(side)}${reason}`)),
  ];
}

/** What each side is, where one is a single file. */
function fileOrDirectory({ a, b, components: { weights } }: ComparisonReport): string[] {
  if (a.isFile === b.isFile) return [];
  const words = (side: ComparedSide, tensors: number): string =>
    `${side.isFile ? 'a single file' : `a directory of ${counted(side.files, 'file')}`} with ${counted(tensors, 'tensor')} of the model`;
  const { a: own, b: other } = weights ?? { a: { tensors: 0 }, b: { tensors: 0 } };
  return [`A is ${words(a, own.tensors)}, B ${words(b, other.tensors)}.`];
}

/** What both sides have alike is listed once. */
function findingWords(findings: readonly ComparisonFinding[]): string[] {
  const sides = new Map<string, string[]>();
  for (const finding of findings) {
    const words = placedMessage(finding);
    const known = sides.get(words) ?? [];
    if (finding.side !== null) known.push(finding.side.toUpperCase());
    sides.set(words, known);
  }
  return [...sides].map(([words, of]) => (of.length === 0 ? words : `${[...new Set(of)].join(' and ')}: ${words}`));
}

/** What is no difference of tensors, in sentences: those that a side has a second time, and those that are tied to another one. */
export function tensorNotes(report: ComparisonReport): string[] {
  return [...copyWords(report.tensors.copies), ...tieWords(report)];
}

function copyWords(copies: ComparisonReport['tensors']['copies']): string[] {
  const words = (side: string, paths: readonly string[]): string[] => {
    const [first] = paths;
    const more = paths.length > 1 ? ` and ${formatCount(paths.length - 1)} more` : '';
    return first === undefined ? [] : [visibleText(`${side} has tensors of the model a second time (${first}${more}).`)];
  };
  return copies === undefined ? [] : [...words('A', copies.a), ...words('B', copies.b)];
}

/** What the other side has in place of tensors that one side alone stores, and what that rests on. */
function tieWords({ tensors: { ties = [] }, values }: ComparisonReport): string[] {
  return ties.map(({ side, name, to, by }) => {
    const basis =
      by === 'storage'
        ? 'both are the same bytes of a file'
        : `the config ties both, values were ${values === undefined ? 'not compared' : `compared with ${to} of the other side`}`;
    return visibleText(`${name}, which ${side.toUpperCase()} alone stores, is tied to ${to}: ${basis}.`);
  });
}

function runWords(run: ComparisonReport['run']): string[] {
  if (run === undefined) return [];
  const { counts, firstOtherSettings } = run;
  const only = [
    counts.onlyA > 0 ? `${formatCount(counts.onlyA)} in A alone` : '',
    counts.onlyB > 0 ? `${formatCount(counts.onlyB)} in B alone` : '',
  ];
  return [
    `Both runs have ${listOf([counted(counts.both, 'step'), ...only])}.`,
    ...(firstOtherSettings === null
      ? []
      : [
          `Settings differ first at step ${formatCount(firstOtherSettings.step)} (${listOf(firstOtherSettings.labels.map(visibleText))}).`,
        ]),
    ...sizeWords(run),
  ];
}

/** With the difference, which may be less than both sizes show. */
function sizeWords({ firstOtherSize, steps }: RunDifferences): string[] {
  const { a, b } = steps.find(({ step }) => step === firstOtherSize)?.bytes ?? { a: null, b: null };
  if (firstOtherSize === null || a === null || b === null) return [];
  return [
    `Sizes differ first at step ${formatCount(firstOtherSize)}: B has ${formatBytes(Math.abs(b - a))} ${b > a ? 'more' : 'less'}.`,
  ];
}

function sideWord(side: 'a' | 'b' | null): string {
  return side === null ? '' : `${side.toUpperCase()}: `;
}

/** What both are: a row for each number, and one for each component. */
function sideTable(report: ComparisonReport): PageTable {
  const { a, b, components, optimizer } = report;
  const rows: [string, string, string][] = [
    ['path', a.path, b.path],
    ['layout', layoutLabels[a.layout], layoutLabels[b.layout]],
    ['step', countOrNone(a.step), countOrNone(b.step)],
    ['size', formatBytes(a.totalBytes), formatBytes(b.totalBytes)],
    ['files', formatCount(a.files), formatCount(b.files)],
    ['parameters', formatCount(a.parameters.unique), formatCount(b.parameters.unique)],
    ['ranks', countOrNone(a.topology.worldSize), countOrNone(b.topology.worldSize)],
    ['resume', a.resume, b.resume],
    ...Object.entries(components).map(([id, sizes]): [string, string, string] => [
      labelOfComponent(id as ComponentId),
      ...sidesOf(sizes, ({ bytes, tensors }) => `${formatBytes(bytes)}${tensors === 0 ? '' : `, ${counted(tensors, 'tensor')}`}`),
    ]),
    ['optimizer kind', optimizer.a?.kind ?? '–', optimizer.b?.kind ?? '–'],
    ['parameter groups', countOrNone(optimizer.a?.groups ?? null), countOrNone(optimizer.b?.groups ?? null)],
  ];
  return {
    id: 'sides',
    caption: 'Both checkpoints',
    columns: ['', 'A', 'B', ''].map((label) => ({ label, isNumber: false })),
    rows: rows
      .filter(([, own, other]) => own !== '–' || other !== '–')
      .map(([label, own, other]) => [
        label,
        visibleText(own),
        visibleText(other),
        own === other || label === 'path' ? '' : 'differs',
      ]),
    note: '',
  };
}

function countOrNone(count: number | null): string {
  return count === null ? '–' : formatCount(count);
}

function sidesOf<Value>({ a, b }: Sides<Value>, words: (value: Value) => string): [string, string] {
  return [words(a), words(b)];
}

function tensorTable({ tensors }: ComparisonReport, mostRows: number): PageTable {
  const { added, removed, renamed, changed, counts } = tensors;
  const form = ({ dtype, shape }: { dtype: string; shape: readonly number[] }): string =>
    `${dtype} ${shape.length === 0 ? 'scalar' : shape.join(' × ')}`;
  const rows = [
    ...changed.map(({ name, a, b }) => [name, 'changed', form(a), form(b)]),
    ...renamed.map(({ from, to }) => [from, 'renamed', from, to]),
    ...removed.map((own) => [own.name, 'removed', form(own), '–']),
    ...added.map((own) => [own.name, 'added', '–', form(own)]),
  ];
  const total = counts.added + counts.removed + counts.renamed + counts.changed;
  return cut('tensors', 'Tensors of the model', ['tensor', '', 'A', 'B'], rows, total, mostRows);
}

function fusedTable({ tensors }: ComparisonReport, mostRows: number): PageTable {
  const rows = fusedRows({ tensors }).map(({ a, b }) => [a, b]);
  return cut('fused', 'Tensors that are together on one side', ['A', 'B'], rows, tensors.fusedCount, mostRows);
}

/** Those that differ, the largest relative distance first, and those that were resized. */
function valueTable({ values, valuesCompared }: ComparisonReport, mostRows: number): PageTable {
  const rows = differentRows(values ?? []);
  return cut(
    'values',
    'Values that differ',
    ['tensor', ...measureLabels, ''],
    rows,
    Math.max(rows.length, valuesCompared?.different ?? 0),
    mostRows,
  );
}

function optimizerValueTable({ optimizer: { values } }: ComparisonReport, mostRows: number): PageTable {
  const rows = differentRows(values?.differences ?? []);
  const columns = ['tensor', ...measureLabels, ''];
  return cut('optimizerValues', 'Values of the optimizer that differ', columns, rows, values?.different ?? 0, mostRows);
}

function differentRows(values: readonly ValueDifference[]): string[][] {
  return values
    .filter(({ isEqual, rows }) => !isEqual || rows !== undefined)
    .sort((one, other) => (other.relativeL2 ?? Infinity) - (one.relativeL2 ?? Infinity) || 0)
    .map((own) => [own.name, ...measureCells(own), kindWords(own)]);
}

/** What the distances do not show. */
function kindWords(own: ValueDifference): string {
  return [
    ...rowWords(own),
    ...(own.roundedTo !== undefined ? [`rounded to ${own.roundedTo}`] : own.areCodes === true ? ['codes'] : []),
    ...(own.notFiniteIn.a + own.notFiniteIn.b === 0 ? [] : [notFiniteWords(own)]),
  ].join('; ');
}

function layerTable({ valuesCompared }: ComparisonReport, mostRows: number): PageTable {
  const rows = (valuesCompared?.layers ?? []).map((own) => [
    own.layer === '' ? 'outside of layers' : own.layer,
    `${formatCount(own.equal)} of ${formatCount(own.tensors)}`,
    ...measureCells(own),
  ]);
  return cut('layers', 'Values by layer', ['layer', 'equal', ...measureLabels], rows, valuesCompared?.layerCount ?? 0, mostRows);
}

/** d is b - a; the norm of a is the denominator. */
const measureLabels = ['max |d|', 'mean |d|', 'cosine', '‖d‖ / ‖a‖'];

function measureCells({ maxAbs, meanAbs, cosine, relativeL2 }: Measures): string[] {
  return [
    shortOrNone(maxAbs),
    shortOrNone(meanAbs),
    cosine === null ? '–' : String(Number(cosine.toFixed(6))),
    shortOrNone(relativeL2),
  ];
}

type Measures = Pick<ValueDifference, 'maxAbs' | 'meanAbs' | 'cosine' | 'relativeL2'>;

function shortOrNone(value: number | null): string {
  return value === null ? '–' : String(Number(value.toPrecision(3)));
}

function settingTable({ settings, settingCount }: ComparisonReport, mostRows: number): PageTable {
  const rows = settings.map((own) => [own.label, own.a ?? '–', own.b ?? '–', settingPlace(own)]);
  return cut('settings', 'Settings', ['setting', 'A', 'B', 'file'], rows, settingCount, mostRows);
}

function tokenizerTable({ tokenizer }: ComparisonReport): PageTable {
  const size = (bytes: number | null): string => (bytes === null ? '–' : formatBytes(bytes));
  const rows = tokenizer
    .filter(({ state }) => state !== 'same')
    .map(({ name, state, sizes }) => [name, state, size(sizes.a), size(sizes.b)]);
  return cut('tokenizer', 'Tokenizer', ['file', '', 'A', 'B'], rows, rows.length, Infinity);
}

function fileTable({ files }: ComparisonReport, mostRows: number): PageTable {
  const { added, removed, resized, counts } = files;
  const rows = [
    ...resized.map(({ path, a, b }) => [path, 'other size', formatBytes(a), formatBytes(b)]),
    ...removed.map(({ path, bytes }) => [path, 'removed', formatBytes(bytes), '–']),
    ...added.map(({ path, bytes }) => [path, 'added', '–', formatBytes(bytes)]),
  ];
  return cut('files', 'Files', ['file', '', 'A', 'B'], rows, counts.added + counts.removed + counts.resized, mostRows);
}

function stepTable({ run }: ComparisonReport, mostRows: number): PageTable {
  const size = (bytes: number | null): string => (bytes === null ? '–' : formatBytes(bytes));
  const rows = (run?.steps ?? []).map((own) => [
    formatCount(own.step),
    size(own.bytes.a),
    size(own.bytes.b),
    run === undefined ? '' : stepWords(run, own),
  ]);
  const counts = run?.counts ?? { both: 0, onlyA: 0, onlyB: 0 };
  return cut(
    'steps',
    'Steps of both runs',
    ['step', 'A', 'B', 'first of another'],
    rows,
    counts.both + counts.onlyA + counts.onlyB,
    mostRows,
  );
}

/** A table of at most so many rows, and how many there are. */
function cut(
  id: string,
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  total: number,
  mostRows: number,
): PageTable {
  const shown = rows.slice(0, mostRows);
  return {
    id,
    caption,
    columns: columns.map((label) => ({ label, isNumber: false })),
    rows: shown.map((row) => row.map(visibleText)),
    note: shown.length < total ? `${formatCount(shown.length)} of ${formatCount(total)}; --json has more.` : '',
  };
}
