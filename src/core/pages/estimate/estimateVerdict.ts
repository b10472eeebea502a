/** The lines that the panel of an estimate opens with: whether it fits, how large a checkpoint is, and why. Text from files is not escaped. */
import type { EstimateReport } from '../../estimates/estimateReport.js';
import { formatBinaryBytes, formatBytes, formatPerParameter, formatShare } from '../../text/units.js';
import { counted } from '../../text/quantities.js';
import { visibleText } from '../../text/visibleText.js';
import { gravest, severityCounts } from '../findingCounts.js';
import type { ReportVerdict } from '../reportVerdict.js';
import {
  estimateSentences,
  estimateSum,
  parameterSentence,
  loadedInWords,
  cacheSentence,
  trainsNothingInWords,
} from './estimateLines.js';

/** `Fits: the run keeps 289 GB, 386 GB while the next save is written; 900 GB are free here, of which it takes 42.9 %.`, and how many findings there are, which are listed below. */
export function estimateVerdict(report: EstimateReport): ReportVerdict {
  const fit = fitOf(report);
  const counts = severityCounts(report);
  return {
    severity: gravest([fit.severity, ...counts.map(({ severity }) => severity)]),
    text: fit.text,
    more: counts.length === 0 ? '' : `${counts.map(({ text }) => text).join(', ')}.`,
  };
}

const unknownSize = 'How many parameters are saved is not known: bytes are given for each.';

function fitOf(report: EstimateReport): Pick<ReportVerdict, 'severity' | 'text'> {
  const { checkpoint, model, missingModel, run } = report;
  if (report.trainsNothing)
    return {
      severity: 'note',
      text: missingModel === null ? `${trainsNothingInWords}.` : `${missingModel.text}. ${trainsNothingInWords}.`,
    };
  const needed = run.peakBytes ?? checkpoint.bytes;
  if (needed === null) return { severity: 'note', text: missingModel === null ? unknownSize : `${missingModel.text}.` };
  const about = checkpoint.isAtLeast ? 'at least ' : model?.basis === 'shapes' ? 'about ' : '';
  const atOnce = run.bytes === null || run.bytes === needed ? '' : `, ${formatBytes(needed)} while the next save is written`;
  const what = `${run.bytes === null ? 'a checkpoint takes' : 'the run keeps'} ${about}${formatBytes(run.bytes ?? needed)}${atOnce}`;
  const { freeBytes } = run;
  if (freeBytes === null) return { severity: 'note', text: `Free space here is not known; ${what}.` };
  const free = `${formatBytes(freeBytes)} ${freeBytes === 1 ? 'is' : 'are'} free here`;
  if (needed <= freeBytes && checkpoint.isAtLeast)
    return { severity: 'note', text: `May fit: ${what}, and a critic that is not counted; ${free}.` };
  if (needed > freeBytes) return { severity: 'warning', text: `Does not fit: ${what}; ${free}.` };
  return {
    severity: 'fine',
    text: `Fits: ${what}; ${free}${freeBytes === 0 ? '' : `, of which it takes ${formatShare(needed / freeBytes)}`}.`,
  };
}

export interface EstimateHeadline {
  /** Of a checkpoint, or of the weights in memory where nothing is trained; empty while parameters are not known. */
  size: string;
  binarySize: string;
  totalBytes: number;
  /** Why it has that size. */
  answer: string;
  /** What the run keeps and reads; empty for most models. */
  more: string;
}

/** `112 GB (105 GiB)`, and the parameters and bytes of each that make it up; the bar has its parts. */
export function estimateHeadline(report: EstimateReport): EstimateHeadline {
  if (report.trainsNothing) return servingHeadline(report);
  const { bytes } = report.checkpoint;
  const sentences = estimateSentences(report);
  return {
    size: bytes === null ? '' : formatBytes(bytes),
    binarySize: bytes === null ? '' : formatBinaryBytes(bytes),
    totalBytes: bytes ?? 0,
    answer: bytes === null ? estimateSum(report) : `a checkpoint: ${savedInWords(report)}`,
    more: sentences.map((sentence) => `${visibleText(sentence)}.`).join(' '),
  };
}

/** `16.1 GB (15 GiB) of weights in memory: 8,030,261,248 parameters (8.03 B), bf16`. */
function servingHeadline(report: EstimateReport): EstimateHeadline {
  const weights = report.serving?.weights ?? null;
  const sentence = cacheSentence(report);
  return {
    size: weights === null ? '' : formatBytes(weights.bytes),
    binarySize: weights === null ? '' : formatBinaryBytes(weights.bytes),
    totalBytes: weights?.bytes ?? 0,
    answer:
      weights === null
        ? parameterSentence(report)
        : `of weights in memory: ${parameterSentence(report)}, ${loadedInWords(weights)}`,
    more: sentence === '' ? '' : `${visibleText(sentence)}.`,
  };
}

/** `8,030,261,248 parameters (8.03 B), 12.00 bytes each`: of an adapter those that it saves, out of those of the model. */
function savedInWords(report: EstimateReport): string {
  const { checkpoint, parameters } = report;
  const each = `${formatPerParameter(checkpoint.bytesPerParameter)} bytes each`;
  const saved = checkpoint.parameters;
  if (saved === null || saved === parameters?.unique) return `${parameterSentence(report)}, ${each}`;
  const whole = parameters === null ? '' : `, of a model of ${parameterSentence(report)}`;
  return `${counted(saved, 'saved parameter')}, ${each}${whole}`;
}
