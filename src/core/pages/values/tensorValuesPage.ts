/** Values of one tensor in words: what matters in a sentence, the numbers, and a histogram. */
import { counted } from '../../text/quantities.js';
import { formatCount, formatShare } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';
import type { TensorNotRead, TensorValues } from '../../values/valuesReport.js';
import type { ExactNumber } from '../../values/valueSummary.js';
import type { HistogramChart } from '../chart.js';
import { histogramChart } from './histogramChart.js';
import { digitsOfType, valueText } from './valueText.js';
import { whyNotRead } from './whyNotRead.js';

export interface ValueFact {
  label: string;
  text: string;
  /** All digits, where the text has fewer; empty otherwise. */
  exact: string;
}

export interface TensorValuesPage {
  decision: string;
  isDamaged: boolean;
  facts: ValueFact[];
  /** Null where there is nothing to draw: no finite value, or one. */
  chart: HistogramChart | null;
}

export function tensorValuesPage(values: TensorValues): TensorValuesPage {
  return {
    decision: decisionOf(values),
    isDamaged: values.nan + values.inf > 0,
    facts: factsOf(values),
    chart: histogramChart(values),
  };
}

/** Why a tensor has no numbers, as a sentence. */
export function notReadSentence({ code, detail }: TensorNotRead): string {
  return `Not read: ${whyNotRead(code, false)}${detail === '' ? '' : ` (${visibleText(detail)})`}.`;
}

function decisionOf({ count, nan, inf, allZero, allEqual, min, basis, dtype }: TensorValues): string {
  const what = counted(count, basis === 'codes' ? 'stored code' : basis === 'parts' ? 'real or imaginary part' : 'value');
  if (count === 0) return 'It has no values.';
  if (nan + inf > 0) return `${listOf(nan, inf)} among ${what}.`;
  if (allZero) return `All ${what} are 0.`;
  if (allEqual && min !== null) return `All ${what} are ${valueText(min, digitsOfType(dtype, 5))}.`;
  return `No NaN and no Inf among ${what}.`;
}

function listOf(nan: number, inf: number): string {
  return [...(nan > 0 ? [`${formatCount(nan)} NaN`] : []), ...(inf > 0 ? [`${formatCount(inf)} Inf`] : [])].join(' and ');
}

function factsOf(values: TensorValues): ValueFact[] {
  const { count, nan, positiveInf, negativeInf, zeros, min, max, mean, std, first, sampled, dtype } = values;
  const fact = (label: string, text: string, exact = ''): ValueFact => ({ label, text, exact });
  const number = (label: string, value: ExactNumber | null, digits = 5): ValueFact =>
    fact(label, value === null ? '–' : valueText(value, digits), value === null ? '' : String(value));
  return [
    fact('values', `${formatCount(count)}${sampled === null ? '' : `, ${formatShare(sampled.share)} of all`}`),
    fact('NaN', formatCount(nan)),
    fact('+Inf', formatCount(positiveInf)),
    fact('−Inf', formatCount(negativeInf)),
    fact('zeros', `${formatCount(zeros)}${count === 0 || zeros === 0 ? '' : ` (${formatShare(zeros / count)})`}`),
    number('min', min, digitsOfType(dtype, 5)),
    number('max', max, digitsOfType(dtype, 5)),
    number('mean', mean),
    number('std', std),
    ...(first === null ? [] : [fact('first not finite', placeText(first))]),
  ];
}

function placeText({ index, path, offset }: NonNullable<TensorValues['first']>): string {
  const at = `${visibleText(path)}, byte ${formatCount(offset)}`;
  return index === null ? at : `[${index.join(', ')}] (${at})`;
}
