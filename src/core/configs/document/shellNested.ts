/**
 * Scripts in a word of a command, and those that a command reads: `bash -c '…'`, `ssh host "…"`, `eval "…"`, `sbatch --wrap="…"`, `sbatch <<EOF`. What runs them is found by
 * words alone.
 */
import { nowhere, type Span } from './configNode.js';
import type { ShellPiece, ShellWord } from './shellWord.js';

/** A word of a command with the pieces of text that it is made of, from which another shell would read it again. */
export interface CommandWord extends ShellWord {
  pieces: readonly ShellPiece[];
}

export interface Nested {
  /** The text that another shell reads. */
  pieces: ShellPiece[];
  /** The words that run it. */
  before: readonly ShellWord[];
  /** `$0`, `$1` and so on of the script. */
  parameters: readonly CommandWord[];
}

const shells = new Set(['bash', 'sh', 'zsh', 'dash', 'ash', 'ksh']);

/** Options that a word follows, of programs that run the rest of their words on other hosts (ssh(1), pdsh(1)). */
const remote: Readonly<Record<string, { valued: RegExp; hasHost: boolean }>> = {
  ssh: { valued: /^-[BbcDEeFIiJLlmOoPpQRSWw]$/, hasHost: true },
  pdsh: { valued: /^-[wxfRlutgMmCjF]$/, hasHost: false },
};

/** The script in a command; null where it has none. */
export function nestedIn(words: readonly CommandWord[]): Nested | null {
  const program = words.findIndex(({ text }) => !/^[A-Za-z_]\w*=/.test(text));
  const name = baseName(words[program]?.text ?? '');
  if (name === 'eval') return rest(words, program + 1);
  if (Object.hasOwn(remote, name)) return remoteScript(words, program + 1, remote[name]);
  if (name === 'sbatch') return wrapped(words);
  return shellScript(words);
}

/** Whether a command runs the script that it gets on standard input: `sbatch <<EOF`, `ssh host bash -s <<EOF`. */
export function readsScript(words: readonly ShellWord[]): boolean {
  const name = baseName(words[0]?.text ?? '');
  if (name === 'sbatch' || name === 'ssh') return true;
  const shell = words.findIndex(({ text }) => shells.has(baseName(text)));
  return shell !== -1 && words.slice(shell + 1).every(({ text }) => /^[-+]/.test(text));
}

/** `bash -lc '…' name parameter …`, wherever the shell stands. */
function shellScript(words: readonly CommandWord[]): Nested | null {
  for (const [index, { text }] of words.entries()) {
    if (!shells.has(baseName(text))) continue;
    let at = index + 1;
    let isCommand = false;
    for (; /^[-+][A-Za-z-]/.test(words[at]?.text ?? ''); at++) {
      const option = words[at]?.text ?? '';
      if (/^-[A-Za-z]*c[A-Za-z]*$/.test(option)) isCommand = true;
      // `-o pipefail`, `--rcfile FILE`
      if (/^(?:[-+][A-Za-z]*o|--(?:rcfile|init-file))$/i.test(option)) at++;
    }
    const script = words[at];
    // Without quotes, as a list of YAML has it.
    if (isCommand && script !== undefined && /^[\w./-]+$/.test(script.text)) {
      const whole = rest(words, at);
      return whole === null ? null : { ...whole, before: words.slice(0, index + 1) };
    }
    if (isCommand && script !== undefined)
      return { pieces: [...script.pieces], before: words.slice(0, index + 1), parameters: words.slice(at + 1) };
  }
  return null;
}

function remoteScript(
  words: readonly CommandWord[],
  start: number,
  { valued, hasHost }: { valued: RegExp; hasHost: boolean } = { valued: /^$/, hasHost: false },
): Nested | null {
  let at = start;
  while (words[at]?.text.startsWith('-') === true) at += valued.test(words[at]?.text ?? '') ? 2 : 1;
  return rest(words, hasHost ? at + 1 : at);
}

/** All words from one on, as one text. */
function rest(words: readonly CommandWord[], from: number): Nested | null {
  if (from >= words.length) return null;
  const pieces = words.slice(from).flatMap((word, index) => (index === 0 ? word.pieces : [blank, ...word.pieces]));
  return { pieces, before: words.slice(0, from), parameters: [] };
}

const blank: ShellPiece = { text: ' ', span: nowhere };

function wrapped(words: readonly CommandWord[]): Nested | null {
  const index = words.findIndex(({ text }) => text === '--wrap' || text.startsWith('--wrap='));
  const word = words[index];
  if (word === undefined) return null;
  const before = words.filter((_, at) => at !== index);
  if (word.text !== '--wrap') return { pieces: withoutStart(word.pieces, '--wrap='.length), before, parameters: [] };
  const next = words[index + 1];
  return next === undefined ? null : { pieces: [...next.pieces], before: before.filter((one) => one !== next), parameters: [] };
}

function withoutStart(pieces: readonly ShellPiece[], length: number): ShellPiece[] {
  const kept: ShellPiece[] = [];
  let left = length;
  for (const { text, span } of pieces) {
    const isLiteral = text.length === span.end - span.start;
    if (left < text.length)
      kept.push({ text: text.slice(left), span: isLiteral ? { start: span.start + left, end: span.end } : span });
    left = Math.max(0, left - text.length);
  }
  return kept;
}

function baseName(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1);
}

/** The text of pieces, and where in the outer script a stretch of it is written. */
export function textOfPieces(pieces: readonly ShellPiece[]): { text: string; placeOf: (span: Span) => Span } {
  const starts: number[] = [];
  let text = '';
  for (const piece of pieces) {
    starts.push(text.length);
    text += piece.text;
  }
  const indexAt = (offset: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const placeOf = ({ start, end }: Span): Span => {
    const [first, last] = [indexAt(start), indexAt(Math.max(start, end - 1))];
    const [from, to] = [pieces[first], pieces[last]];
    if (from === undefined || to === undefined) return nowhere;
    const left = isLiteral(from) ? from.span.start + (start - (starts[first] ?? 0)) : from.span.start;
    const right = isLiteral(to) ? to.span.start + (end - (starts[last] ?? 0)) : to.span.end;
    // Pieces of values that are written elsewhere.
    return right < left ? from.span : { start: left, end: right };
  };
  return { text, placeOf };
}

function isLiteral({ text, span }: ShellPiece): boolean {
  return text.length === span.end - span.start;
}
