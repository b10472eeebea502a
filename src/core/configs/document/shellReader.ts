import { appendAll } from '../../bytes/appendAll.js';
import { limits } from '../../bytes/limits.js';
import { nowhere, type Span } from './configNode.js';
import { shellArithmetic } from './shellArithmetic.js';
import { batchOption, batchVariables } from './shellBatch.js';
import { ShellBranches } from './shellBranches.js';
import { layerLoopAt, numbersOf, printedArrayAt } from './shellLayerLoop.js';
import { type CommandWord, type Nested, nestedIn, readsScript, textOfPieces } from './shellNested.js';
import { expandPieces, joined, literal, type WordPart } from './shellParts.js';
import { isLineEnd, isWordEnd, lineEnd, matching, nextLine } from './shellText.js';
import { layerListAt, placeholderAt, type ShellPiece, type ShellWord, spanOfPieces, splitPieces, wordOf } from './shellWord.js';

/** Words of all commands together, after variables; characters of one variable. Scripts have some hundred of either. */
const mostWords = 20_000;
const mostCharacters = 100_000;
/** `${A:-${B:-…}}` */
const deepest = 8;
/** `ssh host "srun bash -c 'docker exec x sh -c …'"` */
const deepestNested = 6;
const mostProblems = 50;

/** What is in a script, as far as text alone tells. */
export interface ShellScript {
  commands: ShellWord[][];
  /** Words of arrays and of strings that hold flags, in the order in which they are assigned. */
  assigned: ShellWord[];
  /** Words of `#SBATCH` lines. */
  batch: ShellWord[];
  /** Variables that only the environment sets. */
  unresolved: ShellWord[];
  /** Variables that are used and that one of several branches sets, where something else chooses; each with a place where it is used. */
  branched: Map<string, Span>;
  /** Files that it sources and that were not given, as the script names them. */
  sourced: ShellWord[];
}

/** Texts of the files that a script sources, by how it names them. */
export type SourcedTexts = ReadonlyMap<string, string>;

/** What a file that is sourced, or a script in a word, has of the script around it. */
interface Sourcing {
  variables: ReadonlyMap<string, Variable>;
  /** Words around it that are scripts themselves. */
  depth: number;
  /** How often one file may yet be sourced by another, and characters of scripts in words, in all files together: either may hold itself. */
  budget: { files: number; nestedCharacters: number };
}

/** A variable: one text, or the words of an array. */
type Variable = { kind: 'text'; pieces: ShellPiece[] } | { kind: 'array'; words: ShellPiece[][] };

/** `<<EOF`, and what reads it: a variable, a shell, or another program, which is passed over. */
interface Heredoc {
  end: string;
  /** `<<'EOF'`: nothing in it is expanded. */
  isLiteral: boolean;
  variable: string | null;
  /** The words of the command that runs it. */
  runner: ShellWord[] | null;
}

/** Reads a script from its beginning to its end, once. Never throws; positions are those of the text. */
export class ShellReader {
  private at = 0;
  private words = 0;
  private readonly variables: Map<string, Variable>;
  private readonly script: ShellScript = {
    commands: [],
    assigned: [],
    batch: [],
    unresolved: [],
    branched: new Map(),
    sourced: [],
  };
  private readonly heredocs: Heredoc[] = [];
  private readonly branches = new ShellBranches();
  /** Arrays whose loops were followed. */
  private readonly filledArrays = new Set<string>();
  private command: CommandPart[] = [];
  /** Commands that were read because a variable gets what they print. */
  private launched = 0;
  /** The variable whose text is being read. */
  private assigned: string | null = null;
  /** The next word is where a redirection goes. */
  private isRedirected = false;

  constructor(
    private readonly text: string,
    private readonly sources: SourcedTexts = new Map(),
    private readonly sourcing: Sourcing = {
      variables: new Map(),
      depth: 0,
      budget: { files: limits.configSources, nestedCharacters: limits.nestedScripts },
    },
  ) {
    this.variables = new Map(sourcing.variables);
  }

