import * as p from './pickleBuilder.js';
import { buildTorchZip } from './torchZipBuilder.js';

/** A value to be pickled: a plain one, or an opcode sequence from the pickle builder. */
export type State = null | boolean | number | string | Uint8Array | readonly State[] | { readonly [key: string]: State };

/** Puts torch files of plain values together, tensors of one value each: `file((tensor) => ({ model: { w: tensor([4, 8]) }, step: 3 }))`. */
export function torchState(make: (tensor: (shape: readonly number[], value?: number) => Uint8Array) => State): Uint8Array {
  const storages: Record<string, Uint8Array> = {};
  const tensor = (shape: readonly number[], value = 0): Uint8Array => {
    const key = String(Object.keys(storages).length);
    storages[key] = new Uint8Array(new Float32Array(shape.reduce((product, size) => product * size, 1)).fill(value).buffer);
    return p.torchTensor({ storageType: 'FloatStorage', key, shape });
  };
  return buildTorchZip({ pickle: p.pickle(pickled(make(tensor))), storages });
}

function pickled(value: State): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (value === null) return p.none();
  if (typeof value === 'boolean') return p.bool(value);
  if (typeof value === 'string') return p.str(value);
  if (typeof value === 'number') return Number.isInteger(value) ? p.int(value) : p.float(value);
  if (Array.isArray(value)) return p.list(...(value as readonly State[]).map(pickled));
  return p.dict(...Object.entries(value).map(([key, item]): p.Pair => [p.str(key), pickled(item)]));
}

/** `argparse.Namespace` with these attributes. */
export function namespace(attributes: Readonly<Record<string, State>>): Uint8Array {
  return p.build(p.newobj(p.global('argparse', 'Namespace')), pickled(attributes));
}
