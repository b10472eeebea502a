/** The value types of `vscode` that the host uses, as far as it uses them. See vscodeStandIn.ts. */
import type * as vscode from 'vscode';

export class Disposable {
  constructor(private readonly onDispose: () => void) {}

  static from(...all: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const one of all) one.dispose();
    });
  }

  dispose(): void {
    this.onDispose();
  }
}

export class EventEmitter<T> {
  private readonly listeners = new Set<(value: T) => unknown>();
  readonly event = (listener: (value: T) => unknown): Disposable => {
    this.listeners.add(listener);
    return new Disposable(() => this.listeners.delete(listener));
  };

  fire(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }

  dispose(): void {
    this.listeners.clear();
  }
}

interface UriParts {
  scheme: string;
  authority?: string;
  path?: string;
  query?: string;
  fragment?: string;
}

export class FakeUri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;

  private constructor({ scheme, authority = '', path = '', query = '', fragment = '' }: UriParts) {
    this.scheme = scheme;
    this.authority = authority;
    this.path = path;
    this.query = query;
    this.fragment = fragment;
  }

  static from(parts: UriParts): FakeUri {
    return new FakeUri(parts);
  }

  static file(path: string): FakeUri {
    return new FakeUri({ scheme: 'file', path });
  }

  static parse(text: string): FakeUri {
    const [, scheme, authority = '', path = '', query = '', fragment = ''] =
      /^([a-z][\w+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(text) ?? [];
    if (scheme === undefined) throw new Error(`no scheme in ${text}`);
    return new FakeUri({
      scheme,
      authority,
      path: decodeURIComponent(path),
      query: decodeURIComponent(query),
      fragment: decodeURIComponent(fragment),
    });
  }

  static joinPath(uri: FakeUri, ...parts: string[]): FakeUri {
    const joined: string[] = [];
    for (const part of [uri.path, ...parts].join('/').split('/'))
      if (part === '..') joined.pop();
      else if (part !== '' && part !== '.') joined.push(part);
    return uri.with({ path: `/${joined.join('/')}` });
  }

  /** As on Linux: of a share, two slashes and its server come first. */
  get fsPath(): string {
    return this.scheme === 'file' && this.authority !== '' ? `//${this.authority}${this.path}` : this.path;
  }

  with(changes: Partial<UriParts>): FakeUri {
    return new FakeUri({ ...this, ...changes });
  }

  toString(): string {
    const query = this.query === '' ? '' : `?${encodeURIComponent(this.query)}`;
    const fragment = this.fragment === '' ? '' : `#${encodeURIComponent(this.fragment)}`;
    return `${this.scheme}://${this.authority}${encodeURI(this.path)}${query}${fragment}`;
  }
}

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(...ends: [Position, Position] | [number, number, number, number]) {
    if (ends.length === 2) [this.start, this.end] = ends;
    else {
      this.start = new Position(ends[0], ends[1]);
      this.end = new Position(ends[2], ends[3]);
    }
  }
}

export class MarkdownString {
  isTrusted: unknown = false;
  supportHtml = false;

  constructor(readonly value: string) {}
}

export class Hover {
  readonly contents: readonly MarkdownString[];

  constructor(
    contents: MarkdownString,
    readonly range?: Range,
  ) {
    this.contents = [contents];
  }
}

export class CodeLens {
  constructor(
    readonly range: Range,
    readonly command: vscode.Command,
  ) {}
}

export class Diagnostic {
  source = '';
  code = '';

  constructor(
    readonly range: Range,
    readonly message: string,
    readonly severity: number,
  ) {}
}

export class TabInputText {
  constructor(readonly uri: FakeUri) {}
}

export class TabInputCustom {
  constructor(
    readonly uri: FakeUri,
    readonly viewType: string,
  ) {}
}

/** A panel whose document is the test. */
export class FakePanel {
  private readonly disposed = new EventEmitter<void>();
  readonly onDidDispose = this.disposed.event;
  active = false;
  visible = true;
  iconPath: unknown;
  reveals = 0;
  /** Messages of the document to the host. */
  readonly fromPage = new EventEmitter<unknown>();
  /** Messages of the host to the document. */
  readonly posted: unknown[] = [];
  readonly webview = {
    html: '',
    options: {},
    cspSource: 'https://csp.test',
    asWebviewUri: (uri: FakeUri) => uri,
    onDidReceiveMessage: this.fromPage.event,
    postMessage: (message: unknown) => Promise.resolve(this.posted.push(message) > 0),
  };

  constructor(public title: string) {}

  reveal(): void {
    this.reveals += 1;
  }

  dispose(): void {
    this.active = false;
    this.disposed.fire();
  }
}

/** A document with this text, in its first version unless another is given. */
export function textDocument(uri: FakeUri, text: string, version = 1): vscode.TextDocument {
  const lines = text.split('\n');
  const offsetAt = ({ line, character }: Position): number =>
    lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0) + character;
  const positionAt = (offset: number): Position => {
    const before = text.slice(0, offset).split('\n');
    return new Position(before.length - 1, before.at(-1)?.length ?? 0);
  };
  const document = {
    uri,
    version,
    isClosed: false,
    lineCount: lines.length,
    getText: (range?: Range) => (range === undefined ? text : text.slice(offsetAt(range.start), offsetAt(range.end))),
    lineAt: (line: number) => ({ text: lines[line], range: new Range(line, 0, line, lines[line]?.length ?? 0) }),
    offsetAt,
    positionAt,
  };
  return document as unknown as vscode.TextDocument;
}
