/** Values of tensors in words: whether any is NaN or infinite, what was not read, and a row for each tensor, what matters first. */
import { counted, listed } from '../../text/quantities.js';
import { formatBytes, formatCount, formatShare } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';
import { isFloatDtype } from '../../tensors/dtype.js';
import { isOfMissingData } from '../../values/missingData.js';
import { isTrainedMatrix } from '../../values/usualValues.js';
import type { NotReadCode } from '../../values/storedPlace.js';
import type { ExactNumber, Histogram } from '../../values/valueSummary.js';
import type { TensorNotRead, TensorValues, ValuesReport } from '../../values/valuesReport.js';
import { logOutcomeWords } from '../verification/loggedChecks.js';
import { digitsOfType, valueText } from './valueText.js';
import { whyNotRead } from './whyNotRead.js';
import type { ComparisonPage } from '../plan/planComparison.js';
import type { PageTable } from '../table.js';

/** @param mostRows of the table; its note counts the others */
export function valuesPage(report: ValuesReport, mostRows = Infinity): ComparisonPage {
  return {
    decision: headline(report),
    reasons: [...findingWords(report), ...notReadWords(report), ...logOutcomeWords(report.log)],
    table: table(report, mostRows),
  };
}

/** Whether any value is NaN or infinite, in a sentence, and what that leaves open, in others. */
export function headline(report: ValuesReport): string {
  const { tensors, notRead, bytesRead, sample, findings } = report;
  const all = tensors.length + notRead.length;
  const open = openWords(report)
    .map((sentence) => ` ${sentence}`)
    .join('');
  if (all === 0) return `There are no tensors here.${open}`;
  if (tensors.length === 0)
    return `${all === 1 ? 'The values of this tensor were not read.' : `Values of none of ${formatCount(all)} tensors were read.`}${open}`;
  const read =
    sample === null
      ? formatBytes(bytesRead)
      : `a sample: ${formatBytes(bytesRead)} of ${formatBytes(sample.ofBytes)}, ${formatShare(bytesRead / Math.max(1, sample.ofBytes))}`;
  const damaged = findings.filter(({ code }) => code === 'values-not-finite').reduce((sum, { more }) => sum + (more ?? 1), 0);
  if (damaged > 0)
    return `NaN or Inf in ${counted(damaged, 'tensor')} of ${formatCount(tensors.length)} that were read (${read}).${open}`;
  const of = open === '' ? '' : ' that were read';
  return `Weights and optimizer state${of} have no NaN and no Inf: ${counted(tensors.length, 'tensor')} (${read}).${open}`;
}

/** Why the answer is not one about all of the checkpoint. */
function openWords({ tensors, notRead, sample, findings }: ValuesReport): string[] {
  const all = formatCount(tensors.length + notRead.length);
  const absent = notRead.filter(({ code }) => code === 'no-file').length;
  const others = notRead.length - absent;
  const inPart = sample === null ? tensors.filter(({ sampled }) => sampled !== null).length : 0;
  const isSaid = tensors.length === 0;
  const errors = findings.filter(isOfMissingData);
  const [first] = errors;
  return [
    ...(absent === 0 ? [] : [`Of ${all} tensors ${formatCount(absent)} ${absent === 1 ? 'is' : 'are'} not here.`]),
    ...(others === 0 || isSaid ? [] : [`Of ${all} tensors ${formatCount(others)} ${others === 1 ? 'was' : 'were'} not read.`]),
    ...(inPart === 0 ? [] : [`Of ${all} tensors ${formatCount(inPart)} ${inPart === 1 ? 'is' : 'are'} here only in part.`]),
    ...(first === undefined
      ? []
      : [`The inspection has ${counted(errors.length, 'error')}: ${visibleText(first.message)}${errors.length > 1 ? ' …' : ''}`]),
    ...(sample === null || isSaid ? [] : ['What was not read is not known.']),
  ];
}

function findingWords({ findings }: ValuesReport): string[] {
  const shown = findings.slice(0, mostFindings).map(({ severity, message, path, offset }) => {
    const where = path === null ? '' : ` (${path}${offset === null ? '' : `:${offset}`})`;
    return `${severity}: ${message}${where}`;
  });
  const more = findings.length - shown.length;
  return [...shown, ...(more > 0 ? [`${counted(more, 'more finding')}: see --json.`] : [])].map(visibleText);
}

const mostFindings = 10;

