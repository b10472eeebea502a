/** An estimate in at most twelve lines of Markdown for a hover, and in one line for a lens. Text from files is escaped. */
import type { KeyEffect } from '../../estimates/keyEffect.js';
import { capitalized } from '../../text/capitalized.js';
import { markdownCode, markdownText } from '../../text/displayText.js';
import { dataSentence, loadedInWords, storedInWords, termPerParameter } from './estimateLines.js';
import type { TokenCache } from '../../estimates/servingSize.js';
import type { EstimateReport } from '../../estimates/estimateReport.js';
import { optimizerInWords, termInWords } from '../../estimates/estimateWords.js';
import { mostSevere } from '../findingCounts.js';
import { configLabels } from '../../text/frameworkLabels.js';
import { formatBytes, formatCount, formatShare, formatShortCount } from '../../text/units.js';

/** Targets of a card's links. */
export interface EstimateLinks {
  /** Opens the whole estimate. */
  plan: string;
  /** Opens the estimate where it tells the terms' origins. */
  why: string;
}

/** Values that are not resolved and findings that a card lists before it counts the rest. */
const listed = 2;

export function estimateHover(
  report: EstimateReport,
  hovered: { key: string; effect: KeyEffect | null },
  links: EstimateLinks,
): string {
  const lines = [
    ...effectLines(hovered.key, hovered.effect),
    parameterLine(report),
    report.trainsNothing ? servingLine(report) : storedLine(report),
    checkpointLine(report),
    runLine(report),
    dataLine(report),
    ...assumptionLines(report),
    ...findingLines(report),
    ...unresolvedLines(report),
    report.trainsNothing
      ? `[Open the estimate](${links.why})`
      : `[Plan storage](${links.plan}) · [Why ${formatPerParameterShort(report.checkpoint.bytesPerParameter)}?](${links.why})`,
  ];
  return lines.filter((line) => line !== '').join('  \n');
}

/** `8.03 B parameters · checkpoint 112 GB (14 B/param) · 10 kept = 1.1 TB`. */
export function estimateLens(report: EstimateReport): string {
  const { parameters, model, checkpoint, run } = report;
  const about = model?.basis === 'shapes' ? '~' : '';
  const least = checkpoint.isAtLeast ? '≥ ' : '';
  const rate = `${formatPerParameterShort(checkpoint.bytesPerParameter)} B/param`;
  const checkpointParts = [
    checkpoint.bytes === null ? `checkpoint ${rate}` : `checkpoint ${least}${about}${formatBytes(checkpoint.bytes)} (${rate})`,
    ...(run.kept === null || run.bytes === null
      ? []
      : [`${formatCount(run.kept)} kept${run.endBytes === null ? '' : ' + export'} = ${least}${formatBytes(run.bytes)}`]),
    ...freeWarning(run.peakBytes ?? checkpoint.bytes, run.freeBytes),
  ];
  const parts = [
    ...(parameters === null ? [] : [`${about}${formatShortCount(parameters.unique)} parameters`]),
    ...(parameters === null || parameters.active === parameters.unique ? [] : [`${formatShortCount(parameters.active)} active`]),
    ...(parameters === null || parameters.trainable === null || parameters.trainable === parameters.unique
      ? []
      : [`${formatShortCount(parameters.trainable)} trained`]),
    ...(report.trainsNothing ? servingParts(report) : checkpointParts),
  ];
  return parts.join(' · ');
}

/** `weights 16.1 GB`, `cache 131 kB a token`; without either, that nothing is trained. */
function servingParts({ serving }: EstimateReport): string[] {
  const { weights = null, cache = null } = serving ?? {};
  const parts = [
    ...(weights === null ? [] : [`weights ${formatBytes(weights.bytes)}`]),
    ...(cache === null ? [] : [`cache ${formatBytes(cache.bytesPerToken)} a token`]),
  ];
  return parts.length === 0 ? ['trains nothing'] : parts;
}

/** Only where the disk is too small for it. */
function freeWarning(bytes: number | null, freeBytes: number | null): string[] {
  return bytes === null || freeBytes === null || bytes <= freeBytes ? [] : [`⚠ only ${formatBytes(freeBytes)} free here`];
}

/** `14` rather than `14.00`, `2.03` where it is no whole number. */
export function formatPerParameterShort(bytesPerParameter: number): string {
  return termPerParameter(bytesPerParameter).replace(/\.?0+$/, '');
}

