import { argumentsOf, entriesOf } from './pickleAccess.js';
import {
  calleeName,
  PickleCall,
  PickleDict,
  PickleFloat,
  PickleGlobal,
  PickleList,
  PickleTuple,
  type PickleValue,
} from './pickleValue.js';

/** Entries of a container that settings have at most; what has more is data. */
const MAX_ENTRIES = 64;
const MAX_DEPTH = 5;
/** Values of one outline: what refers to itself again and again is cut. */
const MAX_VALUES = 2_000;

/**
 * A copy of an object's settings: plain values, in small containers near the root. Tensors and long containers are left out, so that the
 * objects of thousands of ranks, which say the same, do not fill the memory.
 */
export function pickleOutline(root: PickleValue): PickleValue {
  return new Outline().of(root, 0);
}

class Outline {
  private left = MAX_VALUES;

  of(value: PickleValue, depth: number): PickleValue {
    this.left -= 1;
    if (isPlain(value)) return value;
    if (depth >= MAX_DEPTH || this.left < 0) return null;
    const dict = entriesOf(value);
    if (dict !== undefined) return this.ofDict(dict, depth);
    if (value instanceof PickleTuple) return new PickleTuple(this.ofItems(value.items, depth));
    if (value instanceof PickleList) {
      const list = new PickleList();
      for (const item of this.ofItems(value.items, depth)) list.items.push(item);
      return list;
    }
    return value instanceof PickleCall && isSimpleCall(value) ? value : null;
  }

  private ofDict({ keys, values }: PickleDict, depth: number): PickleDict {
    const outline = new PickleDict();
    if (keys.length > MAX_ENTRIES) return outline;
    keys.forEach((key, index) => {
      if (!isPlain(key)) return;
      outline.keys.push(key);
      outline.values.push(this.of(values[index] as PickleValue, depth + 1));
    });
    return outline;
  }

  private ofItems(items: readonly PickleValue[], depth: number): PickleValue[] {
    return items.length > MAX_ENTRIES ? [] : items.map((item) => this.of(item, depth + 1));
  }
}

function isPlain(value: PickleValue): boolean {
  return typeof value !== 'object' || value === null || value instanceof PickleFloat || value instanceof PickleGlobal;
}

/** Members of enums and the like. */
function isSimpleCall(call: PickleCall): boolean {
  const args = argumentsOf(call);
  const hasState = call.state !== undefined || call.items !== undefined || call.entries !== undefined;
  return !hasState && calleeName(call) !== undefined && args.length <= 2 && args.every(isPlain);
}
