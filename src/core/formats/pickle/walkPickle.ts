/** Visits the tensors of a pickled object in order, with the key path under which each is found. */
import { limits } from '../../bytes/limits.js';
import { tensorOf, storageOf, type TorchStorage, type TorchTensor } from '../torchTensor.js';
import { attributesOf, entriesOf, itemsOf, keyText, member } from './pickleAccess.js';
import type { PickleDict } from './pickleValue.js';
import { PickleCall, PicklePersistent, type PickleValue } from './pickleValue.js';

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
    const children = childrenOf(value, visitor);
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
      steps.push({ visit: child, link: { parent: link, key, depth } });
    }
  }
  return complete;
}

type Child = [key: string, value: PickleValue];

function childrenOf(value: PickleValue, visitor: TensorVisitor): Child[] {
  const module = moduleChildren(value, visitor);
  if (module !== undefined) return module;
  const children: Child[] = [];
  addEntries(children, entriesOf(value));
  itemsOf(value)?.forEach((item, index) => children.push([String(index), item]));
  if (value instanceof PickleCall) {
    // State of an OrderedDict subclass such as `_metadata` holds no tensors; entries come first.
    addEntries(children, attributesOf(value));
    if (children.length === 0) value.items?.forEach((item, index) => children.push([String(index), item]));
    if (children.length === 0) itemsOf(value.args)?.forEach((item, index) => children.push([String(index), item]));
  }
  return children;
}

function addEntries(children: Child[], dict: PickleDict | undefined): void {
  dict?.keys.forEach((key, index) => children.push([keyText(key), dict.values[index] as PickleValue]));
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
