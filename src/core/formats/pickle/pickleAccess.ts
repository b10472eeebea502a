/** Reading pickled values as what they stand for: dicts, sequences, attributes. Calls to well-known containers count as these. */
import { appendAll } from '../../bytes/appendAll.js';
import {
  calleeName,
  PickleCall,
  PickleDict,
  PickleFloat,
  PickleGlobal,
  PickleList,
  PickleSet,
  PickleTuple,
  type PickleValue,
} from './pickleValue.js';

/** Items of a list, tuple, set, or of a call that stands for one (torch.Size, set([...]), deque). Undefined for anything else. */
export function itemsOf(value: PickleValue | undefined): readonly PickleValue[] | undefined {
  if (value instanceof PickleList || value instanceof PickleTuple || value instanceof PickleSet) return value.items;
  if (!(value instanceof PickleCall)) return undefined;
  const name = calleeName(value);
  if (name === undefined || !sequenceTypes.has(name)) return undefined;
  const [first] = argumentsOf(value);
  return value.items ?? (first instanceof PickleCall || first === undefined ? [] : itemsOf(first));
}

const sequenceTypes = new Set([
  'torch.Size',
  'builtins.set',
  'builtins.frozenset',
  'builtins.list',
  'builtins.tuple',
  '__builtin__.set',
  '__builtin__.frozenset',
  '__builtin__.list',
  '__builtin__.tuple',
  'collections.deque',
]);

/** Positional arguments of a call. */
export function argumentsOf(call: PickleCall): readonly PickleValue[] {
  return call.args instanceof PickleTuple || call.args instanceof PickleList ? call.args.items : [];
}

/** Entries of a dict, or of a call with dict entries (OrderedDict, defaultdict, Counter; subclasses of dict). */
export function entriesOf(value: PickleValue | undefined): PickleDict | undefined {
  if (value instanceof PickleDict) return value;
  if (!(value instanceof PickleCall)) return undefined;
  if (value.entries !== undefined) return value.entries;
  const name = calleeName(value);
  if (name === undefined || !mappingTypes.has(name)) return undefined;
  // Protocol 0 and old Pythons give OrderedDict its entries as a list of pairs.
  return fromPairs(argumentsOf(value).at(-1)) ?? emptyDict;
}

const emptyDict = new PickleDict();
const mappingTypes = new Set([
  'collections.OrderedDict',
  'collections.defaultdict',
  'collections.Counter',
  'builtins.dict',
  '__builtin__.dict',
]);

function fromPairs(value: PickleValue | undefined): PickleDict | undefined {
  if (value instanceof PickleDict) return value;
  const pairs = itemsOf(value);
  if (pairs === undefined) return undefined;
  const dict = new PickleDict();
  for (const pair of pairs) {
    const items = itemsOf(pair);
    if (items?.length !== 2) return undefined;
    dict.keys.push(items[0] as PickleValue);
    dict.values.push(items[1] as PickleValue);
  }
  return dict;
}

/**
 * Attributes of an object: the dict that BUILD set, or both dicts of a (dict, slots) pair. Undefined where there is no state that
 * has names.
 */
export function attributesOf(value: PickleValue | undefined): PickleDict | undefined {
  if (!(value instanceof PickleCall) || value.state === undefined) return undefined;
  return stateDict(value.state);
}

/** The names in a state as `__reduce__` gives it: a dict, or (dict or None, slots or None). */
export function stateDict(state: PickleValue | undefined): PickleDict | undefined {
  const direct = entriesOf(state);
  if (direct !== undefined) return direct;
  if (!(state instanceof PickleTuple) || state.items.length !== 2) return undefined;
  const parts = state.items.map((item) => entriesOf(item)).filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  const merged = new PickleDict();
  for (const part of parts) {
    appendAll(merged.keys, part.keys);
    appendAll(merged.values, part.values);
  }
  return merged;
}

/** Value of a text key in a dict or among an object's attributes; the last one where it repeats, as in Python. */
export function member(value: PickleValue | undefined, key: string): PickleValue | undefined {
  const dict = entriesOf(value) ?? attributesOf(value);
  if (dict === undefined) return undefined;
  const index = dict.keys.lastIndexOf(key);
  return index === -1 ? undefined : dict.values[index];
}

/** Whole numbers of a sequence (a shape, a stride); undefined when it is no sequence of them. */
export function numbersOf(value: PickleValue | undefined): number[] | undefined {
  const items = itemsOf(value);
  return items?.every((item) => typeof item === 'number') === true ? (items as number[]).slice() : undefined;
}

/** A number, from an int or a float. */
export function numberOf(value: PickleValue | undefined): number | undefined {
  if (typeof value === 'number') return value;
  return value instanceof PickleFloat ? value.value : undefined;
}

/** How Python would print a value as a dict key, for names: `0`, `True`, `(torch.bfloat16, torch.float32)`. */
export function keyText(key: PickleValue): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'number' || typeof key === 'bigint') return String(key);
  if (typeof key === 'boolean') return key ? 'True' : 'False';
  if (key === null) return 'None';
  if (key instanceof PickleFloat) return floatText(key.value);
  if (key instanceof PickleGlobal) return key.fullName;
  if (key instanceof PickleTuple) {
    // One level is all that real keys have; deeper ones are not worth a recursion on file depth.
    return `(${key.items.map((item) => (item instanceof PickleTuple ? '(…)' : keyText(item))).join(', ')})`;
  }
  return key instanceof PickleCall ? (calleeName(key) ?? 'object') : 'object';
}

/** A float as Python's repr writes it, near enough: `1.0`, `1e-05`, `inf`. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Number.isInteger(value) && Math.abs(value) < 1e16) return `${value}.0`;
  const text = String(value);
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e16) return text;
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}
