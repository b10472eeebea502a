/** The tensors of one model against a config.json. */
import { appendAll } from '../../bytes/appendAll.js';
import { limits } from '../../bytes/limits.js';
import type { FittingValue } from '../../checkpoints/loadReport.js';
import type { ArchitectureReading } from '../../configs/architectures/architecture.js';
import { remoteCodeFamilies } from '../../configs/architectures/families/remoteCodeFamilies.js';
import { memberOf } from '../../formats/text/jsonMember.js';
import { isFloatDtype } from '../../tensors/dtype.js';
import { isScaleName } from '../../tensors/parameterCount.js';
import type { TensorTable } from '../../tensors/tensorTable.js';
import { baseNameOf } from '../../weightNames/baseNames.js';
import { compareTensors } from './compareTensors.js';
import type { TensorDifferences } from './tensorDifferences.js';
import { ExpectedTensors } from './expectedTensors.js';
import { fittingValues, type Fits } from './fittingValues.js';
import { isHeadless, levelWithout, withoutLevel } from './headless.js';
import { ignoredNames } from './ignoredNames.js';
import { dependsOnNumberOfLayers } from './layerRules.js';
import { packedForms, type PackedForms, type PackedTensors } from './packedForms.js';
import { statesQuantizer } from './quantizers.js';
import { isObject, readConfig, type ConfigTensors } from './readConfig.js';
import { inStoredForm, type StoredGroup } from './storedForm.js';
import { isSameShape, storedPatterns, type ShapeAt, type StoredPattern } from './storedPatterns.js';
import { targetsOf, type Target } from './targets.js';
import type { Wrapper } from './wrappedNames.js';

export interface CheckedTensors {
  config: ConfigTensors;
  differences: TensorDifferences;
  /** The first expert that lacks where others of its layer are there. */
  lackingExpert: string | undefined;
  /** Values of the config that the tensors would fit; empty where there are no differences. */
  fits: FittingValue[];
  /** The first of these explains all that is missing or of another shape. */
  isExplained: boolean;
  /** Kinds of tensors that the config asks for, and how many of them are there: with few it is a part of a model. */
  kinds: { asked: number; there: number };
  isPacked: boolean;
  /** Of some packed weights names alone were compared. */
  arePackedShapesOpen: boolean;
  /** Weights in another form than that of the quantizer that the config asks for. */
  otherForm: PackedForms['others'];
  /** Packed weights, and the first of them, where no quantizer takes them: as plain ones they are of another shape or name, or have scales that are left out. */
  lacksQuantization: { tensors: number; tensor: string } | undefined;
  /** Tensors of the model without elements, and the first of them. */
  empty: { tensors: number; tensor: string } | undefined;
  /** Tensors of the model under the names that a wrapper gave them, and the first of them. */
  wrapped: { wrapper: Wrapper; tensors: number; tensor: string } | undefined;
}

/** Files of the model without an output layer have names that do not follow from those with one. */
const notNamedAlone: ReadonlySet<string> = new Set([
  ...['bailing_hybrid', 'deepseek_v4', 'dory', 'hunyuan_vl', 'hy_v4', 'inkling2_loop_text', 'inkling2_text', 'kimi_k25'],
  ...['minimax_m3_vl', 'step3p7'],
]);

/** Classes that are the base of others, or a part of a model. */
const partClass =
  /(?:Pre[Tt]rainedModel|PretrainedBartModel|(?:Encoder|Decoder)|(?<=Gemma)(?:Encoder|Decoder)Model)$|PreTrainedModelFor/;

/** Whose classes are in code beside the weights. */
const remoteCodeTypes: ReadonlySet<string> = new Set(remoteCodeFamilies.flatMap(({ modelTypes }) => modelTypes));

const noFits: Fits = { values: [], areWhole: true };

/** Files have tensors of these in forms that are not known here: experts in several layouts, a tower of another library. */
const notNamed: ReadonlySet<string> = new Set(['ernie4_5_vl_moe', 'inkling_mm_model', 'gemma3n']);

