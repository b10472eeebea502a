/**
 * Packed weights against the layers that a quantizer makes of a config: what GPTQ and AWQ call their tensors, and shapes that follow from bits and group size
 * (GPTQModel, nn_modules/qlinear: GPTQQuantLinear, AWQuantLinear). The loader of transformers 5.24 stops at tensors of another shape there as elsewhere.
 */
import { limits } from '../../bytes/limits.js';
import type { FittingValue, LoadMismatch, LoadTensor } from '../../checkpoints/loadReport.js';
import type { TensorTable } from '../../tensors/tensorTable.js';
import type { ExpectedGroup, ExpectedTensors } from './expectedTensors.js';
import { quantizationSettings, quantizerOf } from './quantizers.js';
import type { StoredPattern } from './storedPatterns.js';
import type { Target } from './targets.js';

export interface PackedForms {
  /** Weights that are not in the form of the quantizer, which leaves them out, and the first of them; undefined without any. */
  others: { method: string; tensors: number; tensor: string; isRefused: boolean } | undefined;
  /** Shapes of all packed weights were compared. */
  areCompared: boolean;
  mismatches: number;
  /** The first of them. */
  mismatched: LoadMismatch[];
  absences: number;
  /** The first of the tensors that no packed weight here has beside it. */
  absent: LoadTensor[];
  /** The value of the quantization_config with which all would fit. */
  fits: FittingValue[];
}

interface Packing {
  method: 'gptq' | 'awq';
  bits: number;
  /** -1 for one group of all inputs. */
  groupSize: number;
}

export interface PackedTensors {
  table: TensorTable;
  expected: ExpectedTensors;
  stored: ReadonlyMap<string, StoredPattern>;
  targets: ReadonlyMap<StoredPattern, Target>;
}

const packedLeaf = '.qweight';

/** Undefined for a config of another quantizer, of whose tensors names alone are known. */
export function packedForms(tensors: PackedTensors, config: object): PackedForms | undefined {
  const settings = quantizationSettings(config);
  const quantizer = settings === undefined ? undefined : quantizerOf(settings);
  if (settings === undefined || quantizer === undefined) return undefined;
  const method = quantizer.replace(/_[48]bit$/, '');
  const packed = [...tensors.targets.keys()].filter(({ key }) => key.endsWith(packedLeaf) && groupsOf(key, tensors).length > 0);
  const found: PackedForms = {
    others: undefined,
    areCompared: false,
    mismatches: 0,
    mismatched: [],
    absences: 0,
    absent: [],
    fits: [],
  };
  if (method === 'bitsandbytes') return { ...found, others: othersIn(packed, tensors.table, { method, isRefused: true }) };
  if (method !== 'gptq' && method !== 'awq') return undefined;
  if (packed.length === 0) return { ...found, others: othersIn(plainIn(tensors), tensors.table, { method, isRefused: false }) };
  const packing = packingOf(settings, method);
  const compared = packing === undefined ? undefined : packed.filter(({ key }) => hasShapes(groupsOf(key, tensors)));
  if (packing === undefined || compared === undefined) return found;
  found.areCompared = compared.length === packed.length;
  for (const { row, expected } of differingRows(compared, tensors, packing)) {
    found.mismatches += 1;
    if (found.mismatched.length < limits.loadDifferences)
      found.mismatched.push({ name: tensors.table.nameOf(row), expected: [...expected], found: tensors.table.shapeOf(row) });
  }
  for (const pattern of compared) addAbsent(found, pattern, tensors, packing);
  if (found.mismatches > 0) found.fits = fittingPacking(compared, tensors, packing, settings);
  return found;
}

function othersIn(
  patterns: readonly StoredPattern[],
  table: TensorTable,
  { method, isRefused }: { method: string; isRefused: boolean },
): PackedForms['others'] {
  const rows = patterns.flatMap((pattern) => pattern.rows);
  const [first] = rows;
  return first === undefined ? undefined : { method, tensors: rows.length, tensor: table.nameOf(first), isRefused };
}

/** Weights of linear layers under their own names. */
function plainIn({ expected, targets }: PackedTensors): StoredPattern[] {
  return [...targets].flatMap(([pattern, target]) => {
    const groups = target.kind === 'expected' ? (expected.byKey.get(target.key) ?? []) : [];
    return pattern.largest.length > 0 && hasShapes(groups) && groups.every(({ kind }) => kind === 'linear') ? [pattern] : [];
  });
}

/** What the packed weight of this name stands for. */
function groupsOf(key: string, { expected, stored, targets }: PackedTensors): readonly ExpectedGroup[] {
  const pattern = stored.get(key);
  const target = pattern === undefined ? undefined : targets.get(pattern);
  return target?.kind === 'expected' ? (expected.byKey.get(target.key) ?? []) : [];
}

