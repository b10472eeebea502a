import * as v from 'valibot';
import { limits } from '../bytes/limits.js';
import {
  type ConfigDocument,
  type ConfigMap,
  type ConfigMember,
  type ConfigNode,
  type ConfigProblem,
  emptyMap,
  type ConfigScalar,
} from './document/configNode.js';
import { isBracedName, nodeInWords } from './values/nodeInWords.js';

/** What one reading of a config has in common: its root, what was found wrong, and which keys the answer rests on. */
interface Reading {
  root: ConfigMap;
  problems: ConfigProblem[];
  /** Keys that were read, by `keyOf(path)`. */
  used: Map<string, UsedKey>;
  /** Values to read in place of the file's, by `keyOf(path)`: for "what if". */
  overrides: ReadonlyMap<string, number>;
  /** Keys that are left out and whose numbers came from defaults, by `keyOf(path)`. */
  defaulted: Map<string, readonly string[]>;
  /** How a key may be written, the likeliest first: `num_layers`, `num-layers`. */
  spell: (name: string) => readonly string[];
}

const asWritten = (name: string): readonly string[] => [name];

/** A key of the file that an estimate rests on. */
export interface UsedKey {
  path: readonly string[];
  node: ConfigNode;
}

/** Values for keys that a config leaves out, as its framework has them. */
export type Defaults = Readonly<Record<string, string | number | boolean | null>>;

/** One text for a key path. Keys may hold dots, so these are not joined with one. */
export function keyOf(path: readonly string[]): string {
  return path.join('\n');
}

/**
 * Typed reading of a map of a config. A method takes the names that a value goes by and answers the first that has a usable one;
 * undefined where none has. Nothing throws: what cannot be used is remembered as a problem.
 */
export class Fields {
  private constructor(
    private readonly reading: Reading,
    private readonly map: ConfigMap,
    /** Where this map is in its file. */
    readonly path: readonly string[],
    private readonly defaults: Defaults,
  ) {}

  static of(document: Pick<ConfigDocument, 'root'>, overrides: ReadonlyMap<string, number> = new Map()): Fields {
    return new Fields(
      { root: document.root, problems: [], used: new Map(), defaulted: new Map(), overrides, spell: asWritten },
      document.root,
      [],
      {},
    );
  }

  /** Fields over plain values, for configs that are built into Stowage. They have no place in any file. */
  static fromValues(values: Readonly<Record<string, unknown>>): Fields {
    const root = nodeOfValue(values);
    return Fields.of({ root: root.kind === 'map' ? root : emptyMap });
  }

  /** What was found wrong so far, in all fields of this file. */
  get problems(): readonly ConfigProblem[] {
    return this.reading.problems;
  }

  /** Keys that were read so far, in all fields of this file. */
  get used(): ReadonlyMap<string, UsedKey> {
    return this.reading.used;
  }

  /** Keys that are left out and whose numbers came from defaults, in all fields of this file. */
  get defaulted(): readonly (readonly string[])[] {
    return [...this.reading.defaulted.values()];
  }

  get keys(): readonly string[] {
    return [...this.map.members.keys()];
  }

  /** The same map, in which keys that are left out have these values. Earlier defaults give way. */
  withDefaults(defaults: Defaults): Fields {
    return new Fields(this.reading, this.map, this.path, { ...this.defaults, ...defaults });
  }

  /** The same map and those below it, in which keys may be written in other ways. */
  spelled(spell: (name: string) => readonly string[]): Fields {
    return new Fields({ ...this.reading, spell }, this.map, this.path, this.defaults);
  }

  /** The whole file together with what it includes; the file itself goes before. Keys of other files have no place in this one. */
  withIncluded(included: ConfigMap): Fields {
    const other = withoutPlaces(included, new Map(), 0);
    const root = other.kind === 'map' ? merged(this.reading.root, other, 0) : this.reading.root;
    return new Fields({ ...this.reading, root }, root, [], this.defaults);
  }

  /** The map as it is, for those who include it elsewhere. */
  get node(): ConfigMap {
    return this.map;
  }

  /** The whole file again, in which these keys have other values; by `keyOf(path)`. */
  withOverrides(overrides: ReadonlyMap<string, number>): Fields {
    const { root, overrides: known, spell } = this.reading;
    const reading = {
      root,
      problems: [],
      used: new Map(),
      defaulted: new Map(),
      overrides: new Map([...known, ...overrides]),
      spell,
    };
    return new Fields(reading, root, [], this.path.length === 0 ? this.defaults : {});
  }

  /** The same map without one of its keys. */
  without(name: string): Fields {
    const members = new Map([...this.map.members].filter(([key]) => key !== name));
    return new Fields(this.reading, { ...this.map, members }, this.path, this.defaults);
  }