function parameterLine({ model, missingModel, parameters, config }: EstimateReport): string {
  if (model === null || parameters === null)
    return `**${configLabels[config]}** · ${markdownText(missingModel?.text ?? 'the model is not known')}`;
  const { total, unique, active, trainable } = parameters;
  const notes = [
    formatShortCount(unique),
    ...(total === unique ? [] : ['tied']),
    ...(active === unique ? [] : [`${formatCount(active)} active`]),
    ...(trainable === null || trainable === unique ? [] : [`${formatCount(trainable)} trained`]),
  ];
  const count = model.basis === 'shapes' ? `*~${formatCount(unique)} parameters*` : `${formatCount(unique)} parameters`;
  return `**${markdownText(model.name)} · ${count}** (${notes.join(', ')})`;
}

/** `Weights in memory **16.1 GB** (bf16) + 131 kB of cache a token, 1.07 GB at 8,192, 275 GB for 256 sequences`. */
function servingLine({ serving }: EstimateReport): string {
  const { weights = null, cache = null, sequences = null, cacheBytes = null } = serving ?? {};
  const loaded =
    weights === null ? '' : `Weights in memory **${formatBytes(weights.bytes)}** (${markdownText(loadedInWords(weights))})`;
  const all =
    sequences === null || sequences === 1 || cacheBytes === null
      ? ''
      : `, ${formatBytes(cacheBytes)} for ${formatCount(sequences)} sequences`;
  return [loaded, cache === null ? '' : `${cacheInWords(cache)}${all}`].filter((part) => part !== '').join(' + ');
}

/** `131 kB of cache a token, 1.07 GB at 8,192` */
function cacheInWords({ bytesPerToken, bytes, contextTokens }: TokenCache): string {
  const whole = bytes === null ? '' : `, ${formatBytes(bytes)} at ${formatCount(contextTokens ?? 0)}`;
  return `${formatBytes(bytesPerToken)} of cache a token${whole}`;
}

/** Only of a model's own config: a training config writes its checkpoints in its own way. */
function storedLine(report: EstimateReport): string {
  const stored = storedInWords(report);
  if (stored === '' || report.config !== 'huggingface-model') return '';
  const cache = report.serving?.cache ?? null;
  const serving = cache === null ? '' : ` · serving + ${cacheInWords(cache)}`;
  return `Weights alone ${markdownText(stored)}${serving}`;
}

function checkpointLine(report: EstimateReport): string {
  const { checkpoint, config, parameters } = report;
  if (report.trainsNothing) return '';
  const sum = shortTerms(report).join(' + ');
  if (sum === '') return '';
  if (checkpoint.bytes === null || checkpoint.parameters === null)
    return `Checkpoint **${formatPerParameterShort(checkpoint.bytesPerParameter)} B a parameter** = ${sum}`;
  const whose = parameters !== null && checkpoint.parameters !== parameters.unique ? ' trained' : '';
  const about = config === 'huggingface-model' ? ' in training' : checkpoint.isAtLeast ? ' at least' : '';
  return `Checkpoint${about} **${formatBytes(checkpoint.bytes)}** = ${formatShortCount(checkpoint.parameters)}${whose} × (${sum})`;
}

/** `2 weights bf16`, `4 master f32`, `8 Adam f32`: moments of one dtype together, as people count them. */
function shortTerms({ checkpoint, training }: EstimateReport): string[] {
  const { terms } = checkpoint;
  const [first, second] = [terms.find(isMoment), terms.filter(isMoment)[1]];
  const isPair = first !== undefined && second !== undefined && first.dtype === second.dtype;
  return terms
    .filter((term) => !isPair || term !== second)
    .map((term) => {
      const bytes = term.bytesPerParameter + (isPair && term === first ? second.bytesPerParameter : 0);
      const name = isPair && term === first ? optimizerInWords(training.optimizer) : termInWords(term.name);
      return `${formatPerParameterShort(bytes)} ${name} ${term.dtype}`;
    });
}

function isMoment({ name }: { name: string }): boolean {
  return name === 'firstMoment' || name === 'secondMoment';
}

