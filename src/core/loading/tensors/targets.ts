/** Which expected tensors those of a file are to transformers, by the patterns of their names. */
import { isFloatDtype } from '../../tensors/dtype.js';
import { isScaleName } from '../../tensors/parameterCount.js';
import type { TensorTable } from '../../tensors/tensorTable.js';
import type { IgnoredNames } from './ignoredNames.js';
import type { StoredPattern } from './storedPatterns.js';
import { layerWrapperOf, unwrapped, wrapperOf, type Wrapper } from './wrappedNames.js';

/** What the tensors of a pattern are to the loader. */
export type Target =
  | {
      kind: 'expected';
      key: string;
      /** Packed by a quantizer: its shape is not that of the weight. */
      isPacked: boolean;
    }
  /** Computed once, or statistics: no parameter, and most configs do not tell of it. */
  | { kind: 'buffer' }
  /** Scales beside packed weights, modules that the class leaves out, and what has no elements. */
  | { kind: 'ignored' }
  | {
      kind: 'unexpected';
      /** Around a name that is expected. */
      wrapper: Wrapper | undefined;
      /** The packed form of a weight that is expected. */
      isPacked: boolean;
    };

/** What transformers knows beside the names. */
export interface TargetRules extends Pick<IgnoredNames, 'isBuffer' | 'isLeftOut'> {
  hasKey: (key: string) => boolean;
  /** The level that is added or taken off. */
  baseName: string;
  /** No quantizer takes the weights: they are known by the names of plain ones alone, and cast where they are integers. */
  isPlain: boolean;
}

/**
 * Ends of the names that norms and weight normalization had before they were torch's (transformers 5.24, conversion_mapping.py, `legacy`). Norms
 * under other names than `LayerNorm` have none.
 */
const legacyEnds: Readonly<Record<string, string>> = {
  'LayerNorm.gamma': 'LayerNorm.weight',
  'LayerNorm.beta': 'LayerNorm.bias',
  '.weight_g': '.parametrizations.weight.original0',
  '.weight_v': '.parametrizations.weight.original1',
};

function legacyName(key: string): string | undefined {
  for (const [end, name] of Object.entries(legacyEnds))
    if (key.endsWith(end)) return key.slice(0, key.length - end.length) + name;
  return undefined;
}

/** Packed weights by the last part of their name, and what that stands for. */
const packedLeaves: Readonly<Record<string, string>> = {
  qweight: 'weight',
  weight_packed: 'weight',
  _weight_qdata: 'weight',
  weight_qdata: 'weight',
  'weight._data': 'weight',
  W_q: 'weight',
  _blocks: '',
};

/** Answers for one file. */
export function targetsOf(table: TensorTable, rules: TargetRules): (pattern: StoredPattern) => Target {
  const level = `${rules.baseName}.`;
  const find = (key: string): string | undefined => {
    const rest = key.startsWith(level) ? key.slice(level.length) : key;
    return [key, rest, `${level}${key}`].find(rules.hasKey);
  };
  return (pattern) => {
    const { key } = pattern;
    const known = find(key) ?? mapped(legacyName(key), find);
    if (known !== undefined)
      return { kind: 'expected', key: known, isPacked: !rules.isPlain && isPackedRow(table, pattern.rows[0]) };
    const unpacked = mapped(unpackedName(key), find);
    const isPacked = unpacked !== undefined;
    if (unpacked !== undefined && !rules.isPlain) return { kind: 'expected', key: unpacked, isPacked: true };
    if (rules.isBuffer(key)) return { kind: 'buffer' };
    const isEmpty = pattern.isUniform && pattern.shape.includes(0);
    if (isEmpty || (!rules.isPlain && isScaleName(key)) || rules.isLeftOut(key)) return { kind: 'ignored' };
    const wrapper = wrapperOf(key) ?? layerWrapperOf(key);
    const isAround = wrapper !== undefined && find(unwrapped(key)) !== undefined;
    return { kind: 'unexpected', wrapper: isAround ? wrapper : undefined, isPacked };
  };
}

function mapped<Value>(name: string | undefined, find: (name: string) => Value | undefined): Value | undefined {
  return name === undefined ? undefined : find(name);
}

function unpackedName(key: string): string | undefined {
  for (const [leaf, plain] of Object.entries(packedLeaves))
    if (key.endsWith(leaf)) return key.slice(0, key.length - leaf.length) + plain;
  return undefined;
}

function isPackedRow(table: TensorTable, row: number | undefined): boolean {
  return row !== undefined && !isFloatDtype(table.dtypeOf(row));
}
