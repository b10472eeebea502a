/** Visits the tensors of a pickled object in order, with the key path under which each is found. */
import { limits } from '../../bytes/limits.js';
import { tensorOf, storageOf, type TorchStorage, type TorchTensor } from '../torch/torchTensor.js';
import { attributesOf, entriesOf, itemsOf, keyText, member } from './pickleAccess.js';
import { type PickleDict, PickleCall, PicklePersistent, type PickleValue } from './pickleValue.js';

export interface TensorVisitor {
  tensor(keyPath: readonly string[], tensor: TorchTensor): void;
  /** A storage in the file that is no tensor of a state_dict: a module's non-persistent buffer. */
  hidden(storage: TorchStorage): void;
}

/** A chain of keys up to the root: siblings share it, so that a wide dict costs one link an entry. */
interface Link {
  parent: Link | undefined;
  key: string;
  depth: number;
  /** True for a member of a module: its key is a state_dict's name, which members of members extend. */
  ofModule: boolean;
}

/** What is still to do: visit a value, or leave a container whose members are all visited. */
type Step = { visit: PickleValue; link: Link | undefined } | { leave: PickleValue };

/**
 * Walks dicts, sequences, attributes and modules, with an explicit stack: depth and cycles of the file cost no recursion.
 * Returns false when it stopped at a limit; what was visited until then stands.
 */
export function walkPickle(root: PickleValue, visitor: TensorVisitor): boolean {
  const steps: Step[] = [{ visit: root, link: undefined }];
  /** Containers between the root and here: a member that is one of them is a cycle, and was visited already. */
  const open = new Set<PickleValue>();
  let budget: number = limits.pickleWalkNodes;
  let complete = true;
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if ('leave' in step) {
      open.delete(step.leave);
      continue;
    }
    const { visit: value, link } = step;
    if (typeof value !== 'object' || value === null || open.has(value)) continue;
    const tensor = value instanceof PickleCall ? tensorOf(value) : bareStorage(value);
    if (tensor !== undefined) {
      visitor.tensor(pathOf(link), tensor);
      continue;
    }
    const members = moduleChildren(value, visitor);
    const children = members ?? childrenOf(value);
    const depth = (link?.depth ?? 0) + 1;
    if (children.length === 0) continue;
    if (depth > limits.pickleWalkDepth) {
      complete = false;
      continue;
    }
    budget -= children.length;
    if (budget < 0) return false;
    open.add(value);
    steps.push({ leave: value });
    for (let index = children.length - 1; index >= 0; index--) {
      const [key, child] = children[index] as Child;
      steps.push({ visit: child, link: linkTo(key, link, depth, members !== undefined) });
    }
  }
  return complete;
}

type Child = [key: string, value: PickleValue];

function linkTo(key: string, parent: Link | undefined, depth: number, ofModule: boolean): Link {
  if (ofModule && parent?.ofModule === true) return { parent: parent.parent, key: `${parent.key}.${key}`, depth, ofModule };
  return { parent, key, depth, ofModule };
}

function childrenOf(value: PickleValue): Child[] {
  const children: Child[] = [];
  const entries = entriesOf(value);
  addEntries(children, entries);
  const items = itemsOf(value);
  addItems(children, items);
  if (!(value instanceof PickleCall)) return children;
  // State of an OrderedDict subclass such as `_metadata` holds no tensors; entries come first.
  addEntries(children, attributesOf(value));
  if (children.length === 0) addItems(children, value.items);
  // What a class was called with, unless the arguments are the items or (Python 2's OrderedDict) the pairs that were just added.
  if (items === undefined && entries === undefined) addItems(children, itemsOf(value.args));
  // `__getstate__` may give any value instead of attributes.
  if (attributesOf(value) === undefined) addItems(children, itemsOf(value.state));
  return children;
}

function addItems(children: Child[], items: readonly PickleValue[] | undefined): void {
  items?.forEach((item, index) => children.push([String(index), item]));
}

function addEntries(children: Child[], dict: PickleDict | undefined): void {
  dict?.keys.forEach((key, index) => {
    // An optimizer pickled as it is has parameters for keys: they have no text, and each is an entry of its own.
    const text = key instanceof PickleCall && tensorOf(key) !== undefined ? String(index) : keyText(key);
    children.push([text, dict.values[index] as PickleValue]);
  });
}

/**
 * A pickled nn.Module: names as state_dict() gives them, so parameters, buffers and submodules without the names of the dicts
 * that hold them. Non-persistent buffers are stored but not in the state_dict.
 */
function moduleChildren(value: PickleValue, visitor: TensorVisitor): Child[] | undefined {
  if (!(value instanceof PickleCall)) return undefined;
  const parameters = entriesOf(member(value, '_parameters'));
  const modules = entriesOf(member(value, '_modules'));
  if (parameters === undefined || modules === undefined) return undefined;
  const children: Child[] = [];
  addEntries(children, parameters);
  const transient = new Set(itemsOf(member(value, '_non_persistent_buffers_set')) ?? []);
  const buffers = entriesOf(member(value, '_buffers'));
  buffers?.keys.forEach((key, index) => {
    const buffer = buffers.values[index] as PickleValue;
    if (!transient.has(key)) children.push([keyText(key), buffer]);
    else tensorOf(buffer)?.storages.forEach((storage) => visitor.hidden(storage));
  });
  addEntries(children, modules);
  return children;
}

/** A storage saved by itself, outside of any tensor, is listed as the flat tensor that it is. */
function bareStorage(value: PickleValue): TorchTensor | undefined {
  const storage = value instanceof PicklePersistent ? storageOf(value) : undefined;
  if (storage === undefined) return undefined;
  return {
    dtype: storage.dtype,
    shape: [storage.elements],
    strides: undefined,
    storageOffset: 0,
    bytes: storage.bytes ?? 0,
    storages: [storage],
    hiddenStorages: [],
    wrapper: 'Storage',
    inner: [],
    isShard: false,
  };
}

function pathOf(link: Link | undefined): string[] {
  const path: string[] = [];
  for (let at = link; at !== undefined; at = at.parent) path.push(at.key);
  return path.reverse();
}
