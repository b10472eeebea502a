/**
 * Which calls of a pickle are usual, by what is called and, where that depends on it, with what. Nothing is called. The rule is one of what is
 * known to be harmless: all else is unexpected.
 */
import { bytesAt, isDunderAt, stringAt } from './literalText.js';
import { opensInNew, opensWhenCalled } from './actingClasses.js';
import { isTainted, ScannedCall, ScannedGroup, ScannedName, ScannedResult, unknown, type Scanned } from './scannedValue.js';
import { currentModule } from './globalKind.js';
import { holdsCode, isEvaluated } from './textArguments.js';

/** How a pickle calls: REDUCE and OBJ with arguments run `__init__`; NEWOBJ makes an instance without it. */
export type Way = 'call' | 'new';

/** What the call makes, as far as the scan follows it; undefined for one that is unexpected. */
export function judgeCall(bytes: Uint8Array, callee: Scanned, args: Scanned, way: Way): Scanned | undefined {
  // Lists and numbers cannot be called: Python stops there.
  if (callee !== unknown && (typeof callee === 'number' || callee instanceof ScannedGroup)) return unknown;
  if (!(callee instanceof ScannedName)) return undefined;
  if (callee.kind === 'special') return judgeSpecial(bytes, callee, args, way);
  if (isTainted(args) || isEvaluated(callee, args)) return undefined;
  if (way === 'new' && opensInNew(callee.module, callee.name)) return isNumberOrNothing(bytes, args) ? callee.result : undefined;
  switch (callee.kind) {
    case 'rebuild':
      return judgeRebuild(callee, args);
    case 'class':
      return way === 'new' || (isEnumLike(args) && !opensWhenCalled(callee.name)) ? callee.result : undefined;
    case 'package-class':
      return way === 'new' || isNumberOrNothing(bytes, args) ? callee.result : undefined;
    case 'own-class':
      return holdsCode(bytes, args) ? undefined : callee.result;
    case 'own-function':
      // A class in lower case.
      return way === 'new' && !holdsCode(bytes, args) ? callee.result : undefined;
    default:
      return undefined;
  }
}

function judgeRebuild(callee: ScannedName, args: Scanned): Scanned | undefined {
  // Bytes of protocol 2 are a call with a text, which a loader may be given.
  if (callee.name === 'encode') return new ScannedCall(callee, args, false);
  // What it makes is a class, whose instances are made of expressions.
  if (callee.name === '_rebuild_undef') return new ScannedName(callee.module, 'AppliedUndef', 'own-class');
  // pandas calls `__new__` of the class that it is given.
  if (/^_new_\w*Index$/.test(callee.name)) {
    const [type] = itemsOf(args);
    return type instanceof ScannedName && /^pandas(?:\.|$)/.test(type.module) ? callee.result : undefined;
  }
  return callee.result;
}

function judgeSpecial(bytes: Uint8Array, callee: ScannedName, args: Scanned, way: Way): Scanned | undefined {
  const items = itemsOf(args);
  const [first, second, third] = items;
  switch (`${currentModule(callee.module)}.${callee.name}`) {
    case 'builtins.getattr':
      return items.length === 2 && first !== undefined && second !== undefined
        ? judgeAttribute(bytes, callee, args, first, second)
        : undefined;
    case 'builtins.type':
      return items.length === 1 && !isTainted(args) ? new ScannedCall(callee, args, false) : undefined;
    case 'builtins.iter':
      return items.length === 1 && !isTainted(args) ? callee.result : undefined;
    case 'copyreg._reconstructor':
      return items.length === 3 && isBuiltinBase(second) && !isTainted(third ?? unknown)
        ? judgeNew(bytes, first, [], false)
        : undefined;
    case 'copyreg.__newobj__':
    case 'copyreg.__newobj_ex__':
      return isTaintedBehindFirst(items)
        ? undefined
        : judgeNew(bytes, first, items.slice(1), args instanceof ScannedGroup && args.hasText);
    case 'functools.partial':
      return first !== undefined && !isTainted(args) ? new ScannedCall(callee, args, false) : undefined;
    case 'functools.reduce':
    case 'builtins.reduce':
      // How a union of types is pickled: reduce(operator.or_, (int, str)).
      return nameOf(first) === '_operator.or_' || nameOf(first) === 'operator.or_'
        ? isTainted(second ?? unknown)
          ? undefined
          : callee.result
        : undefined;
    case '_operator.or_':
    case 'operator.or_':
      return isTainted(args) ? undefined : callee.result;
    case '_operator.getitem':
    case 'operator.getitem':
      return first instanceof ScannedName && first.module === 'typing' && !isTainted(args) ? callee.result : undefined;
    case '_operator.itemgetter':
    case 'operator.itemgetter':
      return items.every((item) => typeof item === 'number' && item !== unknown)
        ? new ScannedCall(callee, args, false)
        : undefined;
    case 'torch._tensor._rebuild_from_type':
    case 'torch._tensor._rebuild_from_type_v2':
      return judgeRebuildFromType(bytes, callee, items, way);
    case 'numpy.random._pickle.__generator_ctor':
    case 'numpy.random._pickle.__randomstate_ctor':
      return (items.length < 2 || nameOf(second) === 'numpy.random._pickle.__bit_generator_ctor') && !isTainted(args)
        ? callee.result
        : undefined;
    case 'torch.storage._load_from_bytes':
      return items.length === 1 && isBytes(first) ? callee.result : undefined;
    default:
      return undefined;
  }
}