  read(): ShellScript {
    while (this.at < this.text.length && this.words < mostWords) this.step();
    this.endCommand();
    return this.script;
  }

  private step(): void {
    const { text } = this;
    const char = text.charAt(this.at);
    if (char === '\n') {
      this.at++;
      this.endCommand();
      this.skipHeredocs();
    } else if (char === ' ' || char === '\t' || char === '\r') this.at++;
    else if (char === '\\' && isLineEnd(text, this.at + 1)) this.at = nextLine(text, this.at);
    else if (char === '#') this.comment();
    else if (layerListAt(text, this.at) !== null) this.word();
    else if (char === ';' || char === '&' || char === '|' || char === '(' || char === ')') {
      this.at++;
      // `&> file` and `2>&1` are no ends.
      if (char === '&' && (text.charAt(this.at) === '>' || this.isRedirected)) return;
      this.endCommand();
    } else if ((char === '<' || char === '>') && placeholderAt(text, this.at) === null) this.redirection();
    else this.word();
  }

  private endCommand(): void {
    const { command } = this;
    this.command = [];
    this.isRedirected = false;
    const [first, file] = command;
    if (first === undefined) return;
    this.branches.end(command);
    if (this.branches.isPassedOver) return;
    const nested = this.mayNest() ? nestedIn(command) : null;
    if (nested === null) this.keep(command.flatMap(wordsOfFlags), command.length);
    else this.readNested(nested);
    if (file !== undefined && (first.text === 'source' || first.text === '.')) this.source(file);
  }

  private mayNest(): boolean {
    const { depth, budget } = this.sourcing;
    return depth < deepestNested && budget.nestedCharacters > 0;
  }

  /** A command, as far as there is room. @param counted of its words, those that were counted as they were read */
  private keep(words: ShellWord[], counted: number): void {
    this.words += words.length - counted;
    if (this.words <= mostWords) this.script.commands.push(words);
  }

  /** Reads a script that is a word of a command, which another shell would read after this one. Its variables are taken for exported ones. */
  private readNested({ pieces, before, parameters }: Nested): void {
    const { script, sources, sourcing } = this;
    const { text, placeOf } = textOfPieces(bounded(pieces));
    sourcing.budget.nestedCharacters -= text.length;
    const variables = new Map(this.variables);
    for (const [index, word] of parameters.entries())
      variables.set(String(index), { kind: 'text', pieces: [{ text: word.text, span: word.span }] });
    if (parameters.length > 0) variables.set('@', { kind: 'array', words: parameters.slice(1).map((word) => [...word.pieces]) });
    const reader = new ShellReader(text, sources, { variables, depth: sourcing.depth + 1, budget: sourcing.budget });
    reader.words = this.words;
    const inner = reader.read();
    this.words = reader.words;
    const placed = (word: ShellWord): ShellWord => ({ text: word.text, span: placeOf(word.span) });
    const lead: ShellWord[] = [...before, { text: '--', span: nowhere }];
    if (inner.commands.length === 0) this.keep([...before], before.length);
    for (const words of inner.commands) this.keep([...lead, ...words.map(placed)], words.length);
    appendAll(script.assigned, inner.assigned.slice(0, mostWords - script.assigned.length).map(placed));
    appendAll(script.batch, inner.batch.slice(0, mostWords - script.batch.length).map(placed));
    for (const { text: path, span } of inner.sourced) script.sourced.push({ text: path, span: placeOf(span) });
    for (const [name, span] of inner.branched) if (!script.branched.has(name)) script.branched.set(name, placeOf(span));
    // What this shell leaves open stands in the text that the other one reads, too.
    const known = new Set(script.unresolved.map((word) => word.text));
    for (const word of inner.unresolved)
      if (!known.has(word.text) && script.unresolved.length < mostProblems) script.unresolved.push(placed(word));
  }

