/**
 * The tensors of a model against the config.json beside them: transformers makes the modules by the config and loads into these. It stops at
 * a tensor of another shape, and fills what no file holds with random numbers (transformers/modeling_utils.py: _load_pretrained_model).
 */
import type { FittingValue, LoadCheckItem } from '../checkpoints/loadReport.js';
import { isModelDirectory, ownTensors } from '../checkpoints/ownWeights.js';
import type { ReadResult } from '../checkpoints/readFiles.js';
import type { Finding } from '../findings/finding.js';
import { memberOf } from '../formats/text/jsonMember.js';
import { formatCount } from '../text/units.js';
import { counted } from '../text/quantities.js';
import { appendAll } from '../bytes/appendAll.js';
import { limits } from '../bytes/limits.js';
import type { TensorTable } from '../tensors/tensorTable.js';
import { openModel, type ModelCheck } from './comparedModel.js';
import type { RefusedSetting } from './refusedSetting.js';
import { refusedSetting } from './refusedSettings.js';
import { checkTensors, isClassOfTransformers, type CheckedTensors } from './tensors/checkTensors.js';
import { noDifferences, type TensorDifferences } from './tensors/tensorDifferences.js';
import { torchEntries, type TorchEntries } from './torchEntries.js';
import { isObject, readConfig, whyNotRead } from './tensors/readConfig.js';

/**
 * Undefined where there is no model of transformers.
 * @param floats whole numbers that config.json writes as floating-point ones, by their key
 */
export function modelCheck(read: ReadResult, floats?: ReadonlyMap<string, string>): ModelCheck | undefined {
  const { parts, side } = read;
  if (!isModelDirectory(parts)) return undefined;
  const config = side.json.get('config.json');
  // A save of an adapter has no config of a model: its base has.
  if (config === undefined && side.json.has('adapter_config.json')) return undefined;
  const weights = [...ownTensors(parts)];
  const rows = weights.map(({ row }) => row);
  if (rows.length === 0) return undefined;
  const architecture = architectureOf(config);
  const open = (detail: string): ModelCheck =>
    openModel({ framework: 'transformers', architecture, differences: noDifferences(rows.length) }, detail);
  if (config === undefined) return open(whyNoConfig(parts));
  if (!isObject(config)) return open('config.json is no object');
  const tooLong = whyNotRead(config);
  if (tooLong !== undefined) return open(tooLong);
  const refused = refusedSetting(config, floats);
  const isOfTransformers = isClassOfTransformers(config);
  if (refused?.isCertain === true && isOfTransformers)
    return {
      ...open(''),
      verdict: 'fails',
      why: refusedInWords(refused),
      checked: ['config'],
      notChecked: [],
      findings: [refusal(refused)],
    };
  const isQuantized = parts.files.some(({ path }) => path === 'hf_quant_config.json');
  const entries = torchEntries(read, weights);
  const seen = entries.rows.size === 0 ? rows : rows.filter((row) => !entries.rows.has(row));
  const checked = checkTensors(parts.tensors, seen, config, isQuantized);
  if (checked !== null) addEntries(checked, entries, parts.tensors);
  if (refused !== undefined && (isOfTransformers || checked === null))
    return { ...open(refusedInWords(refused, false)), differences: checked?.differences ?? noDifferences(rows.length) };
  if (checked === null) return open(whyNotChecked(config));
  if (isPart(checked, rows.length)) return { ...open(partInWords(checked)), differences: checked.differences };
  const { isHeadAssumed } = checked.config;
  if (isHeadAssumed && hasDifferences(checked.differences))
    return { ...open(`the output layer of the class ${architecture ?? ''} is not known here`), differences: checked.differences };
  const hasCode = isObject(memberOf(config, 'auto_map'));
  // The class beside the weights may have other modules than that of transformers.
  if (hasCode && hasDifferences(checked.differences)) return { ...open(ownCode), differences: checked.differences };
  return {
    framework: 'transformers',
    architecture: architecture ?? checked.config.reading.name,
    differences: checked.differences,
    fits: checked.fits,
    ...verdictOf(checked, config),
    checked: checked.isPacked ? ['config', 'quantization'] : ['config'],
    notChecked: notCheckedOf(checked, hasCode),
    findings: findingsOf(checked, architecture),
    done: [
      `config.json: names and shapes of ${counted(checked.differences.counts.expected, 'tensor')} that ${checked.config.reading.name} has`,
    ],
  };
}

