/** Lines of an estimate that terminal, Markdown and hover share. Text from files is not escaped here. */
import type { EstimateReport } from '../../estimates/estimateReport.js';
import type { ServingSize } from '../../estimates/servingSize.js';
import type { ServingWeights } from '../../estimates/servingWeights.js';
import { optimizerInWords, termInWords } from '../../estimates/estimateWords.js';
import { configLabels } from '../../text/frameworkLabels.js';
import { formatBinaryBytes, formatBytes, formatCount, formatPerParameter, formatShortCount } from '../../text/units.js';

/** `LLaMA-Factory config · Qwen2 · LoRA`. */
export function estimateSubtitle({ config, model }: EstimateReport): string {
  const parts = [`${configLabels[config]} config`, ...(model === null ? [] : [model.name])];
  return parts.join(' · ');
}

/** `8,030,261,248 parameters (8.03 B)`; how sure that is comes with it. */
export function parameterSentence({ model, parameters, missingModel, trainsNothing }: EstimateReport): string {
  if (parameters === null || model === null)
    return [
      `${missingModel?.text ?? 'The model is not known'}.`,
      missingModel?.advice,
      trainsNothing ? '' : 'Bytes are per parameter.',
    ]
      .filter(Boolean)
      .join(' ');
  const about = model.basis === 'shapes' ? 'about ' : '';
  const { unique, total, active, trainable } = parameters;
  const notes = [
    `${formatShortCount(unique)}`,
    ...(model.basis === 'base-vocabulary' ? ['without tokens that the run adds'] : []),
    ...(model.basis === 'class-defaults' ? ['sizes that are not set are the class’s defaults'] : []),
    ...(total === unique ? [] : [`tied; ${formatCount(total)} counted in each place`]),
    ...(active === unique ? [] : [`${formatCount(active)} active`]),
    ...(trainable === null || trainable === unique ? [] : [`${formatCount(trainable)} trained`]),
  ];
  return `${about}${formatCount(unique)} parameters (${notes.join(', ')})`;
}

/** `14.00 bytes per parameter = 2.00 weights (bf16) + …`; empty where nothing is saved. */
export function estimateSum({ checkpoint }: EstimateReport): string {
  const terms = checkpoint.terms.map(
    ({ name, dtype, bytesPerParameter }) => `${termPerParameter(bytesPerParameter)} ${termInWords(name)} (${dtype})`,
  );
  if (terms.length === 0) return '';
  return `${formatPerParameter(checkpoint.bytesPerParameter)} bytes per parameter = ${terms.join(' + ')}`;
}

/** `16.1 GB (bf16)`: the weights alone as they are published; empty where the config does not say. */
export function storedInWords({ model }: EstimateReport): string {
  if (model === null || model.storedBytes === null || model.storedAs === null) return '';
  return `${formatBytes(model.storedBytes)} (${model.storedAs})`;
}

/** `2.00`; `< 0.01` for what an adapter adds to a whole model. */
export function termPerParameter(bytesPerParameter: number): string {
  return bytesPerParameter > 0 && bytesPerParameter < 0.005 ? '< 0.01' : formatPerParameter(bytesPerParameter);
}

/** `112 GB (105 GiB)`; null while parameters are not known, and where no checkpoint is written. */
export function checkpointInWords({ checkpoint, trainsNothing }: EstimateReport): string | null {
  const least = checkpoint.isAtLeast ? 'at least ' : '';
  return checkpoint.bytes === null || trainsNothing
    ? null
    : `${least}${formatBytes(checkpoint.bytes)} (${formatBinaryBytes(checkpoint.bytes)})`;
}

export const trainsNothingInWords = 'Nothing is trained, so no checkpoint is written';

/** `takes`, or `would take` where the run writes none. */
export function takesInWords({ run }: EstimateReport): string {
  return run.saves === 0 ? 'would take' : 'takes';
}

/** What the run leaves on disk, in one sentence; empty where the config does not say how often it saves. */
function runSentence({ run, training, checkpoint }: EstimateReport): string {
  if (run.kept === null) return '';
  if (run.saves === 0)
    return run.endBytes === null
      ? 'No checkpoint is written'
      : `No checkpoint is written; at the end the run leaves ${formatBytes(run.endBytes)}`;
  const saves = run.saves === null ? '' : ` of ${formatCount(run.saves)}`;
  const every = training.saveIntervalSteps === null ? '' : `, one every ${formatCount(training.saveIntervalSteps)} steps`;
  const least = checkpoint.isAtLeast ? 'at least ' : '';
  const size = run.bytes === null || checkpoint.bytes === null ? '' : `: ${least}${formatBytes(run.bytes)}`;
  const end = run.endBytes === null ? '' : `, ${formatBytes(run.endBytes)} of them in a folder of its own at the end`;
  const temporary = isNothing(run.temporaryBytes) ? '' : `, ${formatBytes(run.temporaryBytes ?? 0)} of them until the next one`;
  const last = run.lastBytes === null ? '' : `; the last one has weights only, ${formatBytes(run.lastBytes)}`;
  const free = run.freeBytes === null ? '' : `; ${formatBytes(run.freeBytes)} are free here`;
  if (run.kept === 0 && run.bytes !== null && run.peakBytes !== null)
    return `Checkpoints go when training ends${every}: ${formatBytes(run.peakBytes)} at most, and ${formatBytes(run.bytes)} at the end${free}`;
  const checkpoints = run.kept === 1 && run.saves === null ? 'checkpoint stays' : 'checkpoints stay';
  return `${formatCount(run.kept)}${saves} ${checkpoints} on disk${every}${size}${temporary}${end}${last}${free}`;
}