  /** The map below this path, empty where there is none. */
  at(...path: readonly string[]): Fields {
    const [name, ...rest] = path;
    if (name === undefined) return this;
    const member = this.member(name);
    const value = this.follow(member?.value);
    const map = value?.kind === 'map' ? value : emptyMap;
    return new Fields(this.reading, map, [...this.path, member?.key ?? name], {}).at(...rest);
  }

  /** The first of these maps that is there and has members. */
  firstOf(...names: readonly string[]): Fields | undefined {
    const name = names.find((candidate) => this.at(candidate).map.members.size > 0);
    return name === undefined ? undefined : this.at(name);
  }

  /** Maps in a list below a key. */
  items(name: string): Fields[] {
    const value = this.follow(this.member(name)?.value);
    if (value?.kind !== 'list') return [];
    return value.items.flatMap((item, index) =>
      item.kind === 'map' ? [new Fields(this.reading, item, [...this.path, name, String(index)], {})] : [],
    );
  }

  /** Whether one of these keys is written in the file, whatever its value. */
  has(...names: readonly string[]): boolean {
    return names.some((name) => this.member(name) !== undefined);
  }

  /** Whether the file says `null` for the first of these keys that it has. */
  isNull(...names: readonly string[]): boolean {
    const name = names.find((candidate) => this.has(candidate));
    const value = name === undefined ? undefined : this.follow(this.member(name)?.value);
    return value?.kind === 'scalar' && value.value === null;
  }

  /** Whether the first of these keys that is written has a value that is not known here: an expression, a variable, a placeholder. */
  isOpen(...names: readonly string[]): boolean {
    const name = names.find((candidate) => this.has(candidate));
    const value = name === undefined ? undefined : this.follow(this.member(name)?.value);
    if (value?.kind !== 'scalar') return value !== undefined && isBracedName(value);
    return value.isOpen === true || (typeof value.value === 'string' && isTemplate(value.value));
  }

  /** A whole number from 0 to `limits.configNumber`. */
  integer(...names: readonly string[]): number | undefined {
    return this.first(names, count);
  }

  /** A whole number, also a negative one: -1 means "all" or "the rest" in many configs. */
  signedInteger(...names: readonly string[]): number | undefined {
    return this.first(names, signedCount);
  }

  number(...names: readonly string[]): number | undefined {
    return this.first(names, anyNumber);
  }

  flag(...names: readonly string[]): boolean | undefined {
    return this.first(names, flag);
  }

  text(...names: readonly string[]): string | undefined {
    return this.first(names, v.string());
  }

  /** A value as it is written, for keys that take several kinds: `bf16: auto`, `keep: all`. Null and maps are none. */
  scalar(...names: readonly string[]): string | number | boolean | undefined {
    for (const name of names) {
      const member = this.member(name);
      const value = this.follow(member?.value);
      if (member === undefined || value?.kind !== 'scalar' || value.value === null) continue;
      const path = [...this.path, member.key];
      this.use(path, value);
      const override = this.reading.overrides.get(keyOf(path));
      if (override === undefined && this.isComputed(path, value)) continue;
      return override ?? value.value;
    }
    return undefined;
  }

  /** Texts of a list; a single text is a list of one. */
  texts(...names: readonly string[]): string[] | undefined {
    return this.list(names)?.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  }

  /** All texts of a list and of the lists in it, `[[["global"], 12]]`. Bounded, as aliases may make a list contain itself many times. */
  nestedTexts(...names: readonly string[]): string[] {
    const found: string[] = [];
    const name = names.find((candidate) => this.has(candidate));
    const value = name === undefined ? undefined : this.follow(this.member(name)?.value);
    let level: ConfigNode[] = value === undefined ? [] : [value];
    for (let depth = 0; depth < 5 && level.length > 0; depth++) {
      for (const node of level) if (node.kind === 'scalar' && typeof node.value === 'string') found.push(node.value);
      level = level.flatMap((node) => (node.kind === 'list' ? node.items.slice(0, 1000) : [])).slice(0, 1000);
    }
    return found;
  }

  /** Whole numbers of a list, also as texts (`9_765_625`); a single number is a list of one. */
  integers(...names: readonly string[]): number[] | undefined {
    return this.list(names)?.flatMap(({ value }) => {
      const parsed = v.safeParse(signedCount, value);
      return parsed.success ? [parsed.output] : [];
    });
  }

  /** Booleans of a list; false for what is none. */
  flags(name: string): boolean[] {
    return this.list([name])?.map(({ value }) => value === true) ?? [];
  }

  /** Items of a list, whatever they are; undefined where there is no list. */
  lengthOf(name: string): number | undefined {
    const value = this.follow(this.map.members.get(name)?.value);
    return value?.kind === 'list' ? value.items.length : undefined;
  }

