/** Pickled and JSON objects as trees of plain text nodes, within a budget: what the panel's Objects tab and the JSON show. */
import { limits } from '../bytes/limits.js';
import { ListExcerpt } from '../formats/text/listExcerpt.js';
import { attributesOf, argumentsOf, entriesOf, floatText, itemsOf, keyText } from '../formats/pickle/pickleAccess.js';
import { bytesOf, numpyArrayOf, numpyScalarText } from '../formats/pickle/numpyValue.js';
import {
  calleeName,
  globalName,
  PickleBytes,
  PickleCall,
  PickleDict,
  PickleFloat,
  PickleGlobal,
  PickleHugeInteger,
  PickleList,
  PicklePersistent,
  PickleSet,
  PickleTuple,
  type PickleValue,
} from '../formats/pickle/pickleValue.js';
import { isSecret, maskedText, withoutSecretItems, withoutSecrets } from '../text/secrets.js';
import { tensorOf } from '../formats/torch/torchTensor.js';
import type { ObjectNode, ObjectReport } from './checkpointReport.js';
import type { StateObject } from './parts.js';

/** Nesting that is shown; deeper parts are cut with a remark. */
const MAX_DEPTH = 24;

/** Trees of all objects of a checkpoint; together at most `limits.objectNodes` nodes. */
export function objectTrees(objects: readonly StateObject[]): ObjectReport[] {
  // Small files must not starve behind a large one: each gets at least its share.
  const share = Math.max(200, Math.floor(limits.objectNodes / Math.max(1, objects.length)));
  let left: number = limits.objectNodes;
  const trees: ObjectReport[] = [];
  for (const { path, value } of objects) {
    if (left <= 0) break;
    const builder = new TreeBuilder(Math.min(left, Math.max(share, left - objects.length * 200)));
    trees.push({ path, root: value.kind === 'pickle' ? builder.pickle('', value.root, 0) : builder.json('', value.root, 0) });
    left -= builder.used;
  }
  return trees;
}

class TreeBuilder {
  used = 0;
  private readonly open = new Set<object>();

  constructor(private readonly budget: number) {}

  pickle(key: string, value: PickleValue, depth: number): ObjectNode {
    this.used += 1;
    const leaf = pickleLeaf(value);
    const name = keyOf(key);
    if (leaf !== undefined) return withoutSecret({ key: name, ...leaf });
    const inner = value as PickleList | PickleTuple | PickleSet | PickleDict | PickleCall;
    if (this.open.has(inner)) return { key: name, kind: 'reference', text: 'refers to itself' };
    this.open.add(inner);
    const node = { key: name, ...this.describe(inner, depth) };
    this.open.delete(inner);
    return withSecretItemsHidden(node);
  }

  json(key: string, value: unknown, depth: number): ObjectNode {
    this.used += 1;
    const name = keyOf(key);
    if (value === null) return { key: name, kind: 'none', text: 'null' };
    if (typeof value === 'string') return withoutSecret({ key: name, kind: 'text', text: clip(value) });
    if (typeof value === 'number') return { key: name, kind: 'number', text: String(value) };
    if (typeof value === 'boolean') return { key: name, kind: 'boolean', text: String(value) };
    if (typeof value === 'bigint') return { key: name, kind: 'number', text: String(value) };
    if (Array.isArray(value) || value instanceof ListExcerpt) {
      const items = Array.isArray(value) ? (value as unknown[]) : value.items;
      return withSecretItemsHidden({
        key: name,
        kind: 'list',
        ...this.children(value.length, depth, (index) => this.json(String(index), items[index], depth + 1)),
      });
    }
    const entries = Object.entries(value as object);
    return {
      key: name,
      kind: 'dict',
      ...this.children(entries.length, depth, (index) => this.json(entries[index]?.[0] ?? '', entries[index]?.[1], depth + 1)),
    };
  }

  private describe(
    value: PickleList | PickleTuple | PickleSet | PickleDict | PickleCall,
    depth: number,
  ): Omit<ObjectNode, 'key'> {
    if (value instanceof PickleCall) return this.call(value, depth);
    if (value instanceof PickleDict) return { kind: 'dict', ...this.entries(value, depth) };
    const kind = value instanceof PickleList ? 'list' : value instanceof PickleTuple ? 'tuple' : 'set';
    return { kind, ...this.items(value.items, depth) };
  }

  private call(call: PickleCall, depth: number): Omit<ObjectNode, 'key'> {
    const type = clip(typeOf(call));
    const entries = entriesOf(call) ?? attributesOf(call);
    const items = itemsOf(call) ?? call.items;
    const kind = entriesOf(call) !== undefined ? 'dict' : itemsOf(call) !== undefined ? 'list' : 'object';
    if (entries !== undefined && (entries.keys.length > 0 || kind === 'dict'))
      return { kind, type, ...this.entries(entries, depth) };
    if (items !== undefined) return { kind, type, ...this.items(items, depth) };
    return { kind, type, ...this.items([...argumentsOf(call), ...(call.state === undefined ? [] : [call.state])], depth) };
  }

  private entries(dict: PickleDict, depth: number): Pick<ObjectNode, 'text' | 'count' | 'children'> {
    return this.children(dict.keys.length, depth, (index) =>
      this.pickle(keyText(dict.keys[index] as PickleValue), dict.values[index] as PickleValue, depth + 1),
    );
  }

  private items(items: readonly PickleValue[], depth: number): Pick<ObjectNode, 'text' | 'count' | 'children'> {
    return this.children(items.length, depth, (index) => this.pickle(String(index), items[index] as PickleValue, depth + 1));
  }