/** Keys of a torch file that hold no tensor are names that the model does not have; what they hold is not found. */
function addEntries(checked: CheckedTensors, { keys, rows, first }: TorchEntries, table: TensorTable): void {
  const { counts, unexpected } = checked.differences;
  counts.found += keys.length;
  counts.unexpected += keys.length;
  const listed = keys.slice(0, Math.max(0, limits.loadDifferences - unexpected.length));
  appendAll(
    unexpected,
    listed.map((name) => ({ name, shape: [] })),
  );
  if (first === undefined) return;
  const wrapper = { segment: first.key, of: `a dict in ${first.path}` };
  checked.wrapped ??= { wrapper, tensors: rows.size, tensor: table.nameOf(first.row) };
}

export function refusedInWords({ key, value, needed }: RefusedSetting, isSentence = true): string {
  return `config.json sets ${key} to ${value}, where ${needed} is needed${isSentence ? '.' : ''}`;
}

export function refusal({ key, value, needed }: RefusedSetting): Finding {
  return { code: 'config-value-refused', path: 'config.json', facts: { key, value, needed } };
}

function whyNoConfig({ findings }: ReadResult['parts']): string {
  const isTooLarge = findings.some(({ code, path }) => code === 'json-too-large' && path === 'config.json');
  return isTooLarge ? 'config.json is larger than what is read' : 'there is no config.json here to compare the tensors with';
}

function architectureOf(config: unknown): string | null {
  const names = memberOf(config, 'architectures');
  const [name] = Array.isArray(names) ? (names as unknown[]) : [];
  return typeof name === 'string' ? name : null;
}

/**
 * No more than half of the kinds of tensors: what a pipeline stage, a pruned model or a tower alone has. A file of another model has none, and many;
 * one whose names were changed has about as many others as it lacks.
 */
function isPart({ kinds, wrapped, lacksQuantization, differences: { counts } }: CheckedTensors, tensors: number): boolean {
  if (wrapped !== undefined || lacksQuantization !== undefined) return false;
  if (kinds.there === 0) return tensors < kinds.asked;
  const isRenamed = counts.missing <= counts.unexpected * 2 && counts.unexpected <= counts.missing * 2;
  return kinds.there * 2 <= kinds.asked && !isRenamed;
}

function partInWords({ kinds, config }: CheckedTensors): string {
  return `a part of a model: ${formatCount(kinds.there)} of ${formatCount(kinds.asked)} kinds of tensors that ${config.reading.name} has are here`;
}

function whyNotChecked(config: Readonly<Record<string, unknown>>): string {
  const type = memberOf(config, 'model_type');
  if (typeof type !== 'string') return 'config.json names no architecture (model_type)';
  const name = architectureOf(config);
  const own = isObject(memberOf(config, 'auto_map')) ? ', and its code is not run' : '';
  const isOtherClass = name !== null && isKnownWithout(config);
  return `which tensors the ${isOtherClass ? `class ${name}` : `architecture ${type}`} has is not known here${own}`;
}

/** Whether the architecture is known by another of its classes. */
function isKnownWithout({ architectures: _, ...config }: Readonly<Record<string, unknown>>): boolean {
  return readConfig(config)?.reading.basis === 'architecture';
}

const ownCode = 'the tensors are not those of the architecture, and the model’s own code (auto_map) is not run';

function hasDifferences({ counts }: TensorDifferences): boolean {
  return counts.missing + counts.unexpected + counts.mismatched > 0;
}

function notCheckedOf({ arePackedShapesOpen, config }: CheckedTensors, hasCode: boolean): LoadCheckItem[] {
  return [
    ...(arePackedShapesOpen ? [{ what: 'quantization', detail: 'shapes of packed weights' } as const] : []),
    ...(hasCode
      ? [
          {
            what: 'config',
            detail: `the model’s own code (auto_map): compared with ${config.reading.name} of transformers`,
          } as const,
        ]
      : []),
    ...(config.isHeadAssumed
      ? [{ what: 'config', detail: 'the class that config.json names: compared with the language model' } as const]
      : []),
  ];
}

