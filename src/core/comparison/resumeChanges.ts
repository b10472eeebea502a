/** What a job that resumes from B finds other than one that resumes from A, each in a sentence that rests on a fact of both reports. */
import type { CheckpointReport } from '../checkpoints/checkpointReport.js';
import { labelOfComponent } from '../checkpoints/segments.js';
import { capitalized } from '../text/capitalized.js';
import { layoutLabels, type LayoutId } from '../text/frameworkLabels.js';
import { counted } from '../text/quantities.js';
import { formatCount } from '../text/units.js';
import { isComputing } from './modelKeys.js';
import { savedInstead } from './savedSettings.js';
import { areEqualTexts } from './settingDifferences.js';
import type {
  OptimizerDifferences,
  OptimizerSide,
  ResumeChange,
  SettingDifference,
  TensorDifferences,
  TokenizerFileDifference,
} from './comparisonReport.js';

/** What the changes follow from. */
export interface ResumeFacts {
  a: CheckpointReport;
  b: CheckpointReport;
  settings: readonly SettingDifference[];
  tensors: TensorDifferences;
  optimizer: OptimizerDifferences;
  tokenizer: readonly TokenizerFileDifference[];
}

export function resumeChanges(facts: ResumeFacts): ResumeChange[] {
  return [
    ...stepChange(facts),
    ...verdictChange(facts),
    ...stateChanges(facts),
    ...settingChanges(facts),
    ...modelSettingChanges(facts),
    ...precisionChange(facts),
    ...rankChange(facts),
    ...topologyChange(facts),
    ...optimizerChange(facts),
    ...tensorChange(facts),
    ...nameChange(facts),
    ...tokenizerChange(facts),
    ...layoutChange(facts),
  ];
}

function stepChange({ a: { step: a }, b: { step: b } }: ResumeFacts): ResumeChange[] {
  if (a === null || b === null || a === b) return [];
  const way = b > a ? 'later' : 'earlier';
  return [
    {
      id: 'step',
      sentence: `Training resumes at step ${formatCount(b)} instead of ${formatCount(a)}, ${counted(Math.abs(b - a), 'step')} ${way}.`,
      a: String(a),
      b: String(b),
    },
  ];
}

function verdictChange({ a: { resume: a }, b: { resume: b } }: ResumeFacts): ResumeChange[] {
  if (a.verdict === b.verdict) return [];
  return [{ id: 'verdict', sentence: `Resume is ${b.verdict} from B and ${a.verdict} from A.`, a: a.verdict, b: b.verdict }];
}

/** State that one side alone lacks, with what its absence means. */
function stateChanges({ a: { resume: a }, b: { resume: b } }: ResumeFacts): ResumeChange[] {
  const [lacksA, lacksB] = [new Set(a.missing.map(lacked)), new Set(b.missing.map(lacked))];
  const lost = b.missing
    .filter((missing) => !lacksA.has(lacked(missing)) && a.present.includes(missing.component))
    .map(({ component, effect }): ResumeChange => {
      const label = labelOfComponent(component);
      return { id: 'missing-state', sentence: `B lacks ${label}, which A has: ${effect}`, a: label, b: null };
    });
  const gained = a.missing
    .filter((missing) => !lacksB.has(lacked(missing)) && b.present.includes(missing.component))
    .map(({ component }): ResumeChange => {
      const label = labelOfComponent(component);
      return { id: 'more-state', sentence: `B has ${label}, which A lacks.`, a: null, b: label };
    });
  return [...lost, ...gained];
}

function lacked({ component }: CheckpointReport['resume']['missing'][number]): string {
  return component;
}

/** Facts by which training goes on in another way, in the order in which they are listed. */
const settingsOfResume: Readonly<Record<string, ResumeChange['id']>> = {
  baseLearningRates: 'learningRate',
  initialLearningRate: 'learningRate',
  learningRate: 'learningRate',
  weightDecay: 'optimizer-setting',
  betas: 'optimizer-setting',
  epsilon: 'optimizer-setting',
  momentum: 'optimizer-setting',
  scheduler: 'scheduler',
  schedulerStep: 'scheduler',
  warmupSteps: 'scheduler',
  epoch: 'data-position',
  samplesSeen: 'data-position',
  tokensSeen: 'data-position',
  batchSize: 'batch',
  deviceBatchSize: 'batch',
  gradientAccumulation: 'batch',
  sequenceLength: 'batch',
  maxSteps: 'run-length',
  epochs: 'run-length',
  lossScale: 'precision',
  seed: 'seed',
  dataSeed: 'seed',
};

