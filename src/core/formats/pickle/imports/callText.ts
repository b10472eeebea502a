/** Calls of a pickle as Python would write them, bounded in depth and length. */
import { withoutSecrets } from '../../../text/secrets.js';
import { escaped, literalText } from './literalText.js';
import { ScannedCall, ScannedGroup, ScannedName, ScannedResult, unknown, type Scanned } from './scannedValue.js';

const MAX_DEPTH = 8;
const MAX_CHARACTERS = 400;
const MAX_NAME_CHARACTERS = 200;

/** `os.system("id")`; a dict as the second argument of NEWOBJ_EX is left out. Secrets are in it: see `shownText`. */
export function callText(bytes: Uint8Array, callee: Scanned, args: Scanned): string {
  return textOfCall(bytes, callee, args, 0);
}

/** A value as text: `posix.system`, `[1, "a"]`. Secrets are in it: see `shownText`. */
export function valueText(bytes: Uint8Array, value: Scanned): string {
  return textOf(bytes, value, 0);
}

/** Such a text as a report has it. A pickle makes a million calls and 20 of them are listed, so that only these are looked at for secrets. */
export function shownText(text: string): string {
  const shown = withoutSecrets(text);
  return shown.length > MAX_CHARACTERS ? `${shown.slice(0, MAX_CHARACTERS)}…` : shown;
}

function textOfCall(bytes: Uint8Array, callee: Scanned, args: Scanned, depth: number): string {
  const inner = args instanceof ScannedGroup ? itemsText(bytes, args, depth + 1) : argumentText(bytes, args, depth + 1);
  return `${textOf(bytes, callee, depth + 1)}(${inner})`;
}

function argumentText(bytes: Uint8Array, args: Scanned, depth: number): string {
  const text = textOf(bytes, args, depth);
  return text === '()' ? '' : text;
}

function textOf(bytes: Uint8Array, value: Scanned, depth: number): string {
  if (typeof value === 'number') return value === unknown ? '…' : literalText(bytes, value);
  if (value instanceof ScannedName) return nameText(value.fullName);
  if (value instanceof ScannedResult) return `${nameText(value.of.fullName)}(…)`;
  if (depth > MAX_DEPTH) return '…';
  if (value instanceof ScannedCall) return textOfCall(bytes, value.callee, value.args, depth);
  const comma = value.brackets === '()' && value.items.length === 1 && value.more === 0 ? ',' : '';
  return `${value.brackets.charAt(0)}${itemsText(bytes, value, depth + 1)}${comma}${value.brackets.charAt(1)}`;
}

function itemsText(bytes: Uint8Array, { items, more, brackets }: ScannedGroup, depth: number): string {
  const texts = items.map((item) => textOf(bytes, item, depth));
  const parts =
    brackets === '{}' ? texts.flatMap((text, index) => (index % 2 === 0 ? [`${text}: ${texts[index + 1] ?? '…'}`] : [])) : texts;
  return [...parts, ...(more > 0 ? ['…'] : [])].join(', ');
}

function nameText(name: string): string {
  return escaped(name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name);
}