/** Names of the tensors that decide, and what would fit. */
function verdictOf(checked: CheckedTensors, config: object): Pick<ModelCheck, 'verdict' | 'why'> {
  const { counts, missing, unexpected, mismatched } = checked.differences;
  const fit = fitInWords(checked.fits, config);
  const [mismatch] = mismatched;
  if (checked.wrapped !== undefined)
    return {
      verdict: mismatch === undefined ? 'loads-with-warnings' : 'fails',
      why: `Names of the tensors are those of a wrapper, ${checked.wrapped.wrapper.of}: ${checked.wrapped.tensor}. ${randomInWords(counts)}`,
    };
  if (isNoneThere(counts))
    return {
      verdict: 'loads-with-warnings',
      why: `No tensor here has a name that the config asks for. ${randomInWords(counts)}`,
    };
  if (checked.empty !== undefined)
    return {
      verdict: 'fails',
      why: `${counted(checked.empty.tensors, 'tensor')} without values: ${checked.empty.tensor}.`,
    };
  if (checked.lacksQuantization !== undefined)
    return { verdict: mismatch === undefined ? 'loads-with-warnings' : 'fails', why: whyPlain };
  if (mismatch !== undefined)
    return {
      verdict: 'fails',
      why: `${counted(counts.mismatched, 'tensor')} of another shape: ${mismatch.name} is ${shapeOf(mismatch.found)}, the config asks for ${shapeOf(mismatch.expected)}.${fit}`,
    };
  if (checked.otherForm !== undefined)
    return {
      verdict: checked.otherForm.isRefused ? 'fails' : 'loads-with-warnings',
      why: `config.json asks for weights quantized by ${checked.otherForm.method}, and they are in another form: ${checked.otherForm.tensor}.`,
    };
  // core_model_loading.py puts the experts of a layer together, and finds their tensor too small.
  if (checked.lackingExpert !== undefined)
    return { verdict: 'fails', why: `An expert lacks where others of its layer are here: ${checked.lackingExpert}.${fit}` };
  if (counts.missing > 0)
    return {
      verdict: 'loads-with-warnings',
      why: `${counted(counts.missing, 'tensor')} of the model ${counts.missing === 1 ? 'is' : 'are'} in no file and would be random: ${missing[0]?.name ?? ''}.${fit}`,
    };
  if (counts.unexpected > 0)
    return {
      verdict: 'loads-with-warnings',
      why: `${counted(counts.unexpected, 'tensor')} would be left out, as the config asks for none of such a name: ${unexpected[0]?.name ?? ''}.${fit}`,
    };
  return { verdict: 'loads', why: '' };
}

/** Whether transformers would make the whole model of random numbers: it warns, and raises no error. */
export function isNoneThere({ expected, missing }: TensorDifferences['counts']): boolean {
  return expected > 0 && missing >= expected;
}

function randomInWords(counts: TensorDifferences['counts']): string {
  const { expected, missing } = counts;
  if (isNoneThere(counts)) return `All ${counted(expected, 'tensor')} of the model would be random.`;
  return `${formatCount(missing)} of ${counted(expected, 'tensor')} of the model would be random.`;
}

const whyPlain = 'The weights are packed, and config.json names no quantizer of transformers, which takes them for plain ones.';

function fitInWords([first]: readonly FittingValue[], config: object): string {
  if (first === undefined) return '';
  const listed = memberOf(first.key.startsWith('text_config.') ? memberOf(config, 'text_config') : config, 'layer_types');
  const isListed = /(?:^|\.)num_hidden_layers$/.test(first.key) && Array.isArray(listed);
  const also = isListed ? ', with as many in layer_types' : '';
  return ` ${first.key} of ${valueOf(first.tensors)} in place of ${valueOf(first.config)} would fit${also}.`;
}

function valueOf(value: number | boolean | null): string {
  if (value === null) return 'none';
  return typeof value === 'number' ? formatCount(value) : String(value);
}

function shapeOf(shape: readonly number[]): string {
  return shape.length === 0 ? 'a number' : shape.map(formatCount).join(' × ');
}

