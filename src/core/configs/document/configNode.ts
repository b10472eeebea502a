/** A config file as a tree with positions, whatever its syntax was. Trees may share nodes (YAML aliases): never walk one without bounds. */

/** Offsets into the text, in UTF-16 units as editors count them; `end` is exclusive. */
export interface Span {
  start: number;
  end: number;
}

export type ConfigNode = ConfigMap | ConfigList | ConfigScalar;

export interface ConfigMap {
  kind: 'map';
  span: Span;
  /** By key, the last one where a key is written twice, as every loader takes it. */
  members: ReadonlyMap<string, ConfigMember>;
}

export interface ConfigMember {
  key: string;
  keySpan: Span;
  value: ConfigNode;
}

export interface ConfigList {
  kind: 'list';
  span: Span;
  items: readonly ConfigNode[];
}

export interface ConfigScalar {
  kind: 'scalar';
  span: Span;
  value: string | number | boolean | null;
  /** Between quotation marks: a number in there is a string for those who load the file. */
  isQuoted: boolean;
  /** The value is the text of an expression that only the program evaluates. */
  isOpen?: true;
  /** What the program takes unless its command line or its environment sets another. */
  isOwnDefault?: true;
}

export type ConfigSyntax = 'json' | 'yaml' | 'toml' | 'shell' | 'python';

export interface ConfigDocument {
  syntax: ConfigSyntax;
  root: ConfigMap;
  problems: ConfigProblem[];
  /** Words of a shell script that name what it runs: `torchrun`, `pretrain_gpt.py`. Empty for other syntaxes. */
  programs: readonly string[];
  /** Files that a shell script sources and that were not read with it. */
  sourced?: readonly { text: string; span: Span }[];
}

/** What in a file could not be understood or used; the rest of the file still stands. */
export interface ConfigProblem {
  code:
    | 'syntax'
    | 'duplicate-key'
    | 'too-large'
    | 'too-deep'
    /** A template, a variable of the environment or a reference that leads nowhere. */
    | 'unresolved'
    /** An expression of a script, which only runs of it evaluate. */
    | 'computed'
    /** A reference, an alias or a file that leads back to itself. */
    | 'circular'
    /** An alias whose anchor is not before it. */
    | 'unknown-anchor'
    /** Several branches of a script set it, of which something else takes one. */
    | 'branched'
    /** Another command of a script that runs the same program; only one is read. */
    | 'other-launch'
    /** A number between quotation marks: read as a number, and said. */
    | 'quoted-number'
    /** Not the kind of value that the key takes, or out of all bounds. */
    | 'invalid-value'
    /** A file that is named was not found. */
    | 'file-missing';
  span: Span;
  /** Key path, where the problem has one. */
  path: readonly string[];
  /** The text of the file that is meant, or what is wrong with it; never a sentence. */
  detail: string;
}

export const nowhere: Span = { start: 0, end: 0 };
export const emptyMap: ConfigMap = { kind: 'map', span: nowhere, members: new Map() };

/** Builds a map in the order of the file; tells of keys that come twice. */
export function mapOf(span: Span, members: Iterable<ConfigMember>, problems: ConfigProblem[]): ConfigMap {
  const byKey = new Map<string, ConfigMember>();
  for (const member of members) {
    if (byKey.has(member.key))
      problems.push({ code: 'duplicate-key', span: member.keySpan, path: [member.key], detail: member.key });
    byKey.set(member.key, member);
  }
  return { kind: 'map', span, members: byKey };
}
