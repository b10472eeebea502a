/** A YAML file of which every word counts: what is not understood refuses the file, with its line and a sentence. */
import { FormatError } from '../bytes/formatError.js';
import type { ConfigMap, ConfigNode, ConfigProblem, Span } from '../configs/document/configNode.js';
import { parseConfig } from '../configs/document/parseConfig.js';

/** Bounds of a number, both included. */
interface Bounds {
  minimum: number;
  maximum: number;
  isWhole?: boolean;
}

/** Later documents of a file are not read, and may hold what counts. */
const laterDocument = /^(?:---|\.\.\.)(?:\s|$)/;
/** What stands before the first document: blank lines, comments and directives. */
const beforeDocuments = /^\s*(?:[#%].*)?$/;

const problemWords: Partial<Record<ConfigProblem['code'], string>> = {
  syntax: 'is not valid YAML',
  'duplicate-key': 'is written twice',
  'too-large': 'is more than is read of such a file',
  'too-deep': 'nests deeper than is read',
  'unknown-anchor': 'names no anchor of the file',
  circular: 'leads back to itself',
};

export class StrictDocument {
  private constructor(
    private readonly text: string,
    readonly root: ConfigMap,
  ) {}

  /** @throws FormatError `corrupt` with the line and a sentence */
  static async parse(text: string): Promise<StrictDocument> {
    const parsed = await parseConfig('file.yaml', text);
    const document = new StrictDocument(text, (parsed as NonNullable<typeof parsed>).root);
    if (/[\0\ufffd]/.test(text)) document.refuse({ start: text.search(/[\0\ufffd]/) }, 'is not UTF-8 text');
    document.refuseLaterDocuments();
    for (const { code, span, detail } of parsed?.problems ?? [])
      document.refuse(span, `${detail === '' ? 'it' : detail} ${problemWords[code] ?? 'is not understood'}`);
    if (parsed?.syntax !== 'yaml') document.refuse({ start: 0 }, 'it is the script of a job');
    return document;
  }

  /** @throws FormatError `corrupt` */
  refuse({ start }: Pick<Span, 'start'>, sentence: string): never {
    const line = this.text.slice(0, start).split('\n').length;
    throw new FormatError('corrupt', `line ${line}: ${sentence}`, { offset: start });
  }

  /** The members of a map that has no other keys than these. */
  members<Key extends string>(node: ConfigNode, where: string, keys: readonly Key[]): Partial<Record<Key, ConfigNode>> {
    if (node.kind !== 'map') this.refuse(node.span, `${where} must have the keys ${keys.join(', ')}`);
    const members: Partial<Record<Key, ConfigNode>> = {};
    for (const { key, keySpan, value } of node.members.values()) {
      const known = keys.find((one) => one === key);
      if (known === undefined) this.refuse(keySpan, `${key} is not a key of ${where}, which has ${keys.join(', ')}`);
      members[known] = value;
    }
    return members;
  }

  items(node: ConfigNode, where: string, most: number): readonly ConfigNode[] {
    if (node.kind !== 'list') this.refuse(node.span, `${where} must be a list`);
    if (node.items.length > most) this.refuse(node.span, `${where} has ${node.items.length} items, of which ${most} can be read`);
    return node.items;
  }

  number(node: ConfigNode, where: string, { minimum, maximum, isWhole = false }: Bounds): number {
    const value = node.kind === 'scalar' && !node.isQuoted ? node.value : null;
    const is = isWhole ? 'a whole number' : 'a number';
    if (typeof value !== 'number' || !Number.isFinite(value) || (isWhole && !Number.isInteger(value)))
      this.refuse(node.span, `${where} must be ${is}`);
    if (value < minimum || value > maximum)
      this.refuse(node.span, `${where} must be from ${minimum} to ${maximum}, not ${value}`);
    return value;
  }

  line(node: ConfigNode, where: string): string {
    const value = node.kind === 'scalar' ? node.value : null;
    // A name may look like a number: `path: 300`.
    const text = typeof value === 'number' && node.kind === 'scalar' ? this.text.slice(node.span.start, node.span.end) : value;
    if (typeof text !== 'string' || text.trim() === '' || text.includes('\n'))
      this.refuse(node.span, `${where} must be a line of text`);
    return text;
  }

  choice<Choice extends string>(node: ConfigNode, where: string, choices: readonly Choice[]): Choice {
    const value = node.kind === 'scalar' ? node.value : null;
    const chosen = choices.find((one) => one === value);
    if (chosen === undefined) this.refuse(node.span, `${where} must be ${choices.join(' or ')}`);
    return chosen;
  }

  isNull(node: ConfigNode): boolean {
    return node.kind === 'scalar' && node.value === null && !node.isQuoted;
  }

  private refuseLaterDocuments(): void {
    let offset = 0;
    let isInDocument = false;
    for (const line of this.text.split('\n')) {
      if (laterDocument.test(line) && isInDocument)
        this.refuse({ start: offset }, 'a second document begins here, and only one is read');
      isInDocument ||= laterDocument.test(line) || !beforeDocuments.test(line);
      offset += line.length + 1;
    }
  }
}