/** Settings and positions that both state; of several of one kind, as of groups of parameters, the first. */
function settingChanges({ a: own, b: other, settings }: ResumeFacts): ResumeChange[] {
  const stated = settings.filter(({ kind, a, b }) => kind === 'state' && a !== null && b !== null);
  return Object.entries(settingsOfResume).flatMap(([name, id]): ResumeChange[] => {
    const setting = stated.find((own) => own.name === name);
    if (setting === undefined) return [];
    const { a, b, label } = setting;
    const change = `${b ?? ''} instead of ${a ?? ''}`;
    const saved = savedInstead(setting, { a: own, b: other });
    if (saved !== undefined) {
      // What differs in the saved state is listed by itself.
      if (!areEqualTexts(saved.a, saved.b)) return [];
      const source = name === 'initialLearningRate' ? 'the optimizer has' : 'the arguments say';
      const unused = `${source} ${change}, which a resume does not use: the ${saved.of} has ${saved.b}`;
      return [{ id: 'unused-argument', sentence: `${capitalized(label)}: ${unused}.`, a, b }];
    }
    const sentence = name === 'learningRate' ? `The learning rate is ${change}.` : `${capitalized(label)}: ${change}.`;
    return [{ id, sentence, a, b }];
  });
}

/** Keys that are named one by one. */
const namedModelKeys = 4;

/** Keys of configs that the model computes by; another type of model has other ones. */
function modelSettingChanges({ settings }: ResumeFacts): ResumeChange[] {
  const found = settings.filter(({ kind, name }) => kind === 'config' && isComputing(name));
  const [first] = found;
  const isOtherModel = settings.some(({ kind, name }) => kind === 'config' && name === 'model_type');
  if (first === undefined || isOtherModel) return [];
  const changes = found
    .slice(0, namedModelKeys)
    .map(({ name, a, b }) => `${name} ${b ?? 'not set'} instead of ${a ?? 'not set'}`);
  const more = found.length > namedModelKeys ? `, and ${counted(found.length - namedModelKeys, 'more key')}` : '';
  const sentence = `The model computes with other settings: ${changes.join(', ')}${more}.`;
  return [{ id: 'model-setting', sentence, a: first.a, b: first.b }];
}

function precisionChange({ a, b }: ResumeFacts): ResumeChange[] {
  const [own, other] = [precisionOf(a), precisionOf(b)];
  if (own === null || other === null || own === other) return [];
  return [{ id: 'precision', sentence: `Training precision: ${other} instead of ${own}.`, a: own, b: other }];
}

/** By the switches of mixed precision; null where no file states them. */
function precisionOf({ facts }: CheckpointReport): 'bf16' | 'fp16' | 'f32' | null {
  const valueOf = (id: string): string | undefined => facts.find((fact) => fact.id === id)?.value.toLowerCase();
  const [bf16, fp16] = [valueOf('bf16'), valueOf('fp16')];
  if (bf16 === 'true') return 'bf16';
  if (fp16 === 'true') return 'fp16';
  return bf16 === undefined && fp16 === undefined ? null : 'f32';
}

/** Sizes of the job but its ranks, which are listed with what loads them. */
function topologyChange({ settings }: ResumeFacts): ResumeChange[] {
  return settings
    .filter(({ kind, name }) => kind === 'topology' && name !== 'worldSize' && name !== 'dataParallel')
    .map(({ label, a, b }) => ({ id: 'ranks', sentence: `${capitalized(label)}: ${b ?? ''} instead of ${a ?? ''}.`, a, b }));
}

function rankChange({ a, b }: ResumeFacts): ResumeChange[] {
  const [own, other] = [a.topology.worldSize, b.topology.worldSize];
  if (own === null || other === null || own === other) return [];
  const how = {
    any: 'any number of ranks loads it',
    convert: 'other sizes load it after a conversion',
    same: 'no other number loads it',
  };
  const can = b.resume.reshard === undefined ? '' : `; ${how[b.resume.reshard.can]}`;
  const sentence = `B was saved by ${counted(other, 'rank')}, A by ${formatCount(own)}${can}.`;
  return [{ id: 'ranks', sentence, a: String(own), b: String(other) }];
}

function optimizerChange({ optimizer: { a, b, counts } }: ResumeFacts): ResumeChange[] {
  if (a === null || b === null) return [];
  if (a.kind !== null && b.kind !== null && a.kind !== b.kind)
    return [{ id: 'optimizer', sentence: `The optimizer is ${b.kind} instead of ${a.kind}.`, a: a.kind, b: b.kind }];
  const [momentsA, momentsB] = [momentsOf(a), momentsOf(b)];
  if (counts.onlyA === 0 && momentsA !== momentsB && momentsA > 0 && momentsB > 0) {
    const sentence = `The optimizer of B has state of ${counted(momentsB, 'parameter')} instead of ${formatCount(momentsA)}: it loads where as many are trained.`;
    return [{ id: 'optimizer', sentence, a: String(momentsA), b: String(momentsB) }];
  }
  if (counts.onlyA === 0) return [];
  const sentence = `B has no optimizer state of ${counted(counts.onlyA, 'parameter')} that A has state of.`;
  return [{ id: 'optimizer', sentence, a: String(counts.onlyA), b: '0' }];
}

