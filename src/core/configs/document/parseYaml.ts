import type * as YamlModule from 'yaml';
import type { Alias, Document, Node, Pair, ParsedNode, Scalar } from 'yaml';
import { limits } from '../../bytes/limits.js';
import {
  type ConfigDocument,
  type ConfigMap,
  type ConfigMember,
  type ConfigNode,
  type ConfigProblem,
  emptyMap,
  mapOf,
  nowhere,
  type Span,
} from './configNode.js';
import { jobCommand } from './jobCommand.js';
import { parseShellText } from './parseShell.js';

/**
 * YAML: the first document of the file, or the first that is a job. An alias becomes the very node of its anchor, so nothing is copied however often it is used
 * ("billion laughs"). Tags name constructors of other programs and are ignored. A job for a cluster is read as the script that it runs.
 */
export async function parseYamlText(text: string): Promise<ConfigDocument> {
  const yaml = await import('yaml');
  const problems: ConfigProblem[] = [];
  let document: Document.Parsed | undefined;
  let others: Document.Parsed[] = [];
  try {
    [document, ...others] = yaml.parseAllDocuments(firstDocuments(text), {
      schema: 'core',
      customTags: [],
      logLevel: 'silent',
      uniqueKeys: false,
      prettyErrors: false,
      strict: false,
    }) as Document.Parsed[];
  } catch (error) {
    // Half-typed anchors and directives make it throw in places where it otherwise collects errors.
    problems.push({ code: 'syntax', span: nowhere, path: [], detail: error instanceof Error ? error.message : '' });
  }
  if (document === undefined) return { syntax: 'yaml', root: emptyMap, problems, programs: [] };
  const [first] = document.errors;
  if (first !== undefined)
    problems.push({ code: 'syntax', span: { start: first.pos[0], end: first.pos[1] }, path: [], detail: first.code });
  const reader = new YamlReader(yaml, document, problems);
  const contents = document.contents === null ? emptyMap : reader.read(document.contents);
  const root = contents.kind === 'map' ? contents : emptyMap;
  return jobOf([root, ...laterMaps(yaml, others)], text) ?? { syntax: 'yaml', root, problems, programs: [] };
}

/** As much of a text as has so many documents, which begin at lines of three dashes. */
function firstDocuments(text: string): string {
  let at = 0;
  for (let count = 0; count < limits.yamlDocuments; count++) {
    at = text.indexOf('\n---', at + 1);
    if (at === -1) return text;
  }
  return text.slice(0, at + 1);
}

/** Manifests of a cluster have namespaces, secrets and volumes before what runs. */
function laterMaps(yaml: Yaml, documents: readonly Document.Parsed[]): ConfigMap[] {
  return documents.slice(0, limits.yamlDocuments).flatMap((document) => {
    if (document.contents === null || document.errors.length > 0) return [];
    const contents = new YamlReader(yaml, document, []).read(document.contents);
    return contents.kind === 'map' ? [contents] : [];
  });
}

/** The first command that launches something; null where there is none. */
function jobOf(roots: readonly ConfigMap[], text: string): ConfigDocument | null {
  for (const root of roots) {
    const command = jobCommand(root, text);
    const job = command === null ? null : parseShellText(command);
    if (job !== null && job.programs.length > 0) return job;
  }
  return null;
}

type Yaml = typeof YamlModule;

class YamlReader {
  /** Nodes of anchors, so that each is read once; undefined while it is being read, as a node may contain itself. */
  private readonly anchors = new Map<string, ConfigNode | undefined>();

  constructor(
    private readonly yaml: Yaml,
    private readonly document: Document,
    private readonly problems: ConfigProblem[],
  ) {}

  read(node: Node | null | undefined): ConfigNode {
    if (node == null) return { kind: 'scalar', span: nowhere, value: null, isQuoted: false };
    if (this.yaml.isAlias(node)) return this.readAlias(node);
    const anchor = (node as { anchor?: string }).anchor;
    if (anchor === undefined) return this.readContents(node);
    this.anchors.set(anchor, undefined);
    const read = this.readContents(node);
    this.anchors.set(anchor, read);
    return read;
  }

  private readContents(node: Node): ConfigNode {
    const span = spanOf(node);
    if (this.yaml.isMap(node))
      return mapOf(span, this.membersOf(node.items as Pair<ParsedNode, ParsedNode | null>[]), this.problems);
    if (this.yaml.isSeq(node)) return { kind: 'list', span, items: node.items.map((item) => this.read(item as Node)) };
    if (this.yaml.isScalar(node)) return scalarOf(node, span);
    return { kind: 'scalar', span, value: null, isQuoted: false };
  }

  private readAlias(alias: Alias): ConfigNode {
    const known = this.anchors.get(alias.source);
    if (known !== undefined) return known;
    const code = this.anchors.has(alias.source) ? 'circular' : 'unknown-anchor';
    this.problems.push({ code, span: spanOf(alias), path: [], detail: `*${alias.source}` });
    return { kind: 'scalar', span: spanOf(alias), value: null, isQuoted: false };
  }

  private *membersOf(pairs: readonly Pair<ParsedNode, ParsedNode | null>[]): Generator<ConfigMember> {
    const own = pairs.filter(({ key }) => !isMergeKey(this.yaml, key));
    const ownKeys = new Set(own.map(({ key }) => keyText(this.yaml, key)));
    // `<<: *defaults` brings in what the map itself does not say.
    for (const { key, value } of pairs) {
      if (!isMergeKey(this.yaml, key)) continue;
      const merged = this.read(value);
      for (const source of merged.kind === 'list' ? merged.items : [merged])
        if (source.kind === 'map') for (const member of source.members.values()) if (!ownKeys.has(member.key)) yield member;
    }
    for (const { key, value } of own) {
      const text = keyText(this.yaml, key);
      if (text !== null) yield { key: text, keySpan: spanOf(key), value: this.read(value) };
    }
  }
}

function isMergeKey(yaml: Yaml, key: Node): boolean {
  return yaml.isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}

function keyText(yaml: Yaml, key: Node): string | null {
  if (!yaml.isScalar(key)) return null;
  const { value } = key;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

function scalarOf(node: Scalar, span: Span): ConfigNode {
  const { value } = node;
  const isQuoted = node.type !== undefined && node.type !== 'PLAIN';
  if (typeof value === 'bigint') return { kind: 'scalar', span, value: Number(value), isQuoted };
  const isKept = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return { kind: 'scalar', span, value: isKept ? value : null, isQuoted };
}

function spanOf(node: Node): Span {
  const [start, end] = node.range ?? [0, 0];
  return { start, end: Math.min(end, start + limits.configCharacters) };
}
