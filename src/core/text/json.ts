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

/** Characters of a piece, about. */
const pieceCharacters = 256 * 1024;

/**
 * The same text as `toJson` of an object in pieces, so that a list of a hundred thousand entries is never one string. Entries of lists that are members of the object
 * are made one by one; no other member is large.
 */
export function* jsonPieces(value: object): Generator<string> {
  let piece = '{';
  let isFirst = true;
  for (const [key, member] of Object.entries(value) as [string, unknown][]) {
    if (member === undefined) continue;
    piece += `${isFirst ? '' : ','}\n  ${toJson(key)}: `;
    isFirst = false;
    if (!Array.isArray(member) || member.length === 0) piece += indented(toJson(member), '  ');
    else {
      piece += '[';
      for (const [index, entry] of member.entries()) {
        piece += `${index === 0 ? '' : ','}\n    ${indented(toJson(entry), '    ')}`;
        if (piece.length < pieceCharacters) continue;
        yield piece;
        piece = '';
      }
      piece += '\n  ]';
    }
  }
  yield isFirst ? '{}' : `${piece}\n}`;
}

/** Line breaks are those of the indentation. */
function indented(json: string, by: string): string {
  return json.replaceAll('\n', `\n${by}`);
}

/** Each UTF-16 unit as `\uXXXX`, the only escape that JSON has for them. */
function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
    '',
  );
}
