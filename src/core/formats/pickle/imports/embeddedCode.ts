/**
 * Functions and classes that cloudpickle writes into a pickle as bytecode, by the calls that rebuild them (cloudpickle 3.1, cloudpickle.py; 0.4 to 2.2 in
 * `_fill_function` and the skeletons).
 */
import { currentModule } from './globalKind.js';
import { stringAt } from './literalText.js';
import { isTainted, ScannedCall, ScannedGroup, ScannedName, unknown, type Scanned } from './scannedValue.js';

const MAX_NAME_BYTES = 200;

/** Places of a code object's name among the arguments of `types.CodeType`: since Python 3.8, and before. The file's name is in front of it. */
const namePlaces = [11, 10];

/**
 * What a call rebuilds: a function or class by its name, or undefined where it is a step to one. False for any other call, and for one whose arguments hold
 * a name that must not be called.
 */
export function embeddedCode(bytes: Uint8Array, callee: Scanned, args: Scanned, isNew: boolean): { name?: string } | false {
  if (holdsOtherNames(args)) return false;
  const items = args instanceof ScannedGroup ? args.items : [];
  const [first, second] = items;
  if (isCodeType(bytes, callee)) {
    const name = nameOfCode(bytes, items);
    return name === undefined ? false : { name };
  }
  // An instance of a class that is embedded.
  if (callee instanceof ScannedCall) return isNew && makerOf(callee) === '_make_skeleton_class' ? {} : false;
  switch (nameInCloudpickle(callee)) {
    case '_builtin_type':
      return textOf(bytes, first) === 'CodeType' ? {} : false;
    case '_make_cell':
    case '_make_empty_cell':
      return {};
    case '_make_function':
    case '_make_skel_func':
      return first instanceof ScannedCall && isCodeType(bytes, first.callee) ? {} : false;
    case '_function_setstate':
    case '_fill_function':
      return isMadeBy(first, /^_make_(?:function|skel_func)$/) ? {} : false;
    case '_class_setstate':
    case '_rehydrate_skeleton_class':
      return isMadeBy(first, /^_make_skeleton_(?:class|enum)$/) ? {} : false;
    case '_make_skeleton_class': {
      const name = textOf(bytes, second);
      return name === undefined ? false : { name };
    }
    default:
      return false;
  }
}

function isCodeType(bytes: Uint8Array, callee: Scanned): boolean {
  if (callee instanceof ScannedName) return currentModule(callee.module) === 'types' && callee.name === 'CodeType';
  return (
    callee instanceof ScannedCall &&
    makerOf(callee) === '_builtin_type' &&
    callee.args instanceof ScannedGroup &&
    textOf(bytes, callee.args.items[0]) === 'CodeType'
  );
}

function nameOfCode(bytes: Uint8Array, items: readonly Scanned[]): string | undefined {
  for (const place of namePlaces) {
    const name = textOf(bytes, items[place]);
    if (name !== undefined && textOf(bytes, items[place - 1]) !== undefined) return name;
  }
  return undefined;
}

function isMadeBy(value: Scanned | undefined, makers: RegExp): boolean {
  return value instanceof ScannedCall && makers.test(makerOf(value) ?? '');
}

function makerOf(call: ScannedCall): string | undefined {
  return nameInCloudpickle(call.callee);
}

function nameInCloudpickle(callee: Scanned): string | undefined {
  return callee instanceof ScannedName && /^(?:[\w.]+\.)?cloudpickle(?:\.cloudpickle(?:_fast)?)?$/.test(callee.module)
    ? callee.name
    : undefined;
}

function textOf(bytes: Uint8Array, value: Scanned | undefined): string | undefined {
  return typeof value === 'number' && value !== unknown ? stringAt(bytes, value, MAX_NAME_BYTES) : undefined;
}

/**
 * True where a name among the arguments, at any depth, is one that no usual save has; calls among them are reported themselves, as
 * are names that a long list leaves out: no call counts as theirs.
 */
function holdsOtherNames(args: Scanned): boolean {
  const open: Scanned[] = [args];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (value instanceof ScannedName && isOther(value)) return true;
    if (value instanceof ScannedGroup) for (const item of value.items) open.push(item);
  }
  return false;
}

/** `type` makes the class that a skeleton is for. */
function isOther(name: ScannedName): boolean {
  return isTainted(name) && nameInCloudpickle(name) === undefined && name.fullName !== 'builtins.type';
}