  /** Remembers that a value cannot be used. */
  problem(code: ConfigProblem['code'], name: string, detail: string): void {
    const member = this.member(name);
    this.remember(code, [...this.path, member?.key ?? name], member?.value ?? emptyMap, detail);
  }

  private member(name: string): ConfigMember | undefined {
    for (const spelling of this.reading.spell(name)) {
      const member = this.map.members.get(spelling);
      if (member !== undefined) return member;
    }
    return undefined;
  }

  private list(names: readonly string[]): ConfigScalar[] | undefined {
    for (const name of names) {
      const member = this.member(name);
      const value = this.follow(member?.value);
      if (member === undefined || value === undefined || (value.kind === 'scalar' && value.value === null)) continue;
      this.use([...this.path, member.key], value);
      if (this.isComputed([...this.path, member.key], value)) continue;
      const items = value.kind === 'list' ? value.items : [value];
      return items.flatMap((item) => (item.kind === 'scalar' ? [item] : []));
    }
    return undefined;
  }

  private first<T extends string | number | boolean>(
    names: readonly string[],
    schema: v.GenericSchema<unknown, T>,
  ): T | undefined {
    for (const name of names) {
      const member = this.member(name);
      if (member === undefined) continue;
      const value = this.valueOf([...this.path, member.key], member.value, schema);
      if (value !== undefined) return value;
    }
    for (const name of names) {
      const fallback = this.defaults[name];
      if (fallback === undefined || fallback === null || this.isNull(name)) continue;
      const parsed = v.safeParse(schema, fallback);
      if (!parsed.success) continue;
      const path = [...this.path, name];
      if (typeof parsed.output === 'number') this.reading.defaulted.set(keyOf(path), path);
      return parsed.output;
    }
    return undefined;
  }

  private valueOf<T>(path: readonly string[], written: ConfigNode, schema: v.GenericSchema<unknown, T>): T | undefined {
    const override = this.reading.overrides.get(keyOf(path));
    this.use(path, written);
    const node = this.follow(written, path);
    if (node === undefined || node.kind !== 'scalar' || node.value === null) {
      if (node !== undefined && node.kind !== 'scalar')
        this.remember(isBracedName(node) ? 'unresolved' : 'invalid-value', path, written, nodeInWords(node));
      return undefined;
    }
    if (override === undefined && this.isComputed(path, node)) return undefined;
    const value = override ?? node.value;
    // DeepSpeed under Hugging Face, accelerate and axolotl: to be filled in by the program.
    if (value === 'auto') return undefined;
    if (typeof value === 'string' && schema.type !== 'string' && isTemplate(value)) {
      this.remember('unresolved', path, written, value);
      return undefined;
    }
    const parsed = v.safeParse(schema, value);
    if (!parsed.success) {
      this.remember('invalid-value', path, written, String(value));
      return undefined;
    }
    if (typeof value === 'string' && typeof parsed.output === 'number' && node.isQuoted)
      this.remember('quoted-number', path, written, value);
    return parsed.output;
  }

  /** The node that a reference such as `${model.hidden_size}` (OmegaConf) leads to; any other node as it is. */
  private follow(node: ConfigNode | undefined, path: readonly string[] = []): ConfigNode | undefined {
    let current = node;
    for (let hops = 0; hops < limits.configReferences; hops++) {
      const target = current?.kind === 'scalar' && typeof current.value === 'string' ? referenceIn(current.value, path) : null;
      if (target === null) return current;
      let found: ConfigNode | undefined = this.reading.root;
      for (const key of target) found = found?.kind === 'map' ? found.members.get(key)?.value : undefined;
      // llm-foundry: `${max_seq_len}` may stand for a member of `variables`.
      if (found === undefined && target.length === 1) found = variableOf(this.reading.root, target[0] ?? '');
      if (found === undefined) return current;
      this.use(target, found);
      current = found;
    }
    if (node !== undefined) this.remember('circular', path, node, nodeInWords(node));
    return undefined;
  }

  private use(path: readonly string[], node: ConfigNode): void {
    this.reading.used.set(keyOf(path), { path, node });
  }

  /** Remembers an expression that is not evaluated here. */
  private isComputed(path: readonly string[], node: ConfigNode): boolean {
    if (node.kind !== 'scalar' || node.isOpen !== true) return false;
    this.remember('computed', path, node, String(node.value));
    return true;
  }

  private remember(code: ConfigProblem['code'], path: readonly string[], node: ConfigNode, detail: string): void {
    const key = keyOf(path);
    const isKnown = this.reading.problems.some((problem) => problem.code === code && keyOf(problem.path) === key);
    if (!isKnown) this.reading.problems.push({ code, span: node.span, path, detail: detail.slice(0, 200) });
  }
}

