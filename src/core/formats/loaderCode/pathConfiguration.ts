/**
 * Path configuration files of Python (Lib/site.py, addpackage): `.pth` files of paths, one a line, in which Python runs the lines that begin
 * with `import` and a space or a tab. PyTorch gives its files the same extension.
 */
import { encodeText } from '../../bytes/text.js';
import type { FileFinding } from '../../findings/finding.js';
import { withoutSecrets } from '../../text/secrets.js';

/** Those of packages have a line or two; the longest seen (namespace packages of setuptools) have 2 KB. */
export const PATH_CONFIGURATION_BYTES = 64 * 1024;
const MAX_CHARACTERS = 200;

/** What the lines of such a file run; undefined for a file that is none. */
export function codeOfPathConfiguration(bytes: Uint8Array): FileFinding[] | undefined {
  const lines = linesOf(bytes);
  if (lines === undefined) return undefined;
  const run = lines.flatMap((text, index) => (/^import[ \t]/.test(text) ? [{ text, index }] : []));
  const [first] = run;
  if (first === undefined) return lines.every(isPath) && lines.some((line) => line.trim() !== '') ? [] : undefined;
  const offset = encodeText(lines.slice(0, first.index).join('\n')).byteLength + (first.index === 0 ? 0 : 1);
  return [
    { code: 'path-configuration-code', offset, facts: { line: first.index + 1, text: shown(first.text), lines: run.length } },
  ];
}

/** Undefined for bytes that are no text. */
function linesOf(bytes: Uint8Array): string[] | undefined {
  if (bytes.byteLength > PATH_CONFIGURATION_BYTES || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).split(/\r?\n/);
  } catch {
    return undefined;
  }
}

/** An absolute path or one from a dot; other words could be any text. */
function isPath(line: string): boolean {
  const text = line.trim();
  return text === '' || text.startsWith('#') || /^(?:\.{0,2}[\\/]|[A-Za-z]:[\\/])\S/.test(text);
}

function shown(text: string): string {
  const line = withoutSecrets(text.trim());
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line;
}