/** How much stays on disk, and where that is too much what to do: one line, which gives the bytes once. */
function runLine({ run, checkpoint, training, findings, trainsNothing }: EstimateReport): string {
  if (trainsNothing || run.kept === null || run.bytes === null || checkpoint.bytes === null) return '';
  const warning = runFindings(findings).map(({ advice }) => ` ⚠ ${markdownText(advice)}`)[0] ?? '';
  const all = training.keep === null && run.saves === run.kept ? 'All ' : '';
  const last = run.lastBytes === null ? '' : `, the last ${formatBytes(run.lastBytes)}`;
  const end = run.endBytes === null ? '' : ` + ${formatBytes(run.endBytes)} at the end`;
  const temporary =
    run.temporaryBytes === null || run.temporaryBytes === 0 ? '' : ` + ${formatBytes(run.temporaryBytes)} until the next one`;
  const sum = `${all}${formatCount(run.kept)} kept × ${formatBytes(checkpoint.bytes)}${last}${temporary}${end} = **${formatBytes(run.bytes)}**`;
  if (run.freeBytes === null) return `${sum}${warning}`;
  const needed = run.peakBytes ?? run.bytes;
  const isTooMuch = needed > run.freeBytes;
  const share = run.freeBytes === 0 || isTooMuch ? '' : `, ${formatShare(needed / run.freeBytes)} of it at most`;
  return `${sum} · free here: ${formatBytes(run.freeBytes)}${share}${isTooMuch && warning === '' ? ' ⚠' : warning}`;
}

/** Findings about how much stays on disk, the worse one first. */
function runFindings(findings: EstimateReport['findings']): EstimateReport['findings'] {
  return findings.filter(({ code }) => code === 'checkpoints-exceed-free-space' || code === 'every-checkpoint-kept');
}

function dataLine(report: EstimateReport): string {
  const sentence = dataSentence(report);
  return sentence === '' ? '' : `Data: ${sentence}`;
}

function effectLines(key: string, effect: KeyEffect | null): string[] {
  if (effect === null) return [];
  if (effect.kind === 'optimizers') {
    const choices = effect.choices.map(({ optimizer, bytesPerParameter, checkpointBytes }) => {
      const size = checkpointBytes === null ? `${formatPerParameterShort(bytesPerParameter)} B` : formatBytes(checkpointBytes);
      return `${optimizerInWords(optimizer)} ${size}`;
    });
    return [`${markdownCode(key)}: a checkpoint with ${choices.join(', ')}`];
  }
  const parts = [
    ...signed(effect.parameters, (value) => `${formatCount(value)} parameters`),
    ...(effect.parameters === effect.activeParameters
      ? []
      : signed(effect.activeParameters, (value) => `${formatCount(value)} active`)),
    ...signed(effect.checkpointBytes, (value) => `${formatBytes(value)} a checkpoint`),
    ...(effect.checkpointBytes === 0 ? signed(effect.runBytes, (value) => `${formatBytes(value)} over the run`) : []),
  ];
  return parts.length === 0 ? [] : [`${markdownCode(key)}: ${effect.label} = ${parts.join(', ')}`];
}

function signed(value: number | null, words: (magnitude: number) => string): string[] {
  if (value === null || value === 0) return [];
  return [`${value > 0 ? '+' : '−'}${words(Math.abs(value))}`];
}

/** Only what was assumed: what the config says itself needs no line. */
function assumptionLines({ checkpoint, assumptions, model }: EstimateReport): string[] {
  const assumed = [...new Set(checkpoint.terms.map(({ source }) => source).filter((source) => source.startsWith('assumed')))];
  const origin = model?.origin == null ? [] : [`sizes of the model from ${model.origin}`];
  const texts = [...origin, ...assumed, ...assumptions.slice(0, listed).map(({ text }) => text)];
  return texts.length === 0 ? [] : [`*${markdownText(capitalized(texts.join('; ')))}*`];
}

/** What the line of the run does not have. */
function findingLines(report: EstimateReport): string[] {
  const said = runLine(report) === '' ? [] : runFindings(report.findings);
  const findings = report.findings.filter((finding) => !said.includes(finding));
  const { shown, rest } = mostSevere(findings, listed);
  return [...shown.map(({ message }) => `⚠ ${markdownText(message)}`), ...(rest === '' ? [] : [rest])];
}

function unresolvedLines({ unresolved }: EstimateReport): string[] {
  if (unresolved.length === 0) return [];
  const names = unresolved.slice(0, listed).map(({ key, text }) => `${markdownCode(key)} (${markdownText(text.slice(0, 60))})`);
  const more = unresolved.length > listed ? ` and ${formatCount(unresolved.length - listed)} more` : '';
  return [`Not resolved: ${names.join(', ')}${more}`];
}