/** Parameters that have state, by their moments. */
function momentsOf({ parts }: OptimizerSide): number {
  return Math.max(parts.firstMoment ?? 0, parts.secondMoment ?? 0);
}

function tensorChange({ a: { layout: own }, b: { layout }, tensors: { counts, changed } }: ResumeFacts): ResumeChange[] {
  if (layout === 'peft-adapter' && own !== 'peft-adapter' && counts.removed > 0) {
    const sentence = 'B is an adapter: its base model has to be loaded first.';
    return [{ id: 'tensors', sentence, a: String(counts.removed), b: String(counts.added) }];
  }
  const reshaped = changed.filter(({ a, b }) => a.shape.join() !== b.shape.join()).length;
  const parts = [
    ...(counts.removed > 0 ? [`lacks ${counted(counts.removed, 'tensor')} of A`] : []),
    ...(counts.added > 0 ? [`has ${formatCount(counts.added)} that A lacks`] : []),
    ...(reshaped > 0 ? [`has other shapes of ${counted(reshaped, 'tensor')}`] : []),
  ];
  if (parts.length === 0) return [];
  const last = parts.length === 1 ? '' : ` and ${parts.at(-1) ?? ''}`;
  const sentence = `The model is another one: B ${parts.slice(0, Math.max(1, parts.length - 1)).join(', ')}${last}.`;
  return [{ id: 'tensors', sentence, a: String(counts.removed), b: String(counts.added) }];
}

/** A level that all names of a side have, or those that are not the same on both. */
function nameChange({ tensors: { level, of, counts, same, changed } }: ResumeFacts): ResumeChange[] {
  if (level === undefined || of.a === null) return [];
  const { side, before, names } = level;
  const own = side.toUpperCase();
  const lacks = side === 'a' ? 'B' : 'A';
  const alone = side === 'a' ? counts.removed : counts.added;
  const all = alone === 0 && same === 0 && changed.length <= names ? 'All' : formatCount(names);
  const where = before === '' ? `begin with “${level.level}”` : `have “${level.level}” behind “${before}”`;
  const verb = names === 1 ? where.replace('begin', 'begins').replace('have', 'has') : where;
  const what = `${all} ${names === 1 ? 'name' : 'names'} of ${own} ${verb}`;
  const sentence = `${what}, which ${lacks} lacks: what loads by names finds them under those of one side alone.`;
  return [{ id: 'tensors', sentence, a: side === 'a' ? level.level : null, b: side === 'b' ? level.level : null }];
}

function tokenizerChange({ tokenizer }: ResumeFacts): ResumeChange[] {
  const changed = tokenizer.filter(({ state }) => state === 'changed').map(({ name }) => name);
  if (changed.length === 0) return [];
  return [
    {
      id: 'tokenizer',
      sentence: `The tokenizer differs (${changed.slice(0, 3).join(', ')}): the same text may become other tokens.`,
      a: changed.join(', '),
      b: changed.join(', '),
    },
  ];
}

/** Layouts whose weights PyTorch programs load as they are, whatever files they are in. */
const plainLayouts: ReadonlySet<LayoutId> = new Set([
  'huggingface-model',
  'huggingface-trainer',
  'peft-adapter',
  'torch-file',
  'safetensors-file',
]);

function layoutChange({ a, b }: ResumeFacts): ResumeChange[] {
  const arePlain = plainLayouts.has(a.layout) && plainLayouts.has(b.layout);
  if (arePlain || a.layout === b.layout) return weightFilesChange(a, b);
  const [own, other] = [layoutLabels[a.layout], layoutLabels[b.layout]];
  const sentence = `B is ${other}, A ${own}: each loads with its own framework, or after a conversion.`;
  return [{ id: 'layout', sentence, a: own, b: other }];
}

function weightFilesChange(a: CheckpointReport, b: CheckpointReport): ResumeChange[] {
  const [own, other] = [weightFilesOf(a), weightFilesOf(b)];
  if (own === null || other === null || own === other) return [];
  const words = { safetensors: 'safetensors', pickle: 'pickles' };
  const sentence = `The weights of B are in ${words[other]}, those of A in ${words[own]}: PyTorch programs load both, a pickle through torch.load.`;
  return [{ id: 'layout', sentence, a: own, b: other }];
}

const pickleFormats: ReadonlySet<string> = new Set(['torch-zip', 'torch-legacy', 'torch-tar', 'pickle']);

/** What the files with weights are; null where they are of several kinds, or of another. */
function weightFilesOf({ files }: CheckpointReport): 'safetensors' | 'pickle' | null {
  const formats = files.filter(({ components }) => (components.weights ?? 0) > 0).map(({ format }) => format);
  if (formats.length === 0) return null;
  if (formats.every((format) => format === 'safetensors')) return 'safetensors';
  return formats.every((format) => pickleFormats.has(format)) ? 'pickle' : null;
}