  /** Reads a file where it is sourced, as a part of this script. What is written there has no place here. */
  private source(file: ShellWord): void {
    const { sources, sourcing, script } = this;
    const text = sources.get(file.text);
    if (text === undefined) {
      if (script.sourced.length < limits.configSources) script.sourced.push(file);
      return;
    }
    if (sourcing.budget.files-- <= 0) return;
    const reader = new ShellReader(text, sources, {
      variables: this.variables,
      depth: sourcing.depth,
      budget: sourcing.budget,
    });
    reader.words = this.words;
    const inner = reader.read();
    this.words = reader.words;
    for (const [name, variable] of reader.variables)
      if (this.variables.get(name) !== variable) this.variables.set(name, placeless(variable));
    appendAll(script.assigned, inner.assigned.slice(0, mostWords - script.assigned.length).map(withoutPlace));
    for (const words of inner.commands) script.commands.push(words.map(withoutPlace));
    for (const { text: path } of inner.sourced) script.sourced.push({ text: path, span: file.span });
    for (const { text: detail } of inner.unresolved.slice(0, mostProblems - script.unresolved.length))
      script.unresolved.push({ text: detail, span: file.span });
  }

  private comment(): void {
    const end = lineEnd(this.text, this.at);
    const start = this.at + '#SBATCH'.length;
    if (this.text.startsWith('#SBATCH', this.at)) {
      const piece = { text: this.text.slice(start, end), span: { start, end } };
      for (const pieces of splitPieces([piece])) this.script.batch.push(wordOf(pieces, spanOfPieces(pieces)));
      this.setBatchVariables();
    }
    this.at = end;
  }

  /** What Slurm tells its jobs (sbatch(1), output environment variables). */
  private setBatchVariables(): void {
    for (const [variables, option] of batchVariables) {
      const pieces = batchOption(this.script.batch, option);
      if (pieces !== null) for (const name of variables) this.variables.set(name, { kind: 'text', pieces });
    }
  }

