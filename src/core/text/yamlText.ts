/**
 * YAML of plain data: block mappings, lists of them, and JSON. Strings are always quoted, as YAML 1.1 and 1.2 disagree on which plain words are text.
 * The page of plans writes it too: the library that reads YAML is larger than the plan is.
 */
import { visibleText } from './visibleText.js';

type Mapping = { readonly [key: string]: YamlValue };
export type YamlValue = string | number | boolean | readonly YamlValue[] | Mapping;

/** A document with comments above it. Each comment is one line, whatever is in it. */
export function yamlDocument(comments: readonly string[], value: Mapping): string {
  const lines = [...comments.map((comment) => `# ${visibleText(comment)}`), ...mappingLines(value, '')];
  return `${lines.join('\n')}\n`;
}

function mappingLines(value: Mapping, indent: string): string[] {
  return Object.entries(value).flatMap(([key, item]) => {
    const name = `${indent}${plainKey.test(key) ? key : quoted(key)}:`;
    if (isFilled(item)) return [name, ...mappingLines(item, `${indent}  `)];
    if (isList(item) && item.length > 0 && item.every(isFilled))
      return [name, ...item.flatMap((each) => listItemLines(each, `${indent}  `))];
    return [`${name} ${flow(item)}`];
  });
}

/** A mapping behind a dash, which takes the place of the indentation of its first line. */
function listItemLines(item: Mapping, indent: string): string[] {
  const [first = '', ...rest] = mappingLines(item, `${indent}  `);
  return [`${indent}- ${first.slice(indent.length + 2)}`, ...rest];
}

/** What YAML 1.1 takes for true, false or nothing is no plain key. */
const plainKey = /^(?!(?:true|false|yes|no|on|off|y|n|null)$)[a-z]\w*$/i;

function isMapping(value: YamlValue): value is Mapping {
  return typeof value === 'object' && !isList(value);
}

function isFilled(value: YamlValue): value is Mapping {
  return isMapping(value) && Object.keys(value).length > 0;
}

function isList(value: YamlValue): value is readonly YamlValue[] {
  return Array.isArray(value);
}

/** JSON is YAML where strings hold printable characters alone. */
function flow(value: YamlValue): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return String(value);
  if (isList(value)) return `[${value.map(flow).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, item]) => `${quoted(key)}: ${flow(item)}`)
    .join(', ')}}`;
}

/** YAML takes no character for text that JSON leaves as it is: DEL, C1 controls, line separators, non-characters, the byte order mark. */
function quoted(text: string): string {
  return JSON.stringify(text.replace(/\p{Cs}/gu, '\ufffd')).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