/** Maps within maps are merged, everything else is the first one's. */
function merged(own: ConfigMap, included: ConfigMap, depth: number): ConfigMap {
  const members = new Map(included.members);
  for (const member of own.members.values()) {
    const other = members.get(member.key)?.value;
    const value =
      other?.kind === 'map' && member.value.kind === 'map' && depth < limits.configReferences
        ? merged(member.value, other, depth + 1)
        : member.value;
    members.set(member.key, { ...member, value });
  }
  return { kind: 'map', span: own.span, members };
}

/** The same tree without places, as it is of another file. Nodes that are shared stay shared. */
function withoutPlaces(node: ConfigNode, known: Map<ConfigNode, ConfigNode>, depth: number): ConfigNode {
  const copied = known.get(node);
  if (copied !== undefined) return copied;
  const copy = depth > limits.configDepth ? scalarNowhere : copyOf(node, known, depth);
  known.set(node, copy);
  return copy;
}

function copyOf(node: ConfigNode, known: Map<ConfigNode, ConfigNode>, depth: number): ConfigNode {
  if (node.kind === 'scalar') return { ...node, span: placeless };
  if (node.kind === 'list')
    return { ...node, span: placeless, items: node.items.map((item) => withoutPlaces(item, known, depth + 1)) };
  const members = [...node.members.values()].map(({ key, value }) => ({
    key,
    keySpan: placeless,
    value: withoutPlaces(value, known, depth + 1),
  }));
  return { kind: 'map', span: placeless, members: new Map(members.map((member) => [member.key, member])) };
}

const scalarNowhere: ConfigScalar = { kind: 'scalar', span: { start: 0, end: 0 }, value: null, isQuoted: false };

function variableOf(root: ConfigMap, name: string): ConfigNode | undefined {
  const variables = root.members.get('variables')?.value;
  return variables?.kind === 'map' ? variables.members.get(name)?.value : undefined;
}

/**
 * The key path of `${a.b}` as a whole value, and of `${.b}` and `${..b}` beside the key of `path` and above it (OmegaConf). `${oc.env:HOME}`
 * and other resolvers are none.
 */
function referenceIn(text: string, path: readonly string[]): string[] | null {
  const match = /^\$\{(\.{0,5})([A-Za-z_][\w.-]{0,200})\}$/.exec(text.trim());
  const dots = match?.[1] ?? '';
  const inner = match?.[2];
  if (inner === undefined || dots.length > path.length) return null;
  return [...(dots === '' ? [] : path.slice(0, path.length - dots.length)), ...inner.split('.')];
}

/** Whether a text is to be filled in by another program: `${…}`, `{{…}}`, `$VAR`, `<…>`. */
export function isTemplate(text: string): boolean {
  return /\$[{(]|\{\{|^\$\w|^<[^>]*>$|^%\w+%$/.test(text);
}

/** Numbers as PyYAML, TOML and shells write them: `739_328`, `1e-4`, `12.0`. */
const numberText = v.pipe(
  v.string(),
  v.maxLength(40),
  v.regex(/^\s*[+-]?\d[\d_]*(?:\.\d*)?(?:e[+-]?\d{1,3})?\s*$/i),
  v.transform((text) => Number(text.replaceAll('_', ''))),
);
const anyNumber = v.pipe(
  v.union([v.number(), numberText]),
  v.finite(),
  v.minValue(-limits.configNumber),
  v.maxValue(limits.configNumber),
);
const signedCount = v.pipe(anyNumber, v.integer());
const count = v.pipe(signedCount, v.minValue(0));
/** YAML 1.1, which PyYAML reads, takes yes and no as booleans; shells know texts only. */
const flag = v.union([
  v.boolean(),
  v.pipe(
    v.string(),
    v.transform((text) => text.toLowerCase()),
    v.picklist(['true', 'false', 'yes', 'no', 'on', 'off', '1', '0']),
    v.transform((text) => ['true', 'yes', 'on', '1'].includes(text)),
  ),
  v.pipe(
    v.picklist([0, 1]),
    v.transform((value) => value === 1),
  ),
]);

const placeless = { start: 0, end: 0 };

/** Levels of a config; what is deeper is left out, as it is followed by recursion. */
const mostLevels = 64;

function nodeOfValue(value: unknown, level = 0): ConfigNode {
  if (typeof value !== 'object' || value === null || level === mostLevels) return scalarOf(value);
  if (Array.isArray(value)) return { kind: 'list', span: placeless, items: value.map((item) => nodeOfValue(item, level + 1)) };
  const members = Object.entries(value).map(([key, member]) => ({
    key,
    keySpan: placeless,
    value: nodeOfValue(member, level + 1),
  }));
  return { kind: 'map', span: placeless, members: new Map(members.map((member) => [member.key, member])) };
}

function scalarOf(value: unknown): ConfigNode {
  const isKept = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return { kind: 'scalar', span: placeless, value: isKept ? value : null, isQuoted: typeof value === 'string' };
}
