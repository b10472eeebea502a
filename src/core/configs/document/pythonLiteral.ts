import type { ConfigMember, ConfigNode, ConfigScalar, Span } from './configNode.js';

/** Levels of brackets and signs. */
const deepest = 20;
const mostItems = 5000;

type NumberOf = (name: string) => number | undefined;

/**
 * A literal of Python at the beginning of a text: numbers and arithmetic of them, texts, booleans, None, lists, tuples and maps of these.
 * Null where it is anything else, as calls and names without a known number are. `offset` is where the text begins in its file.
 */
export function pythonLiteral(text: string, offset: number, numberOf: NumberOf): ConfigNode | null {
  const reader = new LiteralReader(text, offset, numberOf);
  const value = reader.value(0);
  return value !== null && reader.isAtEnd() ? value : null;
}

class LiteralReader {
  private at = 0;
  /** Brackets that are open: within them lines and comments are blanks too. */
  private brackets = 0;

  constructor(
    private readonly text: string,
    private readonly offset: number,
    private readonly numberOf: NumberOf,
  ) {}

  value(depth: number): ConfigNode | null {
    this.skipBlanks();
    if (depth > deepest) return null;
    const char = this.text.charAt(this.at);
    if (char === '[' || char === '{') return this.collection(char, depth);
    const word = /^(?:True|False|None)\b/.exec(this.text.slice(this.at, this.at + 6))?.[0];
    if (word !== undefined) return this.scalar(word.length, word === 'None' ? null : word === 'True');
    if (/^[rbuf]?['"]/i.test(this.text.slice(this.at, this.at + 2))) return this.string();
    const start = this.at;
    const result = this.sum(depth);
    if (result === null) return null;
    return { kind: 'scalar', span: this.spanFrom(start), value: result, isQuoted: false };
  }

  /** Nothing but a comment may follow on the line. */
  isAtEnd(): boolean {
    this.skipBlanks();
    const char = this.text.charAt(this.at);
    return char === '' || char === '\n' || char === '\r' || char === '#' || char === ';';
  }

  private collection(open: '[' | '{', depth: number): ConfigNode | null {
    const start = this.at;
    const close = open === '[' ? ']' : '}';
    const items: ConfigNode[] = [];
    const members = new Map<string, ConfigMember>();
    this.at++;
    this.brackets++;
    for (let count = 0; count < mostItems; count++) {
      this.skipBlanks();
      if (this.take(close)) {
        this.brackets--;
        const span = this.spanFrom(start);
        return open === '[' ? { kind: 'list', span, items } : { kind: 'map', span, members };
      }
      const item = this.value(depth + 1);
      if (item === null) return null;
      if (open === '[') items.push(item);
      else if (!this.member(item, members, depth)) return null;
      this.skipBlanks();
      if (!this.take(',') && this.text.charAt(this.at) !== close) return null;
    }
    return null;
  }

  private member(key: ConfigNode, members: Map<string, ConfigMember>, depth: number): boolean {
    this.skipBlanks();
    if (key.kind !== 'scalar' || !this.take(':')) return false;
    const value = this.value(depth + 1);
    if (value === null) return false;
    const name = String(key.value);
    members.set(name, { key: name, keySpan: key.span, value });
    return true;
  }

  private string(): ConfigScalar | null {
    const start = this.at;
    const prefix = /^[rbu]/i.test(this.text.charAt(this.at)) ? 1 : 0;
    const quote = this.text.charAt(this.at + prefix);
    // Formatted texts are programs, and three marks are documentation.
    if (/^f/i.test(this.text.charAt(this.at)) || this.text.startsWith(quote.repeat(3), this.at + prefix)) return null;
    let value = '';
    for (let at = start + prefix + 1; at < this.text.length; at++) {
      const char = this.text.charAt(at);
      if (char === '\n') return null;
      if (char === quote) {
        this.at = at + 1;
        return { kind: 'scalar', span: this.spanFrom(start), value, isQuoted: true };
      }
      if (char === '\\') at++;
      value += this.text.charAt(at);
    }
    return null;
  }

  private sum(depth: number): number | null {
    let left = this.product(depth);
    for (;;) {
      this.skipBlanks();
      const operator = this.text.charAt(this.at);
      if (left === null || (operator !== '+' && operator !== '-')) return left;
      this.at++;
      const right = this.product(depth);
      left = right === null ? null : usable(operator === '+' ? left + right : left - right);
    }
  }

  private product(depth: number): number | null {
    let left = this.signed(depth);
    for (;;) {
      this.skipBlanks();
      const operator = /^(?:\/\/|[*/%](?!\*))/.exec(this.text.slice(this.at, this.at + 2))?.[0];
      if (left === null || operator === undefined) return left;
      this.at += operator.length;
      const right = this.signed(depth);
      if (right === null || (operator !== '*' && right === 0)) return null;
      left = usable(calculated(left, operator, right));
    }
  }

  private signed(depth: number): number | null {
    this.skipBlanks();
    if (depth > deepest) return null;
    if (this.take('-')) {
      const value = this.signed(depth + 1);
      return value === null ? null : -value;
    }
    if (this.take('+')) return this.signed(depth + 1);
    const base = this.operand(depth);
    this.skipBlanks();
    if (base === null || !this.text.startsWith('**', this.at)) return base;
    this.at += 2;
    const exponent = this.signed(depth + 1);
    return exponent === null ? null : usable(base ** exponent);
  }

  private operand(depth: number): number | null {
    if (this.take('(')) {
      this.brackets++;
      const inner = this.sum(depth + 1);
      this.skipBlanks();
      this.brackets--;
      return inner !== null && this.take(')') ? inner : null;
    }
    const rest = this.text.slice(this.at, this.at + 110);
    const digits = /^(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:e[+-]?\d{1,3})?(?![\w.])/i.exec(rest)?.[0];
    if (digits !== undefined) {
      this.at += digits.length;
      return usable(Number(digits.replaceAll('_', '')));
    }
    const name = /^[A-Za-z_]\w{0,100}(?![\w.([])/.exec(rest)?.[0];
    if (name === undefined) return null;
    this.at += name.length;
    return this.numberOf(name) ?? null;
  }

  private scalar(length: number, value: boolean | null): ConfigScalar {
    const start = this.at;
    this.at += length;
    return { kind: 'scalar', span: this.spanFrom(start), value, isQuoted: false };
  }

  private take(char: string): boolean {
    if (this.text.charAt(this.at) !== char) return false;
    this.at++;
    return true;
  }

  private skipBlanks(): void {
    for (; this.at < this.text.length; this.at++) {
      const char = this.text.charAt(this.at);
      if (char === ' ' || char === '\t') continue;
      if (this.brackets === 0) return;
      if (char === '\n' || char === '\r') continue;
      if (char !== '#') return;
      const end = this.text.indexOf('\n', this.at);
      this.at = end === -1 ? this.text.length : end;
    }
  }

  private spanFrom(start: number): Span {
    return { start: this.offset + start, end: this.offset + this.at };
  }
}

function calculated(left: number, operator: string, right: number): number {
  switch (operator) {
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '//':
      return Math.floor(left / right);
    default:
      return left - right * Math.floor(left / right);
  }
}

function usable(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