/**
 * What transformers finds missing, unexpected and of another shape; null where the config is of no architecture that is known.
 * @param rows of one model, no name twice
 * @param isQuantized by what a file beside the config states
 */
export function checkTensors(
  table: TensorTable,
  rows: Iterable<number>,
  config: unknown,
  isQuantized = false,
): CheckedTensors | null {
  const read = isObject(config) ? readConfig(config) : null;
  if (!isObject(config) || read === null || read.reading.basis !== 'architecture' || notNamed.has(read.reading.modelType))
    return null;
  const className = classesOf(config)[0] ?? '';
  if (partClass.test(className) || (isHeadless(className) && notNamedAlone.has(read.reading.modelType))) return null;
  const stored = storedPatterns(table, rows);
  const ignored = ignoredNames({
    modelType: read.reading.modelType,
    className,
    isOfTransformers: isClassOfTransformers(config),
    numberOf: (key) => numberIn(config, key),
    isOff: (key) => memberOf(config, key) === false,
  });
  const inForm = ({ tensors, modelType }: ArchitectureReading): readonly StoredGroup[] => {
    const level = levelWithout(className, modelType, tensors.groups);
    const shapeAt: ShapeAt = (key) =>
      (stored.get(key) ?? (level !== undefined && key.startsWith(level) ? stored.get(key.slice(level.length)) : undefined))
        ?.shape;
    return withoutLevel(inStoredForm(tensors.groups, modelType, shapeAt), level).map((group) =>
      ignored.isComputed(group.name) ? { ...group, isComputed: true } : group,
    );
  };
  const readWith = (path: readonly string[], value: number | boolean): readonly StoredGroup[] | null => {
    const other = read.readWith(path, value);
    return other?.basis === 'architecture' ? inForm(other) : null;
  };
  const expected = new ExpectedTensors(inForm(read.reading), readWith, [...read.numbers, ...read.layerLists]);
  const isPlain = !isQuantized && !statesQuantizer(config);
  const targetOf = targetsOf(table, {
    baseName: baseNameOf(read.reading.modelType, className),
    hasKey: (key) => expected.byKey.has(key),
    ...ignored,
    isPlain,
    isLeftOut: (key) => ignored.isLeftOut(key) || (!isPlain && isBesidePacked(key, stored)),
  });
  const targets = new Map([...stored.values()].map((pattern) => [pattern, targetOf(pattern)] as const));
  const { differences, lackingExpert } = compareTensors({
    table,
    expected,
    stored,
    targetOf: (pattern) => targets.get(pattern) as Target,
    isLeftOutLayer: ignored.isLeftOutLayer,
    areLayersOpen: dependsOnNumberOfLayers(read.reading.modelType, isClassOfTransformers(config)),
  });
  const forms = isPlain ? undefined : packedForms({ table, expected, stored, targets }, config);
  if (forms !== undefined) addForms(differences, forms);
  const { missing, unexpected, mismatched } = differences.counts;
  const packed = [...targets].flatMap(([{ rows }, target]) => (target.kind === 'expected' && target.isPacked ? rows : []));
  const lacking = isPlain ? packedAsPlain({ table, expected, stored, targets }) : [];
  const [firstLacking] = lacking;
  const ofPacked = forms?.fits ?? [];
  const wrapped = wrappedIn(table, targets);
  // Names explain all that lacks.
  const isExplainedByNames = wrapped !== undefined && mismatched === 0;
  const fits: Fits =
    ofPacked.length > 0
      ? { values: ofPacked, areWhole: mismatched === forms?.mismatches }
      : missing + unexpected + mismatched === 0 || firstLacking !== undefined || isExplainedByNames
        ? noFits
        : fittingValues({ groups: expected.groups, config: read, readWith, stored, targets });
  const [first] = packed;
  const empty = [...targets].flatMap(([{ rows }, { kind }]) =>
    kind === 'expected' ? rows.filter((row) => table.elementsOf(row) === 0) : [],
  );
  const [firstEmpty] = empty;
  return {
    config: read,
    differences,
    lackingExpert,
    fits: fits.values,
    isExplained: fits.areWhole,
    kinds: kindsOf(expected, targets.values()),
    isPacked: first !== undefined,
    arePackedShapesOpen: first !== undefined && forms?.areCompared !== true,
    otherForm: forms?.others,
    lacksQuantization: firstLacking === undefined ? undefined : { tensors: lacking.length, tensor: table.nameOf(firstLacking) },
    empty: firstEmpty === undefined ? undefined : { tensors: empty.length, tensor: table.nameOf(firstEmpty) },
    wrapped,
  };
}

