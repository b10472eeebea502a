/**
 * Path configuration files of Python (Lib/site.py, addpackage): `.pth` files of paths, one a line, in which Python runs the lines that begin
 * with `import` and a space or a tab. PyTorch gives its files the same extension, so that a file may be both.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { limits } from '../../bytes/limits.js';
import { byteOrderMark, decodeLatin1, decodeStrictText, encodeText } from '../../bytes/text.js';
import type { FileFinding } from '../../findings/finding.js';
import { withoutSecrets } from '../../text/secrets.js';
import { isPickle } from '../pickle/pickleHead.js';
import { isZip } from '../zip.js';

const HEAD_BYTES = 512;
const MAX_CHARACTERS = 200;

export interface PathConfiguration {
  findings: FileFinding[];
}

/** True for the names that Python takes for path configurations. */
export function isPathConfigurationName(path: string): boolean {
  return path.endsWith('.pth');
}

/** The path configuration that a file with this extension is, whatever else it may be read as; undefined for one that is none. */
export async function readPathConfiguration(
  source: ByteSource,
  signal: AbortSignal | undefined,
): Promise<PathConfiguration | undefined> {
  const head = await source.read(0, Math.min(HEAD_BYTES, source.sizeBytes), signal);
  // Files of PyTorch: Python fails to decode them.
  if (head.includes(0) && (isZip(head) || isPickle(head))) return undefined;
  const bytes = await source.read(0, Math.min(limits.pathConfigurationBytes, source.sizeBytes), signal);
  const found = pathConfigurationIn(bytes);
  const rest = source.sizeBytes - bytes.byteLength;
  if (found === undefined || rest === 0) return found;
  return {
    findings: [...found.findings, { code: 'code-not-checked', facts: { bytes: rest, detail: 'larger than what is read' } }],
  };
}

function pathConfigurationIn(bytes: Uint8Array): PathConfiguration | undefined {
  const { text, bytesBefore } = textOf(bytes);
  const lines = linesOf(text);
  const run = lines.filter((line) => /^import[ \t]/.test(line.text));
  const [first] = run;
  if (first === undefined) {
    const isOne = !text.includes('\0') && lines.every(isPath) && lines.some((line) => line.text.trim() !== '');
    return isOne ? { findings: [] } : undefined;
  }
  const facts = { line: lines.indexOf(first) + 1, text: shown(first.text), lines: run.length };
  return { findings: [{ code: 'path-configuration-code', offset: bytesBefore(first.at), facts }] };
}

/** UTF-8, or the text in front of the first zero in the encoding of a locale; and the offset of a place in it. */
function textOf(bytes: Uint8Array): { text: string; bytesBefore: (at: number) => number } {
  const markBytes = byteOrderMark(bytes) === 'utf-8' ? 3 : 0;
  const text = decodeStrictText(bytes.subarray(markBytes));
  if (text !== undefined) return { text, bytesBefore: (at) => markBytes + encodeText(text.slice(0, at)).byteLength };
  const end = bytes.indexOf(0);
  return { text: decodeLatin1(bytes, 0, end === -1 ? bytes.byteLength : end), bytesBefore: (at) => at };
}

interface Line {
  text: string;
  /** Place in the text. */
  at: number;
}

/** Lines as versions of Python split them: at carriage returns, and at what `str.splitlines` takes for an end of a line. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let at = 0;
  // eslint-disable-next-line no-control-regex -- separators of Unicode and ASCII
  for (const { index, 0: end } of text.matchAll(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g)) {
    lines.push({ text: text.slice(at, index), at });
    at = index + end.length;
  }
  return [...lines, { text: text.slice(at), at }];
}

/** An absolute path or one from a dot; other words could be any text. */
function isPath({ text }: Line): boolean {
  const path = text.trim();
  return path === '' || path.startsWith('#') || /^(?:\.{0,2}[\\/]|[A-Za-z]:[\\/])\S/.test(path);
}

function shown(text: string): string {
  const line = withoutSecrets(text.trim());
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line;
}