/** `_rebuild_from_type_v2(function, type, arguments, state)` calls the function with the arguments. */
function judgeRebuildFromType(bytes: Uint8Array, callee: ScannedName, items: readonly Scanned[], way: Way): Scanned | undefined {
  const [inner, type, args, state] = items;
  if (inner === undefined || type === undefined || args === undefined || isTainted(type) || isTainted(state ?? unknown))
    return undefined;
  // One level is all that torch writes.
  if (inner instanceof ScannedName && inner.name.startsWith('_rebuild_from_type')) return undefined;
  return judgeCall(bytes, inner, args, way) === undefined ? undefined : callee.result;
}

/**
 * A plain attribute of a class (members of enums in Python 3.11, classes within classes), or of an instance (a bound method). What it is
 * may be named; calling it is another matter.
 */
function judgeAttribute(
  bytes: Uint8Array,
  callee: ScannedName,
  args: Scanned,
  target: Scanned,
  name: Scanned,
): Scanned | undefined {
  const text = typeof name === 'number' && name !== unknown ? stringAt(bytes, name, 256) : undefined;
  if (text === undefined) return undefined;
  const isClass = target instanceof ScannedName && classKinds.has(target.kind);
  if (nameOf(target) === 'zoneinfo.ZoneInfo' && text === '_unpickle')
    return new ScannedName('zoneinfo', 'ZoneInfo._unpickle', 'rebuild');
  if (text.includes('__') || !/^_?[A-Za-z][A-Za-z0-9_]*$/.test(text)) return undefined;
  // A private method of an object of the user's: what a hook or a schedule refers to.
  if (text.startsWith('_')) return isOwnInstance(target) ? new ScannedCall(callee, args, false) : undefined;
  if (isClass && /^[A-Z]/.test(text) && /[a-z]/.test(text))
    return new ScannedName(target.module, `${target.name}.${text}`, target.kind === 'own-class' ? undefined : 'package-class');
  const isInstance = target === unknown || (target instanceof ScannedResult && target.of.kind !== 'special');
  return isClass || isInstance ? new ScannedCall(callee, args, false) : undefined;
}

function isOwnInstance(target: Scanned): boolean {
  return target instanceof ScannedResult && target.of.kind === 'own-class';
}

const classKinds: ReadonlySet<string> = new Set(['class', 'package-class', 'own-class', 'rebuild']);

function judgeNew(
  bytes: Uint8Array,
  type: Scanned | undefined,
  items: readonly Scanned[],
  hasText: boolean,
): Scanned | undefined {
  if (!(type instanceof ScannedName) || type.kind === 'special') return undefined;
  const args = new ScannedGroup('()');
  for (const item of items) args.add(item);
  args.hasText = hasText;
  return judgeCall(bytes, type, args, 'new');
}

/** `_reconstructor(type, base, state)` calls `base.__new__` and `base.__init__`. */
function isBuiltinBase(base: Scanned | undefined): boolean {
  return (
    base instanceof ScannedName &&
    currentModule(base.module) === 'builtins' &&
    base.kind !== 'unexpected' &&
    base.kind !== 'special'
  );
}

function isTaintedBehindFirst([, ...rest]: readonly Scanned[]): boolean {
  return rest.some(isTainted);
}

function itemsOf(args: Scanned): readonly Scanned[] {
  return args instanceof ScannedGroup && args.more === 0 ? args.items : [];
}

function nameOf(value: Scanned | undefined): string | undefined {
  return value instanceof ScannedName ? value.fullName : undefined;
}

/** The value of a member, as the classes of enums take it. */
function isEnumLike(args: Scanned): boolean {
  const items = itemsOf(args);
  return !(args instanceof ScannedGroup) || (items.length === 1 && typeof items[0] === 'number' && items[0] !== unknown);
}

/** True for arguments that are there as such, and hold neither text nor bytes: what a call made may be a tuple of anything. */
function isNumberOrNothing(bytes: Uint8Array, args: Scanned): boolean {
  if (typeof args === 'number') return args !== unknown;
  if (!(args instanceof ScannedGroup)) return false;
  if (args.items.length === 0) return true;
  if (!isEnumLike(args)) return false;
  const [item] = itemsOf(args);
  return typeof item === 'number' && stringAt(bytes, item, 1) === undefined && bytesAt(bytes, item) === undefined;
}

/** Bytes as such, or protocol 2's `_codecs.encode(text, 'latin1')`. */
function isBytes(value: Scanned | undefined): boolean {
  if (value instanceof ScannedCall) return !value.isUnexpected && nameOf(value.callee) === '_codecs.encode';
  return typeof value === 'number' && value !== unknown;
}

/** True for a value whose attributes or entries a state changes for all: a class, a module, what `getattr` reached. */
export function isShared(target: Scanned): boolean {
  if (target instanceof ScannedName) return true;
  return target instanceof ScannedCall && nameOf(target.callee)?.endsWith('.getattr') === true;
}

const methodNames = new Set([
  ...['__setstate__', '__reduce__', '__reduce_ex__', '__class__', '__getattr__', '__getattribute__', '__call__', '__init__'],
  ...['__new__', '__del__', '__getstate__', '__setattr__', '__getitem__', '__setitem__', '__iter__', '__next__', '__len__'],
  ...['__hash__', '__eq__', '__repr__', '__str__', '__bool__'],
]);

/** True for the name of a method that unpickling itself calls, as the key of a state. */
export function isMethodKey(bytes: Uint8Array, key: Scanned): boolean {
  if (typeof key !== 'number' || key === unknown || !isDunderAt(bytes, key)) return false;
  return methodNames.has(stringAt(bytes, key, 32) ?? '');
}