function wrappedIn(table: TensorTable, targets: ReadonlyMap<StoredPattern, Target>): CheckedTensors['wrapped'] {
  let found: CheckedTensors['wrapped'];
  for (const [{ rows }, target] of targets) {
    if (target.kind !== 'unexpected' || target.wrapper === undefined) continue;
    found ??= { wrapper: target.wrapper, tensors: 0, tensor: table.nameOf(rows[0] as number) };
    found.tensors += rows.length;
  }
  return found;
}

/** Zero points of MLX (mlx/nn/layers/quantized.py), and all that HQQ has beside a packed weight (hqq/core/quantize.py). */
function isBesidePacked(key: string, stored: ReadonlyMap<string, StoredPattern>): boolean {
  const isBeside = (leaf: string): boolean => stored.has(`${key.slice(0, key.lastIndexOf('.'))}.${leaf}`);
  return (key.endsWith('.biases') && isBeside('scales')) || isBeside('W_q');
}

/** Whether the class of a config is one of transformers, and not in code beside the weights. */
export function isClassOfTransformers(config: object): boolean {
  const type = memberOf(config, 'model_type');
  return !isObject(memberOf(config, 'auto_map')) && !(typeof type === 'string' && remoteCodeTypes.has(type));
}

/** A whole number of the config or of the language model in it; 0 without one. */
function numberIn(config: object, key: string): number {
  const [value = 0] = [config, memberOf(config, 'text_config')].map((one) => memberOf(one, key)).filter(Number.isSafeInteger);
  return value as number;
}

function classesOf(config: object): string[] {
  const names = memberOf(config, 'architectures');
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

function kindsOf(expected: ExpectedTensors, targets: Iterable<Target>): CheckedTensors['kinds'] {
  const there = new Set<string>();
  for (const target of targets) if (target.kind === 'expected') there.add(target.key);
  const asked = [...expected.byKey.values()].filter((groups) => groups.some(({ isTied }) => isTied !== true)).length;
  return { asked, there: there.size };
}

function addForms({ counts, mismatched, missing }: TensorDifferences, forms: PackedForms): void {
  counts.mismatched += forms.mismatches;
  counts.missing += forms.absences;
  appendAll(mismatched, forms.mismatched.slice(0, limits.loadDifferences - mismatched.length));
  appendAll(missing, forms.absent.slice(0, limits.loadDifferences - missing.length));
}

/** Rows of weights that a program packed, where none is to unpack them: by their names, their shapes or the scales beside them. */
function packedAsPlain({ table, expected, stored, targets }: PackedTensors): number[] {
  const scaled = new Set([...stored.keys()].filter(isScaleName).map(moduleOf));
  return [...targets].flatMap(([pattern, target]) => {
    if (target.kind === 'unexpected') return target.isPacked ? pattern.rows : [];
    const dtype = table.dtypeOf(pattern.rows[0] as number);
    const isInteger = !isFloatDtype(dtype);
    if (target.kind !== 'expected' || !(isInteger || dtype.startsWith('f8'))) return [];
    const groups = (expected.byKey.get(target.key) ?? []).filter(({ shape }) => shape.length > 1);
    if (groups.length === 0) return [];
    const isOfOtherShape = isInteger && !groups.some(({ shape }) => isSameShape(shape, pattern.shape));
    return isOfOtherShape || scaled.has(moduleOf(pattern.key)) ? pattern.rows : [];
  });
}

/** `a.b` of `a.b.weight` and of `a.b.weight.absmax`. */
function moduleOf(key: string): string {
  const [module = key] = key.split('.weight', 1);
  return module === key ? key.slice(0, key.lastIndexOf('.')) : module;
}
