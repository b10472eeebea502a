import { replaceDeceptiveInLines } from './visibleText.js';

/**
 * A value as JSON with two spaces of indentation. Characters that hide or reorder text, C1 controls among them, are escaped: names from
 * files reach a terminal, and JSON itself escapes controls below U+0020 only.
 * @param replacer as `JSON.stringify` takes it
 */
export function toJson(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  // Line breaks are those of the indentation: inside of strings they are escaped.
  return replaceDeceptiveInLines(JSON.stringify(value, replacer, 2), escapeUnits);
}

/** Each UTF-16 unit as `\uXXXX`, the only escape that JSON has for them. */
function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
    '',
  );
}