  private children(
    count: number,
    depth: number,
    make: (index: number) => ObjectNode,
  ): Pick<ObjectNode, 'text' | 'count' | 'children'> {
    const children: ObjectNode[] = [];
    const text = count === 1 ? '1 entry' : `${count} entries`;
    if (depth >= MAX_DEPTH) return { text: `${text}, too deep to be shown`, count };
    for (let index = 0; index < count && index < limits.objectChildren && this.used < this.budget; index++)
      children.push(make(index));
    if (children.length < count) children.push({ key: '', kind: 'omitted', text: `${count - children.length} more` });
    return { text, count, children };
  }
}

/** A report is pasted where others read it: the text of a secret stays in its file. */
function withoutSecret(leaf: ObjectNode): ObjectNode {
  if (leaf.kind !== 'text') return leaf;
  return { ...leaf, text: isSecret(leaf.key, leaf.text) ? maskedText : withoutSecrets(leaf.text) };
}

/** The same of the items of a list: those of a secret, and what follows a flag such as `--password` in a command line. */
function withSecretItemsHidden(node: ObjectNode): ObjectNode {
  if (node.children === undefined) return node;
  const { children } = node;
  if (node.kind === 'dict' || node.kind === 'object')
    return { ...node, children: children.map((item) => hiddenIn(node.key, item)) };
  const texts = withoutSecretItems(children.map(({ text }) => text));
  return {
    ...node,
    children: children.map((item, index) => {
      if (item.kind !== 'text') return item;
      return { ...item, text: isSecret(node.key, item.text) ? maskedText : (texts[index] ?? item.text) };
    }),
  };
}

/** An entry that is a secret by the name of what it is in: `credentials: { value }`. */
function hiddenIn(key: string, item: ObjectNode): ObjectNode {
  return item.kind === 'text' && isSecret(`${key}.${item.key}`, item.text) ? { ...item, text: maskedText } : item;
}

/** Names of entries come from files, too. */
function keyOf(key: string): string {
  return withoutSecrets(clip(key));
}

/** A value without children, or undefined for a collection or an object. */
function pickleLeaf(value: PickleValue): Omit<ObjectNode, 'key'> | undefined {
  if (value === null) return { kind: 'none', text: 'None' };
  if (typeof value === 'string') return { kind: 'text', text: clip(value) };
  if (typeof value === 'number' || typeof value === 'bigint') return { kind: 'number', text: String(value) };
  if (typeof value === 'boolean') return { kind: 'boolean', text: value ? 'True' : 'False' };
  if (value instanceof PickleFloat) return { kind: 'number', text: floatText(value.value) };
  if (value instanceof PickleHugeInteger) return { kind: 'number', text: `an integer of ${value.byteLength} bytes` };
  if (value instanceof PickleBytes) return { kind: 'bytes', text: `${value.bytes.byteLength} bytes` };
  if (value instanceof PickleGlobal) return { kind: 'global', text: clip(value.fullName) };
  if (value instanceof PicklePersistent) return { kind: 'reference', text: 'a storage outside of the pickle' };
  if (value instanceof PickleCall) return callLeaf(value);
  if (value instanceof PickleList || value instanceof PickleTuple || value instanceof PickleSet || value instanceof PickleDict)
    return undefined;
  return { kind: 'bytes', text: 'a buffer outside of the pickle' };
}

function callLeaf(call: PickleCall): Omit<ObjectNode, 'key'> | undefined {
  const tensor = tensorOf(call);
  if (tensor !== undefined) {
    return {
      kind: 'tensor',
      type: clip(tensor.wrapper ?? 'Tensor'),
      text: `${tensor.dtype} [${tensor.shape.slice(0, 16).join(', ')}]`,
    };
  }
  const array = numpyArrayOf(call);
  if (array !== undefined)
    return { kind: 'array', type: 'numpy.ndarray', text: `${clip(array.dtype)} [${array.shape.slice(0, 16).join(', ')}]` };
  const scalar = numpyScalarText(call);
  if (scalar !== undefined) return { kind: 'number', type: 'numpy scalar', text: clip(scalar) };
  const bytes = bytesOf(call);
  if (bytes !== undefined) return { kind: 'bytes', text: `${bytes.byteLength} bytes` };
  return enumLeaf(call);
}

/** Enum members are pickled as `Enum(value)` or `getattr(Enum, 'NAME')`; devices, dtypes and paths as calls with plain arguments. */
function enumLeaf(call: PickleCall): Omit<ObjectNode, 'key'> | undefined {
  if (call.state !== undefined || call.items !== undefined || call.entries !== undefined) return undefined;
  const name = calleeName(call);
  const args = argumentsOf(call);
  if (name === undefined || args.length === 0 || args.length > 8) return undefined;
  if (name === 'builtins.getattr' || name === '__builtin__.getattr') {
    return {
      kind: 'text',
      type: clip(globalName(args[0]) ?? 'getattr'),
      text: clip(String(typeof args[1] === 'string' ? args[1] : name)),
    };
  }
  const texts = args.map((arg) => (arg instanceof PickleTuple || arg instanceof PickleCall ? undefined : pickleLeaf(arg)?.text));
  if (texts.some((text) => text === undefined)) return undefined;
  const isPath = name.startsWith('pathlib.');
  return { kind: 'text', type: clip(name), text: clip(isPath ? texts.join('/').replace('//', '/') : texts.join(', ')) };
}

function typeOf(call: PickleCall): string {
  const name = calleeName(call);
  // copyreg._reconstructor(class, base, state) is how protocols 0 and 1 spell "new object".
  if (name === 'copyreg._reconstructor' || name === 'copy_reg._reconstructor') return globalName(argumentsOf(call)[0]) ?? name;
  return name ?? 'object';
}

function clip(text: string): string {
  return text.length <= limits.objectTextLength ? text : `${text.slice(0, limits.objectTextLength)}…`;
}