  private redirection(): void {
    const { text } = this;
    if (text.startsWith('<<', this.at) && !text.startsWith('<<<', this.at)) {
      const line = text.slice(this.at, Math.min(lineEnd(text, this.at), this.at + 200));
      const heredoc = /^<<-?[ \t]*(['"]?)([A-Za-z_]\w*)\1/.exec(line);
      if (heredoc?.[2] !== undefined) {
        const runner = this.branches.isPassedOver || !readsScript(this.command) ? null : [...this.command];
        this.heredocs.push({ end: heredoc[2], isLiteral: heredoc[1] !== '', variable: this.variableRead(), runner });
        this.at += heredoc[0].length;
        return;
      }
    }
    this.at++;
    this.isRedirected = true;
    // The number before it names a stream: `2>`.
    const last = this.command[this.command.length - 1];
    if (last !== undefined && last.span.end === this.at - 1 && /^\d$/.test(last.text)) this.command.pop();
  }

  /** `read -r -d '' NAME <<EOF` puts the whole heredoc into a variable. */
  private variableRead(): string | null {
    const [first] = this.command;
    const name = this.command[this.command.length - 1]?.text ?? '';
    return first?.text === 'read' && this.command.length > 1 && /^[A-Za-z_]\w{0,100}$/.test(name) ? name : null;
  }

  /** Heredocs that begin after this line. */
  private skipHeredocs(): void {
    const heredocs = [...this.heredocs];
    this.heredocs.length = 0;
    for (const heredoc of heredocs) this.heredoc(heredoc);
  }

  private heredoc({ end, isLiteral, variable, runner }: Heredoc): void {
    const start = this.at;
    let stop = start;
    let after = start;
    while (after < this.text.length) {
      stop = after;
      const lineStop = lineEnd(this.text, after);
      const line = this.text.slice(after, lineStop).trim();
      after = Math.min(lineStop + 1, this.text.length);
      if (line === end) break;
      stop = after;
    }
    if (variable !== null || runner !== null) {
      const literalPiece = { text: this.text.slice(start, stop), span: { start, end: stop } };
      const parts = isLiteral ? [literal(literalPiece)] : this.expandedUntil(() => this.at >= stop, 0);
      const pieces = bounded(parts.flatMap(({ words }) => joined(words)));
      if (variable !== null) this.set(variable, { kind: 'text', pieces });
      else if (runner !== null && this.mayNest()) this.readNested({ pieces, before: runner, parameters: [] });
    }
    this.at = after;
  }

  private word(): void {
    const start = this.at;
    if (this.command.length === 0 && (this.layerLoop() || this.printedArray())) return;
    if (this.command.every(({ text }) => precedesAssignment.has(text)) && this.assignment()) return;
    const parts = this.readParts(isWordEnd);
    if (this.at === start) this.at++;
    if (this.isRedirected) {
      this.isRedirected = false;
      return;
    }
    const site = { start, end: this.at };
    const isQuoted = parts.every(({ isSplit }) => !isSplit);
    for (const pieces of expandPieces(parts)) {
      this.words++;
      const isOnlyValue = parts.length === 1 && parts[0]?.isValue === true;
      const word = wordOf(pieces, isOnlyValue ? spanOfPieces(pieces) : site);
      if (this.command.length === 0) this.branches.begin(word.text);
      this.command.push({ ...word, pieces, isQuoted });
    }
  }

  /** A loop that lists which layers have experts; false for all else. */
  private layerLoop(): boolean {
    const found = layerLoopAt(this.text, this.at);
    const numbers = found === null ? null : numbersOf(found, (name) => this.textOf(name));
    if (found === null || numbers === null) return false;
    const span = { start: this.at, end: this.at + found.length };
    this.at = span.end;
    const known = this.variables.get(found.array);
    const before = known?.kind === 'array' ? known.words : [];
    const words = [...before, ...numbers.map((text) => [{ text, span }])];
    this.set(found.array, { kind: 'array', words: words.slice(0, mostWords) });
    this.filledArrays.add(found.array);
    return true;
  }

  /** `printf -v` of such a list; false for all else. */
  private printedArray(): boolean {
    const found = printedArrayAt(this.text, this.at);
    const variable = found === null ? undefined : this.variables.get(found.array);
    // Another loop that fills it is read once, whatever its rounds.
    if (found === null || variable?.kind !== 'array' || !this.filledArrays.has(found.array)) return false;
    const span = { start: this.at, end: this.at + found.length };
    this.at = span.end;
    const text = `[${variable.words.map((pieces) => pieces.map((piece) => piece.text).join('')).join(',')}]`;
    this.set(found.name, { kind: 'text', pieces: bounded([{ text, span }]) });
    return true;
  }

  /** `NAME=value`, `NAME=( … )`, `NAME+=…`; false where the word is none. */
  private assignment(): boolean {
    const match = /^([A-Za-z_]\w{0,100})(\+?)=/.exec(this.text.slice(this.at, this.at + 110));
    const name = match?.[1];
    if (match === null || name === undefined) return false;
    this.at += match[0].length;
    const isAdded = match[2] === '+';
    const known = isAdded ? this.variables.get(name) : undefined;
    if (this.text.charAt(this.at) === '(') {
      this.at++;
      const words = this.arrayWords();
      const before = known === undefined ? [] : known.kind === 'array' ? known.words : [known.pieces];
      this.set(name, { kind: 'array', words: [...before, ...words].slice(0, mostWords) });
      for (const pieces of words) this.assign(pieces);
      return true;
    }
    this.assigned = name;
    const parts = this.readParts(isWordEnd);
    this.assigned = null;
    const pieces = parts.flatMap(({ words }) => joined(words));
    const before = known?.kind === 'text' ? known.pieces : [];
    this.set(name, { kind: 'text', pieces: bounded([...before, ...pieces]) });
    const split = splitPieces(pieces);
    if (split.some((word) => word[0]?.text.startsWith('--') === true)) for (const word of split) this.assign(word);
    return true;
  }

  private set(name: string, variable: Variable): void {
    if (this.branches.isPassedOver) return;
    this.branches.set(name);
    this.variables.set(name, variable);
  }

  private assign(pieces: readonly ShellPiece[]): void {
    if (this.branches.isPassedOver) return;
    if (this.script.assigned.length < mostWords) this.script.assigned.push(wordOf(pieces, spanOfPieces(pieces)));
  }

  private arrayWords(): ShellPiece[][] {
    const words: ShellPiece[][] = [];
    while (this.at < this.text.length && words.length < mostWords) {
      const char = this.text.charAt(this.at);
      if (char === ')') {
        this.at++;
        break;
      }
      if (char === '#') this.at = lineEnd(this.text, this.at);
      else if (char === '\\' && isLineEnd(this.text, this.at + 1)) this.at = nextLine(this.text, this.at);
      else if (/\s/.test(char)) this.at++;
      else {
        const start = this.at;
        const parts = this.readParts(isWordEnd);
        if (this.at === start) this.at++;
        for (const word of expandPieces(parts)) words.push(word);
      }
    }
    return words;
  }

  /** The parts of one word up to a character that ends it. */
  private readParts(isEnd: (char: string) => boolean, depth = 0): WordPart[] {
    const parts: WordPart[] = [];
    const { text } = this;
    while (this.at < text.length) {
      const char = text.charAt(this.at);
      const whole = placeholderAt(text, this.at) ?? layerListAt(text, this.at);
      if (whole === null && isEnd(char)) break;
      if (whole !== null) parts.push(this.take(whole.length));
      else if (char === "'") parts.push(literal(this.singleQuoted()));
      else if (char === '"') appendAll(parts, this.doubleQuoted(depth));
      else if (char === '$' || char === '`') parts.push(this.expansion(depth, true));
      else if (char === '\\') {
        if (isLineEnd(text, this.at + 1)) break;
        parts.push(
          literal({ text: text.charAt(this.at + 1), span: { start: this.at, end: Math.min(this.at + 2, text.length) } }),
        );
        this.at = Math.min(this.at + 2, text.length);
      } else {
        const start = this.at;
        while (this.at < text.length && !isEnd(text.charAt(this.at)) && !special.has(text.charAt(this.at))) this.at++;
        parts.push(literal({ text: text.slice(start, this.at), span: { start, end: this.at } }));
      }
    }
    return parts;
  }

  private take(length: number): WordPart {
    const start = this.at;
    this.at += length;
    return literal({ text: this.text.slice(start, this.at), span: { start, end: this.at } });
  }

  private singleQuoted(): ShellPiece {
    const start = this.at + 1;
    const end = this.text.indexOf("'", start);
    const stop = end === -1 ? this.text.length : end;
    this.at = Math.min(stop + 1, this.text.length);
    return { text: this.text.slice(start, stop), span: { start, end: stop } };
  }

  private doubleQuoted(depth: number): WordPart[] {
    this.at++;
    const parts = this.expandedUntil(() => this.text.charAt(this.at) === '"', depth);
    this.at = Math.min(this.at + 1, this.text.length);
    return parts.length === 0 ? [literal({ text: '', span: { start: this.at, end: this.at } })] : parts;
  }

  /** Text in which variables are followed and a backslash before the end of a line continues it. */
  private expandedUntil(isEnd: () => boolean, depth: number): WordPart[] {
    const { text } = this;
    const parts: WordPart[] = [];
    while (this.at < text.length && !isEnd()) {
      const char = text.charAt(this.at);
      if (char === '$' || char === '`') parts.push(this.expansion(depth, false));
      else if (char === '\\') {
        const isContinued = isLineEnd(text, this.at + 1);
        const escaped = text.charAt(this.at + 1);
        const start = this.at;
        this.at = isContinued ? nextLine(text, this.at) : Math.min(this.at + 2, text.length);
        // Between double quotes a backslash is one unless it keeps what follows from a meaning.
        const kept = quotedSpecial.has(escaped) ? escaped : `\\${escaped}`;
        if (!isContinued) parts.push(literal({ text: kept, span: { start, end: this.at } }));
      } else {
        const start = this.at;
        this.at++;
        while (this.at < text.length && !isEnd() && !quotedSpecial.has(text.charAt(this.at))) this.at++;
        parts.push(literal({ text: text.slice(start, this.at), span: { start, end: this.at } }));
      }
    }
    return parts;
  }

  /** `$X`, `${X…}`, `$((…))`, `$(…)`, or a command between backticks. */
  private expansion(depth: number, isSplit: boolean): WordPart {
    const { text } = this;
    const start = this.at;
    if (text.startsWith('$((', start)) return this.arithmetic(start);
    if (text.startsWith('$(', start)) return this.printed(start, matching(text, start + 1, '()', mostCharacters));
    if (text.charAt(start) === '`') {
      const end = text.indexOf('`', start + 1);
      return this.unknown(start, end === -1 ? text.length : end + 1);
    }
    if (text.startsWith('${', start)) return this.braced(start, depth, isSplit);
    const name = /^(?:[A-Za-z_]\w{0,100}|[\d@*#?])/.exec(text.slice(start + 1, start + 110))?.[0];
    if (name === undefined) {
      this.at = start + 1;
      return literal({ text: '$', span: { start, end: start + 1 } });
    }
    this.at = start + 1 + name.length;
    // The script's own arguments: there may be none.
    if (name === '@' || name === '*') return this.valueOf('@', isSplit, start) ?? { words: [], isSplit: true, isValue: true };
    return this.valueOf(name, isSplit, start) ?? this.unknown(start, this.at);
  }

  /** `ID=$(python mason.py … -- accelerate launch …)`: what it prints is not known, and it may be what launches the run. */
  private printed(start: number, end: number): WordPart {
    const inner = { start: start + 2, end: Math.max(end - 1, start + 2) };
    const piece = { text: this.text.slice(inner.start, inner.end), span: inner };
    const mayLaunch =
      this.assigned !== null &&
      this.launched < mostLaunched &&
      launches.test(piece.text) &&
      !this.branches.isPassedOver &&
      this.mayNest();
    if (mayLaunch) {
      this.launched++;
      this.readNested({ pieces: [piece], before: [], parameters: [] });
    }
    return this.unknown(start, end);
  }

  private arithmetic(start: number): WordPart {
    const end = matching(this.text, start + 1, '()', mostCharacters);
    const inner = this.text.slice(start + 3, Math.max(end - 2, start + 3));
    const value = shellArithmetic(inner, (name) => this.textOf(name));
    if (value === null) return this.unknown(start, end);
    this.at = end;
    return literal({ text: String(value), span: { start, end } });
  }

  /** `${X}`, `${X[@]}`, `${X:-default}` and its kin; other forms edit texts, and are left as they are. */
  private braced(start: number, depth: number, isSplit: boolean): WordPart {
    const end = matching(this.text, start + 1, '{}', mostCharacters);
    const inner = this.text.slice(start + 2, Math.max(end - 1, start + 2));
    const match = /^([A-Za-z_]\w{0,100}|\d{1,2})(\[[@*]\])?(:?[-=])?/.exec(inner);
    const name = match?.[1];
    const operator = match?.[3];
    if (match === null || name === undefined || (operator === undefined && match[0].length !== inner.length))
      return this.unknown(start, end);
    this.at = end;
    const known = this.valueOf(name, isSplit, start);
    if (known !== null && (operator?.startsWith(':') !== true || known.words.length > 0)) return known;
    if (operator === undefined || depth >= deepest) return this.unknown(start, end);
    this.at = start + 2 + match[0].length;
    const stop = end - 1;
    const parts = this.readParts(() => this.at >= stop, depth + 1);
    this.at = end;
    const pieces = parts.flatMap(({ words }) => joined(words));
    // `: "${X:=default}"`
    if (operator.endsWith('=') && known === null) this.variables.set(name, { kind: 'text', pieces });
    return { words: isSplit ? splitPieces(pieces) : [pieces], isSplit, isValue: true };
  }

  private valueOf(name: string, isSplit: boolean, site: number): WordPart | null {
    const variable = this.variables.get(name);
    if (variable === undefined) return null;
    if (this.branches.isOfSeveral(name)) this.script.branched.set(name, { start: site, end: this.at });
    if (variable.kind === 'array') return { words: variable.words, isSplit: true, isValue: true };
    const words = isSplit ? splitPieces(variable.pieces) : [variable.pieces];
    // A single value is hovered where it is used.
    if (words.length === 1 && !isFlag(words[0])) {
      const text = (words[0] ?? []).map((piece) => piece.text).join('');
      if (!/\s/.test(text)) return { words: [[{ text, span: { start: site, end: this.at } }]], isSplit, isValue: true };
    }
    return { words, isSplit, isValue: true };
  }

  private textOf(name: string): string | undefined {
    const variable = this.variables.get(name);
    return variable?.kind === 'text' ? variable.pieces.map(({ text }) => text).join('') : undefined;
  }

  /** What the file does not determine stays as it is written. */
  private unknown(start: number, end: number): WordPart {
    this.at = Math.max(end, start + 1);
    const piece: ShellPiece = { text: this.text.slice(start, this.at), span: { start, end: this.at }, isUnknown: true };
    if (
      !this.branches.isPassedOver &&
      this.script.unresolved.length < mostProblems &&
      !/^\$(?:[#?\d]|\{\d{1,2}\})$/.test(piece.text)
    )
      this.script.unresolved.push(this.assigned === null ? piece : { text: `${this.assigned}=${piece.text}`, span: piece.span });
    return literal(piece);
  }
}

/** The same text, of another file. */
function withoutPlace(piece: ShellPiece): ShellPiece {
  return { ...piece, span: nowhere };
}

function placeless(variable: Variable): Variable {
  return variable.kind === 'text'
    ? { kind: 'text', pieces: variable.pieces.map(withoutPlace) }
    : { kind: 'array', words: variable.words.map((pieces) => pieces.map(withoutPlace)) };
}

function isFlag(pieces: readonly ShellPiece[] | undefined): boolean {
  return pieces?.[0]?.text.startsWith('-') === true;
}

/** A word of a command, before it is known whether it is a script. */
interface CommandPart extends CommandWord {
  /** It is one word, whatever blanks are in it. */
  isQuoted: boolean;
}

/** A text with flags that a program hands to another one is read as these. */
function wordsOfFlags({ text, span, pieces, isQuoted }: CommandPart): ShellWord[] {
  const words = isQuoted && / --?\w/.test(text) ? splitPieces(pieces) : [];
  return words.length > 3 ? words.map((word) => wordOf(word, spanOfPieces(word))) : [{ text, span }];
}

function bounded(pieces: ShellPiece[]): ShellPiece[] {
  let characters = 0;
  return pieces.filter(({ text }) => (characters += text.length + 1) <= mostCharacters);
}

/** Runs that one script launches in this way. */
const mostLaunched = 20;
/** Programs that run others, with flags behind them. */
const launches = /\b(?:python3?|torchrun|accelerate|deepspeed|srun)\b[^]{0,2000} --\w/;

const special = new Set(["'", '"', '$', '`', '\\']);
const quotedSpecial = new Set(['"', '$', '`', '\\']);
const precedesAssignment = new Set([
  'export',
  'declare',
  'local',
  'readonly',
  'typeset',
  '-x',
  '-a',
  '-r',
  '-i',
  'env',
  'then',
  'do',
  'else',
  '{',
]);