function isNothing(bytes: number | null): boolean {
  return bytes === null || bytes === 0;
}

/** `Serving takes 16.1 GB of weights (bf16) and 131 kB of cache a token: …`; empty where neither is known. */
export function servingSentence({ serving }: EstimateReport): string {
  if (serving === null || (serving.weights === null && serving.cache === null)) return '';
  const { weights, cache } = serving;
  const loaded = weights === null ? [] : [`${formatBytes(weights.bytes)} of weights (${loadedInWords(weights)})`];
  const each =
    cache === null ? [] : [`${formatBytes(cache.bytesPerToken)} of cache (${cache.dtype}) for each token of each sequence`];
  return `Serving takes ${[...loaded, ...each].join(' and ')}${sequencesInWords(serving)}`;
}

/** `bf16`, and `bf16, assumed` where no config says so. */
export function loadedInWords({ as, basis }: ServingWeights): string {
  return basis === 'assumed' ? `${as}, assumed` : as;
}

/** `Each token of each sequence adds 131 kB of cache (bf16): 17.1 GB with one of 8,192 tokens`; empty where that is not known. */
export function cacheSentence({ serving }: EstimateReport): string {
  if (serving === null || serving.cache === null) return '';
  const { bytesPerToken, dtype } = serving.cache;
  return `Each token of each sequence adds ${formatBytes(bytesPerToken)} of cache (${dtype})${sequencesInWords(serving)}`;
}

/** `: 17.1 GB with one of 8,192 tokens`, and with as many as the config has at once. */
function sequencesInWords({ weights, cache, sequences, cacheBytes }: ServingSize): string {
  if (cache === null || cache.bytes === null || cache.contextTokens === null) return '';
  const of = `of ${formatCount(cache.contextTokens)} tokens`;
  // Without the weights it is no sum.
  const what = weights === null ? ' of cache' : '';
  const whole = (bytes: number) => formatBytes((weights?.bytes ?? 0) + bytes);
  const one = `: ${whole(cache.bytes)}${what} with one ${of}`;
  return sequences === null || sequences === 1 || cacheBytes === null
    ? one
    : `${one}, ${whole(cacheBytes)} with ${formatCount(sequences)} at once`;
}

/** What the run reads, in one sentence; empty where that is not known. */
export function dataSentence({ data }: EstimateReport): string {
  if (data === null) return '';
  return `${formatShortCount(data.tokens)} tokens, ${formatBytes(data.bytes)} at ${data.bytesPerToken} bytes a token`;
}

/** Weights alone, run and data, as far as they are known: a sentence each, without its full stop. */
export function estimateSentences(report: EstimateReport): string[] {
  const stored = storedInWords(report);
  const data = dataSentence(report);
  // Of a training config, whose model sets no dtype here, the cache alone says little.
  const serving = report.trainsNothing || report.serving?.weights != null ? servingSentence(report) : '';
  const sentences = [
    report.trainsNothing ? trainsNothingInWords : runSentence(report),
    serving !== '' ? serving : stored === '' ? '' : `The model by itself is stored in ${stored}`,
    data === '' ? '' : `The run reads ${data}`,
  ];
  return sentences.filter((sentence) => sentence !== '');
}

/** What data-parallel ranks share. */
const shardingWords = {
  none: 'nothing',
  optimizer: 'optimizer state',
  gradients: 'optimizer state, gradients',
  weights: 'optimizer state, gradients, weights',
} as const;

/** What `trainingLines` are of: where nothing is trained the ranks are left. */
export function trainingTitle({ trainsNothing }: EstimateReport): string {
  return trainsNothing ? 'Ranks' : 'Training';
}

/** Facts of the training plan that the config tells, as label and value. */
export function trainingLines({ training }: EstimateReport): { label: string; value: string }[] {
  const count = (label: string, value: number | null) => (value === null ? [] : [{ label, value: formatCount(value) }]);
  return [
    ...count('steps', training.steps),
    ...count('epochs', training.epochs),
    ...count('save interval, steps', training.saveIntervalSteps),
    ...(training.saveMode === null ? [] : [{ label: 'saving', value: training.saveMode }]),
    ...count(training.keepEverySteps === null ? 'checkpoints kept' : 'newest checkpoints kept', training.keep),
    ...count('one kept every, steps', training.keepEverySteps),
    ...count('sequence length', training.sequenceLength),
    ...count('global batch', training.globalBatch),
    ...count('tokens a step', training.tokensPerStep),
    ...(training.precision === null ? [] : [{ label: 'precision', value: training.precision }]),
    // One that is not known is sized as Adam, which the terms say.
    ...(training.optimizer === null || training.optimizer === 'unknown'
      ? []
      : [{ label: 'optimizer', value: optimizerInWords(training.optimizer) }]),
    ...count('ZeRO stage', training.zeroStage),
    ...(training.sharding === null ? [] : [{ label: 'sharded', value: shardingWords[training.sharding] }]),
    ...count('sharded over GPUs', training.shardDegree),
    ...count('data parallel', training.dataParallel),
    ...count('tensor parallel', training.tensorParallel),
    ...count('pipeline parallel', training.pipelineParallel),
    ...count('context parallel', training.contextParallel),
    ...count('expert parallel', training.expertParallel),
  ];
}

/** Where the terms come from, those of one origin together: `first moment, second moment: the optimizer that the config names`. */
export function termSourceLines({ terms }: EstimateReport['checkpoint']): string[] {
  const bySource = new Map<string, string[]>();
  for (const { name, source } of terms) bySource.set(source, [...(bySource.get(source) ?? []), termInWords(name)]);
  return [...bySource].map(([source, names]) => `${names.join(', ')}: ${source}`);
}