/** Output layers of tasks that a base model does not have, whatever the class calls the rest. */
const taskHead = /(?:^|\.)(?:score|classifier|pre_classifier|classification_head|qa_outputs)\./;
const taskClass = /For(?:Sequence|Token|Image|Audio|Video)Classification$|ForQuestionAnswering$|ForMultipleChoice$/;

function isTaskHead({ counts, missing }: TensorDifferences, architecture: string | null): boolean {
  const isOfTask = architecture !== null && taskClass.test(architecture);
  return isOfTask && counts.missing === missing.length && missing.every(({ name }) => taskHead.test(name));
}

function findingsOf(
  { differences, fits, isExplained, lacksQuantization, otherForm, empty, wrapped }: CheckedTensors,
  architecture: string | null,
): Finding[] {
  const { counts, missing, unexpected, mismatched } = differences;
  const [fit] = fits;
  const isOpen = lacksQuantization === undefined && (fit === undefined || !isExplained);
  const findings: Finding[] = [];
  const path = 'config.json';
  if (lacksQuantization !== undefined) findings.push({ code: 'quantization-config-missing', path, facts: lacksQuantization });
  if (otherForm !== undefined) {
    const { method, tensors, tensor } = otherForm;
    findings.push({ code: 'quantization-form-differs', path, facts: { method, tensors, tensor } });
  }
  const [mismatch] = mismatched;
  if (fit !== undefined) findings.push(misfit(fit, differences));
  if (empty !== undefined) findings.push({ code: 'weights-are-placeholders', facts: empty });
  if (mismatch !== undefined && isOpen && counts.mismatched > (empty?.tensors ?? 0))
    findings.push({
      code: 'tensor-shapes-differ',
      path,
      facts: {
        tensors: counts.mismatched,
        tensor: mismatch.name,
        config: shapeOf(mismatch.expected),
        stored: shapeOf(mismatch.found),
      },
    });
  if (wrapped !== undefined) {
    const { wrapper, tensors, tensor } = wrapped;
    findings.push({ code: 'tensor-names-wrapped', facts: { tensors, segment: wrapper.segment, of: wrapper.of, tensor } });
  }
  if (counts.missing > (wrapped?.tensors ?? 0) && isOpen && isTaskHead(differences, architecture))
    findings.push({
      code: 'task-head-absent',
      facts: { absent: counts.missing, tensor: missing[0]?.name ?? '', architecture: architecture ?? '' },
    });
  else if (counts.missing > (wrapped?.tensors ?? 0) && isOpen)
    findings.push({ code: 'tensors-absent', facts: { absent: counts.missing, tensor: missing[0]?.name ?? '' } });
  if (counts.unexpected > 0 && isOpen && wrapped === undefined)
    findings.push({ code: 'tensors-unexpected', path, facts: { tensors: counts.unexpected, tensor: unexpected[0]?.name ?? '' } });
  return findings;
}

/** A head, its bias and embeddings have a row for each token. */
const MOST_OF_VOCABULARY = 4;

function misfit({ key, config, tensors }: FittingValue, { counts, missing, unexpected, mismatched }: TensorDifferences): Finding {
  const path = 'config.json';
  const tensor = (mismatched[0] ?? missing[0] ?? unexpected[0])?.name ?? '';
  const isVocabularyAlone = counts.missing + counts.unexpected === 0 && counts.mismatched <= MOST_OF_VOCABULARY;
  if (key.endsWith('vocab_size') && isVocabularyAlone && typeof config === 'number' && typeof tensors === 'number')
    return { code: 'config-vocabulary-differs', path, facts: { key, config, rows: tensors, tensor } };
  if (typeof config === 'number' && typeof tensors === 'number')
    return { code: 'config-sizes-differ', path, facts: { what: wordsOfKey(key), config, stored: tensors } };
  return { code: 'config-setting-differs', path, facts: { key, config: valueOf(config), fitting: valueOf(tensors), tensor } };
}

/** What people call a size; else the key itself. */
function wordsOfKey(key: string): string {
  const name = key.slice(key.lastIndexOf('.') + 1);
  if (/^(num_hidden_layers|n_layers?|num_layers)$/.test(name)) return 'number of layers';
  if (/^(hidden_size|n_embd|d_model)$/.test(name)) return 'hidden size';
  if (/vocab_size$/.test(name)) return 'vocabulary';
  return key;
}
