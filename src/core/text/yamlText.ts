/**
 * YAML of plain data: block mappings and JSON. Strings are always quoted, as YAML 1.1 and 1.2 disagree on which plain words are text.
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
    return isMapping(item) && Object.keys(item).length > 0
      ? [name, ...mappingLines(item, `${indent}  `)]
      : [`${name} ${flow(item)}`];
  });
}

/** What YAML 1.1 takes for true, false or nothing is no plain key. */
const plainKey = /^(?!(?:true|false|yes|no|on|off|y|n|null)$)[a-z]\w*$/i;

function isMapping(value: YamlValue): value is Mapping {
  return typeof value === 'object' && !Array.isArray(value);
}

/** JSON is YAML where strings hold printable characters alone. */
function flow(value: YamlValue): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return String(value);
  if (!isMapping(value)) return `[${value.map(flow).join(', ')}]`;
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
