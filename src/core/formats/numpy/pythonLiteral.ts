/**
 * Literals of Python as `ast.literal_eval` takes them, as far as headers of arrays have them: texts, integers, True, False, None, tuples, lists and dicts.
 * Grammar: docs.python.org, "Lexical analysis" and "Expressions".
 */

/** A dict is a Map, a tuple or a list an array. Bytes are left out: NumPy takes none in a header. */
export type PythonLiteral = string | number | boolean | null | PythonLiteral[] | Map<PythonLiteral, PythonLiteral>;

/** Headers nest records: deeper ones are none of NumPy's. */
const MAX_DEPTH = 64;

/** The value of a text that is one literal; undefined for any other, and for one with escapes by Unicode name. */
export function parsePythonLiteral(text: string): PythonLiteral | undefined {
  const parser = new LiteralParser(text);
  try {
    return parser.whole();
  } catch (error) {
    if (error instanceof NoLiteral) return undefined;
    throw error;
  }
}

class NoLiteral extends Error {}

const names: ReadonlyMap<string, boolean | null> = new Map([
  ['True', true],
  ['False', false],
  ['None', null],
]);

const simpleEscapes: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

class LiteralParser {
  private at = 0;

  constructor(private readonly text: string) {}

  whole(): PythonLiteral {
    const value = this.value(0);
    this.skip();
    if (this.at < this.text.length) throw new NoLiteral();
    return value;
  }

  private value(depth: number): PythonLiteral {
    this.skip();
    if (depth > MAX_DEPTH) throw new NoLiteral();
    switch (this.text[this.at]) {
      case '(':
        return this.inBrackets(depth);
      case '[':
        this.at += 1;
        return this.items(']', depth).values;
      case '{':
        return this.dict(depth);
      default:
        return this.scalar();
    }
  }

  private scalar(): PythonLiteral {
    const text = this.string();
    if (text !== undefined) return text;
    const name = this.name();
    return name === undefined ? this.integer() : name;
  }

  /** White space, comments, and lines that go on. Within brackets line ends are white space, too. */
  private skip(): void {
    this.match(/(?:[ \t\f\r\n]|\\\r?\n|#[^\n]*)*/y);
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text) ?? undefined;
    if (found !== undefined) this.at += found[0].length;
    return found;
  }

  private take(character: string): boolean {
    this.skip();
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  /** A value in brackets is that value, unless a comma follows it. */
  private inBrackets(depth: number): PythonLiteral {
    this.at += 1;
    const { values, hasComma } = this.items(')', depth);
    return values.length === 1 && !hasComma ? (values[0] as PythonLiteral) : values;
  }

  private items(end: string, depth: number): { values: PythonLiteral[]; hasComma: boolean } {
    const values: PythonLiteral[] = [];
    let hasComma = false;
    while (!this.take(end)) {
      if (values.length > 0 && !hasComma) throw new NoLiteral();
      values.push(this.value(depth + 1));
      hasComma = this.take(',');
    }
    return { values, hasComma };
  }

  private dict(depth: number): Map<PythonLiteral, PythonLiteral> {
    this.at += 1;
    const entries = new Map<PythonLiteral, PythonLiteral>();
    let isFirst = true;
    let hasComma = false;
    while (!this.take('}')) {
      if (!isFirst && !hasComma) throw new NoLiteral();
      const key = this.value(depth + 1);
      if (!this.take(':')) throw new NoLiteral();
      entries.set(key, this.value(depth + 1));
      hasComma = this.take(',');
      isFirst = false;
    }
    return entries;
  }

  /** Strings one behind the other are one. Undefined where none begins here. */
  private string(): string | undefined {
    let value: string | undefined;
    for (;;) {
      const part = this.onePart();
      if (part === undefined) return value;
      value = (value ?? '') + part;
      this.skip();
    }
  }

  private onePart(): string | undefined {
    const start = this.match(/([uUrR]?)('''|"""|'|")/y);
    if (start === undefined) return undefined;
    const [, prefix = '', quote = ''] = start;
    const isRaw = /r/i.test(prefix);
    let value = '';
    while (!this.text.startsWith(quote, this.at)) {
      const character = this.text[this.at];
      if (character === undefined || (character === '\n' && quote.length === 1)) throw new NoLiteral();
      this.at += 1;
      if (character !== '\\') value += character;
      else if (isRaw) value += `\\${this.text[this.at++] ?? ''}`;
      else value += this.escape();
    }
    this.at += quote.length;
    return value;
  }

  private escape(): string {
    const octal = this.match(/[0-7]{1,3}/y);
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal[0], 8));
    const hex = this.match(/x([\da-fA-F]{2})|u([\da-fA-F]{4})|U(00(?:0\d|10|0[a-fA-F])[\da-fA-F]{4})/y);
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '', 16));
    const character = this.text[this.at] ?? '';
    if (character === '' || /[xuUN]/.test(character)) throw new NoLiteral();
    this.at += 1;
    return Object.hasOwn(simpleEscapes, character) ? (simpleEscapes[character] as string) : `\\${character}`;
  }

  private name(): boolean | null | undefined {
    const word = this.match(/(?:True|False|None)(?![\w])/y)?.[0];
    if (word === undefined) return undefined;
    return names.get(word);
  }

  /** Python 2 ended long integers with `L`; NumPy drops it. */
  private integer(): number {
    const found = this.match(/([+-]?)\s*(0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|\d[\d_]*)L?(?![\w.])/y);
    if (found === undefined) throw new NoLiteral();
    const [, sign, digits = ''] = found;
    const value = Number(digits.replaceAll('_', ''));
    return sign === '-' && value !== 0 ? -value : value;
  }
}
