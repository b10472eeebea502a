/**
 * Texts among the arguments of a call that the called class may run or open. sympy evaluates any text that stands where an expression is expected
 * (sympy/core/sympify.py, parse_expr, eval); other classes get code, paths and addresses that their name does not tell.
 */
import { stringAt } from './literalText.js';
import { ScannedGroup, ScannedName, ScannedResult, unknown, type Scanned } from './scannedValue.js';

/** Packages whose classes evaluate text, in `__new__` already. Part of torch are functions of sympy. */
const evaluating = /^(?:sympy|diofant|torch\.utils\._sympy)(?:\.|$)/;

/** Classes of these packages that take a text for a name, or for the digits of a number. */
const inertClasses = new Set(['Symbol', 'Dummy', 'Str', 'Float', 'Integer', 'Rational', 'CoordinateSym']);

/** True for a class that evaluates text wherever it is among its arguments. `Wild` does so for all but its name. */
export function evaluatesText(module: string, name: string): boolean {
  return evaluating.test(module) && !inertClasses.has(name) && name !== '_rebuild_undef';
}

/** True where a call of the class would evaluate a text: one is there, or what is there is not followed. */
export function isEvaluated({ module, name }: ScannedName, args: Scanned): boolean {
  if (!evaluatesText(module, name)) return false;
  // An empty tuple is a literal.
  if (!(args instanceof ScannedGroup)) return args === unknown || typeof args !== 'number';
  if (name !== 'Wild') return args.hasText;
  const [own, ...rest] = args.items;
  return args.more > 0 || typeof own !== 'number' || rest.some(mayBeText);
}

/** Numbers that a rebuilding call makes; all else that one makes may be a text, or hold some. */
const numbers = new Set(['int', 'float', 'bool', 'complex', 'slice', 'range', 'object']);
const textual = /^(?:builtins|__builtin__|collections|itertools|pathlib|_codecs|io|_io|array|pathlib\._local|User\w{4,6})$/;

/** Whether a value that is no literal may be a text, or hold one. */
export function mayBeText(value: Scanned): boolean {
  if (typeof value === 'number') return value === unknown;
  if (value instanceof ScannedName) return false;
  if (value instanceof ScannedGroup) return value.hasText;
  if (value instanceof ScannedResult) return textual.test(value.of.module) && !numbers.has(value.of.name);
  return true;
}

const MAX_TEXT_BYTES = 4_096;
const MAX_DEPTH = 3;

/** Texts of the arguments, of those that are kept. */
function* textsOf(bytes: Uint8Array, args: Scanned, depth = 0): Generator<string> {
  if (typeof args === 'number') {
    const text = args === unknown ? undefined : stringAt(bytes, args, MAX_TEXT_BYTES);
    if (text !== undefined) yield text;
  } else if (args instanceof ScannedGroup && depth < MAX_DEPTH) {
    for (const item of args.items) yield* textsOf(bytes, item, depth + 1);
  }
}

/** Code that runs programs or other code, as a text. Prose that names a function has nothing between its brackets. */
const runningCode =
  /(?:__import__|(?<![.\w])(?:exec|eval|execfile))\s*\(\s*[^)\s]|\b(?:os\s*\.\s*(?:system|popen|exec\w{1,3}|spawn\w{1,3})|subprocess\s*\.\s*\w+|pty\s*\.\s*spawn)\s*\(\s*[^)\s]/;

/** True where a text among the arguments is Python code that runs programs or code. */
export function holdsCode(bytes: Uint8Array, args: Scanned): boolean {
  if (!(args instanceof ScannedGroup) || !args.hasText) return false;
  for (const text of textsOf(bytes, args)) if (runningCode.test(text)) return true;
  return false;
}

const place =
  /^(?:\/|\.{1,2}\/|~\w*\/|[A-Za-z]:[\\/]|\\\\)[^\n]*[^\n/]|^[a-z][a-z0-9+.-]{1,20}:\/\/\S|^[^\s:]+\.(?:txt|jsonl?|ya?ml|toml|ini|cfg|csv|tsv|log|xml|pdf|py|sh|bat|exe|so|dll|dylib|bin|pt|pth|ckpt|pkl|pickle|joblib|npy|npz|h5|hdf5|onnx|safetensors|gguf|db|sqlite3?|mdb|parquet|arrow|zip|tar|gz|whl)$/;
const mode = /^(?:[rwax]b\+?|[rwa]\+b?|[rwax]t|w)$/;

/** True where a text among the arguments is a path, an address or the mode of a file. */
export function holdsPlace(bytes: Uint8Array, args: Scanned): boolean {
  if (!(args instanceof ScannedGroup) || !args.hasText) return false;
  let isFirst = true;
  for (const text of textsOf(bytes, args)) {
    if (place.test(text) || (!isFirst && mode.test(text))) return true;
    isFirst = false;
  }
  return false;
}