/** What was not read and why, a sentence for each reason. */
export function notReadWords({ notRead }: ValuesReport): string[] {
  const byCode = new Map<NotReadCode, TensorNotRead[]>();
  for (const tensor of notRead) byCode.set(tensor.code, [...(byCode.get(tensor.code) ?? []), tensor]);
  return [...byCode].map(([code, tensors]) => {
    const bytes = tensors.reduce((sum, tensor) => sum + tensor.bytes, 0);
    const types = code === 'dtype' ? ` (${listed([...new Set(tensors.map(({ dtype }) => visibleText(dtype)))])})` : '';
    const size = bytes === 0 ? '' : `, ${formatBytes(bytes)}`;
    return `Not read: ${counted(tensors.length, 'tensor')}${size}: ${whyNotRead(code, true)}${types}.`;
  });
}

function table({ tensors }: ValuesReport, mostRows: number): PageTable {
  const labels = ['tensor', 'type', 'shape', 'NaN', 'Inf', 'zeros', 'min', 'max', 'mean', 'std', 'histogram'];
  const shown = whatMattersFirst(tensors).slice(0, mostRows);
  const more = tensors.length - shown.length;
  const codes = tensors.some(({ basis }) => basis === 'codes') ? 'Types with * are stored codes, before any scale. ' : '';
  return {
    id: 'values',
    caption: 'Values',
    columns: labels.map((label) => ({ label, isNumber: !['tensor', 'type', 'shape', 'histogram'].includes(label) })),
    rows: shown.map(row),
    note: `${codes}${more === 0 ? '' : `${counted(more, 'more tensor')}: see --json.`}`.trim(),
  };
}

/** Tensors with values that are not finite, then weights of one value, then those that reach farthest from 0. */
export function whatMattersFirst(tensors: readonly TensorValues[]): TensorValues[] {
  return [...tensors].sort((a, b) => b.nan + b.inf - a.nan - a.inf || rank(b) - rank(a) || reach(b) - reach(a));
}

/** Weights that are all of one value come before the others, where that is not usual. */
function rank({ name, dtype, shape, component, allEqual }: TensorValues): number {
  return allEqual && isTrainedMatrix(name, dtype, shape, component) ? 1 : 0;
}

/** The largest magnitude. It means nothing of integers, codes and single numbers such as a step: they come last. */
function reach({ dtype, basis, count, min, max }: TensorValues): number {
  if (basis === 'codes' || !isFloatDtype(dtype) || count <= 1) return -1;
  return Math.max(Math.abs(Number(min)), Math.abs(Number(max)));
}

function row(tensor: TensorValues): string[] {
  const { name, dtype, basis, shape, nan, inf, zeros, count, min, max, mean, std, histogram } = tensor;
  return [
    visibleText(name),
    `${visibleText(dtype)}${basis === 'codes' ? '*' : ''}`,
    `[${shape.join(', ')}]`,
    nan === 0 ? '' : formatCount(nan),
    inf === 0 ? '' : formatCount(inf),
    zeros === 0 ? '' : formatShare(zeros / count),
    ...[min, max].map((value) => shortValue(value, digitsOfType(dtype, 4))),
    ...[mean, std].map((value) => shortValue(value)),
    histogram === null ? '' : sparkline(histogram),
  ];
}

/** Four digits, and all of an extreme of integers; – for none. */
function shortValue(value: ExactNumber | null, digits = 4): string {
  return value === null ? '–' : valueText(value, digits).replace('−', '-');
}

const bars = '▁▂▃▄▅▆▇█';
const sparkColumns = 16;

/** Counts of even stretches between the least and the greatest value, the largest of them as the whole height. */
export function sparkline({ edges, counts }: Histogram): string {
  const [least, greatest] = [edges[0] ?? 0, edges.at(-1) ?? 0];
  if (least === greatest) return '';
  const columns = Array.from({ length: sparkColumns }, () => 0);
  counts.forEach((count, bin) => {
    const middle = (edges[bin] as number) / 2 + (edges[bin + 1] as number) / 2;
    const column = Math.floor(((middle - least) / (greatest - least)) * sparkColumns);
    (columns[Math.min(sparkColumns - 1, Math.max(0, column || 0))] as number) += count;
  });
  const most = Math.max(
    1,
    columns.reduce((a, b) => Math.max(a, b), 0),
  );
  return columns.map((count) => (count === 0 ? ' ' : bars[Math.min(7, Math.floor((count / most) * 8))])).join('');
}
