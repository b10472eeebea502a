/** The name of a weight without what wraps a model puts before and into it, so that names of several frameworks agree. */
import { decodeText, encodeText } from '../bytes/text.js';
import { baseNames } from '../weightNames/baseNames.js';

/** Modules that wrap another one wherever they are, and have no weights of their own: torch.compile, FSDP 1, activation checkpointing, Lightning. */
const wrappers: ReadonlySet<string> = new Set([
  '_orig_mod',
  '_fsdp_wrapped_module',
  '_checkpoint_wrapped_module',
  '_forward_module',
]);

/** Both are in one model, where their names tell them apart. */
const towers: ReadonlySet<string> = new Set(['text_model', 'vision_model']);

/** What stands before all names of a model: wrappers of DDP and DeepSpeed, keys of a state dict, and the model without its head in transformers and PEFT. */
const levels: ReadonlySet<string> = new Set([
  ...[...baseNames].filter((name) => !towers.has(name)),
  'app',
  'base_model',
  'model_state_dict',
  'module',
  'params',
  'state_dict',
]);

/** Equal for names that differ by wrappers alone. It is no name that a framework uses: `model.layers.0.x` becomes `layers.0.x`. */
export function canonicalName(name: string): string {
  let from = 0;
  for (let end = name.indexOf('.'); end !== -1; end = name.indexOf('.', from)) {
    const part = name.slice(from, end);
    if (!levels.has(part) && !wrappers.has(part)) break;
    from = end + 1;
  }
  const rest = from === 0 ? name : name.slice(from);
  const own = rest.includes('._') ? withoutWrappers(rest) : rest;
  return peftLevels.some((level) => own.includes(level)) ? own.replace(loraDefault, '$1').replace(peftModule, '') : own;
}

/**
 * PEFT has the name of an adapter in a model that trains, `lora_A.default.weight`, and leaves it out of what it saves; as it does the levels of
 * a module that is trained whole, and of one that an adapter wraps.
 */
const loraDefault = /(\.lora_(?:embedding_)?[AB])\.default(?=\.|$)/;
const peftModule = /\.(?:modules_to_save(?:\.default)?|base_layer)(?=\.)/;
const peftLevels = ['.lora_', '.modules_to_save.', '.base_layer.'];

function withoutWrappers(name: string): string {
  return name
    .split('.')
    .filter((part) => !wrappers.has(part))
    .join('.');
}

const DOT = 0x2e;
const UNDERSCORE = 0x5f;
const peftBytes = peftLevels.map(encodeText);

/** What may stand before a name, by its first byte. */
const outerByFirstByte = new Map<number, Uint8Array[]>();
for (const segment of [...levels, ...wrappers]) {
  const bytes = encodeText(`${segment}.`);
  const first = bytes[0] as number;
  outerByFirstByte.set(first, [...(outerByFirstByte.get(first) ?? []), bytes]);
}

/**
 * The same for the bytes of a name, without making a text of most: where the canonical name begins in `bytes[start, end)`, or its own bytes where
 * a wrapper is inside of the name.
 */
export function canonicalBytes(bytes: Uint8Array, start: number, end: number): number | Uint8Array {
  let from = start;
  for (let next = endOfOuter(bytes, from, end); next !== from; next = endOfOuter(bytes, from, end)) from = next;
  for (let at = from; at + 1 < end; at++)
    if (bytes[at] === DOT && (bytes[at + 1] === UNDERSCORE || peftBytes.some((level) => isAt(bytes, at, end, level))))
      return encodeText(canonicalName(decodeText(bytes, start, end)));
  return from;
}

/** Behind the first segment and its point; `from` where the segment is a part of the name. */
function endOfOuter(bytes: Uint8Array, from: number, end: number): number {
  const outer = outerByFirstByte.get(bytes[from] as number);
  if (outer === undefined) return from;
  for (const segment of outer) {
    if (isAt(bytes, from, end, segment)) return from + segment.length;
  }
  return from;
}

function isAt(bytes: Uint8Array, from: number, end: number, part: Uint8Array): boolean {
  let at = 0;
  while (at < part.length && part[at] === bytes[from + at]) at += 1;
  return at === part.length && from + at <= end;
}
