/** The beginning of a JSON text by its brackets alone: which members its object, or the objects in its list, have. */

export interface OutlineMember {
  name: string;
  /** The text from the value on, as far as a rule looks at it. */
  value: string;
}

export interface JsonOutline {
  /** Members of the object, or of each object in the list that begins here, the last of which may be cut. */
  elements: OutlineMember[][];
  /** Elements that end here. */
  whole: number;
  isList: boolean;
  /** True where no value of an element is an object or a list. */
  isFlat: boolean;
  /** Whether a text of several words is among the values at any depth. */
  hasProse: boolean;
  /** Whether any value at any depth is a text. */
  hasText: boolean;
}

/** What is kept of a value. */
const VALUE_CHARACTERS = 64;
/** Elements that are looked at: more would tell nothing else. */
const ELEMENTS = 64;

/** The outline of a beginning, in one pass over it. */
export function outlineOf(head: string): JsonOutline {
  const isList = /^\s*\[/.test(head);
  const objectDepth = isList ? 2 : 1;
  const outline: JsonOutline = { elements: [], whole: 0, isList, isFlat: true, hasProse: false, hasText: false };
  let depth = 0;
  for (let at = 0; at < head.length; at++) {
    const character = head.charAt(at);
    if (character === '"') {
      const end = endOfText(head, at);
      const colon = /^\s*:\s*/.exec(head.slice(end, end + 8))?.[0];
      if (colon === undefined) noteText(outline, head.slice(at + 1, end - 1));
      else if (depth === objectDepth)
        outline.elements.at(-1)?.push({
          name: head.slice(at + 1, end - 1),
          value: head.slice(end + colon.length, end + colon.length + VALUE_CHARACTERS),
        });
      at = end - 1;
    } else if (character === '[' || character === '{') {
      depth += 1;
      if (depth === objectDepth && character === '{') {
        if (outline.elements.length === ELEMENTS) break;
        outline.elements.push([]);
      }
      if (depth > objectDepth) outline.isFlat = false;
    } else if (character === ']' || character === '}') {
      if (depth === objectDepth) outline.whole += 1;
      depth -= 1;
    }
  }
  return outline;
}

function noteText(outline: JsonOutline, text: string): void {
  outline.hasText = true;
  outline.hasProse ||= isProse(text);
}

/** Several words, or some letters of a script that may do without spaces; the text as it is escaped. */
function isProse(text: string): boolean {
  return (text.length >= 20 && /\s|\\[nu]/.test(text)) || (text.length >= 8 && /[\u0250-\u{10ffff}]/u.test(text));
}

/** Behind the quote that ends a text. */
function endOfText(head: string, start: number): number {
  let at = start + 1;
  while (at < head.length && head.charAt(at) !== '"') at += head.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
}
