import { limits } from '../../bytes/limits.js';
import { type ConfigDocument, type ConfigProblem, type ConfigSyntax, emptyMap } from './configNode.js';
import { syntaxOf } from './configSyntax.js';
import { parseJsonText } from './parseJson.js';
import { parsePythonText } from './parsePython.js';
import { parseShellText } from './parseShell.js';
import { parseTomlText } from './parseToml.js';
import { parseYamlText } from './parseYaml.js';

/** Reads a config file as text; nothing of it is run. Never throws: what is wrong is among the problems, and the rest still stands. */
export async function parseConfig(name: string, text: string): Promise<ConfigDocument | null> {
  const syntax = syntaxOf(name);
  if (syntax === null) return null;
  if (text.length > limits.configCharacters) return refused(syntax, 'too-large', `${text.length} characters`);
  const mostItems = syntax === 'toml' ? limits.tomlItems : limits.configItems;
  if (countItems(text) > mostItems) return refused(syntax, 'too-large', `more than ${mostItems} lines and items`);
  if ((syntax === 'json' || syntax === 'yaml' || syntax === 'toml') && isTooDeep(text, syntax === 'yaml'))
    return refused(syntax, 'too-deep', `more than ${limits.configDepth} levels`);
  if (syntax === 'toml' && hasDeepKey(text)) return refused(syntax, 'too-deep', `a key of more than ${limits.configDepth} parts`);
  switch (syntax) {
    case 'json':
      return parseJsonText(text);
    case 'yaml':
      return parseYamlText(text);
    case 'toml':
      return parseTomlText(text);
    case 'shell':
      return parseShellText(text);
    case 'python':
      return parsePythonText(text);
  }
}

function refused(syntax: ConfigSyntax, code: ConfigProblem['code'], detail: string): ConfigDocument {
  const problem: ConfigProblem = { code, span: { start: 0, end: 1 }, path: [], detail };
  return { syntax, root: emptyMap, problems: [problem], programs: [] };
}

/** Lines, and items of lists in a line: a parser that keeps the place of each takes up to a kilobyte for it. */
function countItems(text: string): number {
  let items = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || code === 0x2c || code === 0x5b || code === 0x7b) items += 1;
  }
  return items;
}

/**
 * Whether a dotted key of TOML has more parts than maps may nest: each part opens a map. What is in quotes counts as one part, as long as the line; a
 * text of several lines is not distinguished, which only matters for a line of it with a hundred words that nothing but full stops divide.
 */
function hasDeepKey(text: string): boolean {
  let dots = 0;
  let quote = 0;
  let last = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a) quote = 0;
    const isQuote = code === 0x22 || code === 0x27;
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (isQuote) quote = code;
    else if (code === 0x2e && last !== 0x2e) dots += 1;
    else if (code === 0x2e || !isInKey(code)) dots = 0;
    last = code;
    if (dots >= limits.configDepth) return true;
  }
  return false;
}

/** Letters, digits, `-`, `_`, and the blanks around a dot (TOML 1.0, Keys). */
function isInKey(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x2d ||
    code === 0x5f ||
    code === 0x20 ||
    code === 0x09
  );
}

/**
 * Whether brackets, or the indicators at the beginning of a line of YAML, nest deeper than the parsers' own recursion should go. Strings
 * are not distinguished: brackets in them count too, which only matters for texts with hundreds of unclosed ones.
 */
function isTooDeep(text: string, isYaml: boolean): boolean {
  let depth = 0;
  let prefix = 0;
  let isPrefix = true;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) depth += 1;
    else if ((code === 0x5d || code === 0x7d) && depth > 0) depth -= 1;
    else if (code === 0x0a) {
      isPrefix = true;
      prefix = 0;
      continue;
    }
    if (depth > limits.configDepth) return true;
    if (!isYaml || !isPrefix) continue;
    // Space, `-`, `?` and `:` open levels of block YAML; two characters a level at least.
    isPrefix = code === 0x20 || code === 0x2d || code === 0x3f || code === 0x3a;
    prefix += 1;
    if (prefix > 2 * limits.configDepth) return true;
  }
  return false;
}