/** Matrices whose sizes are known. Experts are no linear layers to transformers, and the output layer stays as it is. */
function hasShapes(groups: readonly ExpectedGroup[]): boolean {
  return (
    groups.length > 0 &&
    groups.every(
      ({ name, shape, isOpen, kind }) => shape.length === 2 && isOpen !== true && kind !== 'head' && !name.includes('.experts.'),
    )
  );
}

/** Undefined for layouts of other kernels, and where layers have bits of their own. */
function packingOf(settings: Readonly<Record<string, unknown>>, method: Packing['method']): Packing | undefined {
  const { bits = 4, group_size: groupSize = 128, dynamic } = settings;
  if (typeof bits !== 'number' || typeof groupSize !== 'number' || (dynamic !== undefined && dynamic !== null)) return undefined;
  const format =
    method === 'gptq' ? (settings['checkpoint_format'] ?? settings['format']) : (settings['version'] ?? settings['format']);
  const taken: readonly unknown[] = method === 'gptq' ? [undefined, 'gptq', 'gptq_v2'] : [undefined, 'gemm'];
  const isTaken = taken.includes(typeof format === 'string' ? format.toLowerCase() : (format ?? undefined));
  const isWhole = Number.isSafeInteger(groupSize) && (groupSize > 0 || groupSize === -1) && bits >= 1 && bits <= WORD_BITS;
  return isTaken && isWhole ? { method, bits, groupSize } : undefined;
}

const WORD_BITS = 32;

type Shapes = Readonly<Record<string, readonly number[]>>;

/** Tensors of a linear layer, by what follows its name. */
function shapesOf([outputs = 0, inputs = 0]: readonly number[], { method, bits, groupSize }: Packing): Shapes {
  const groups = inputs / (groupSize === -1 ? inputs : groupSize);
  if (method === 'gptq') {
    const words = (values: number): number => Math.ceil((values * bits) / WORD_BITS);
    const rows = Math.ceil(groups);
    return { qweight: [words(inputs), outputs], qzeros: [rows, words(outputs)], scales: [rows, outputs], g_idx: [inputs] };
  }
  const words = Math.floor(outputs / Math.floor(WORD_BITS / bits));
  const rows = Math.floor(groups);
  return { qweight: [inputs, words], qzeros: [rows, words], scales: [rows, outputs] };
}

interface DifferingRow {
  row: number;
  expected: readonly number[];
}

function* differingRows(patterns: readonly StoredPattern[], tensors: PackedTensors, packing: Packing): Generator<DifferingRow> {
  for (const { key } of patterns) {
    const module = key.slice(0, -packedLeaf.length);
    // Some classes have [inputs, outputs].
    const layers = groupsOf(key, tensors).flatMap(({ shape }) => [
      shapesOf(shape, packing),
      shapesOf(shape.toReversed(), packing),
    ]);
    for (const leaf of Object.keys(layers[0] ?? {})) {
      const taken = layers.flatMap((shapes) => (shapes[leaf] === undefined ? [] : [shapes[leaf]]));
      const texts = new Set(taken.map(String));
      const pattern = tensors.stored.get(`${module}.${leaf}`);
      if (pattern === undefined || (pattern.isUniform && texts.has(String(pattern.shape)))) continue;
      for (const row of pattern.rows)
        if (!texts.has(String(tensors.table.shapeOf(row)))) yield { row, expected: taken[0] as readonly number[] };
    }
  }
}

/** Tensors of a kind that the file has none of. */
function addAbsent(found: PackedForms, { key, rows }: StoredPattern, tensors: PackedTensors, packing: Packing): void {
  const shapes = shapesOf(groupsOf(key, tensors)[0]?.shape ?? [], packing);
  for (const [leaf, shape] of Object.entries(shapes)) {
    const withLeaf = (name: string): string => `${name.slice(0, -packedLeaf.length)}.${leaf}`;
    if (tensors.stored.has(withLeaf(key))) continue;
    found.absences += rows.length;
    for (const row of rows.slice(0, limits.loadDifferences - found.absent.length))
      found.absent.push({ name: withLeaf(tensors.table.nameOf(row)), shape: [...shape] });
  }
}

const usualGroups = [16, 32, 64, 128, 256, 512, 1024, -1] as const;
const usualBits = [2, 3, 4, 8] as const;

/** One other value that explains all. */
function fittingPacking(
  patterns: readonly StoredPattern[],
  tensors: PackedTensors,
  packing: Packing,
  settings: Readonly<Record<string, unknown>>,
): FittingValue[] {
  const fits = (other: Packing): boolean => differingRows(patterns, tensors, other).next().done === true;
  const own = (key: string): number | null => (typeof settings[key] === 'number' ? settings[key] : null);
  const groupSize = usualGroups.find((value) => fits({ ...packing, groupSize: value }));
  if (groupSize !== undefined) return [{ key: 'quantization_config.group_size', config: own('group_size'), tensors: groupSize }];
  const bits = usualBits.find((value) => fits({ ...packing, bits: value }));
  return bits === undefined ? [] : [{ key: 'quantization_config.bits', config: own('bits'), tensors: bits }];
}
