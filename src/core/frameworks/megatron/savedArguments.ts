/** The arguments that Megatron saves with a model: an argparse.Namespace in `common.pt`, or in the state of each rank (megatron/training/checkpointing.py). */
import { attributesOf, entriesOf, itemsOf, keyText, member } from '../../formats/pickle/pickleAccess.js';
import { PickleFloat, type PickleValue } from '../../formats/pickle/pickleValue.js';
import type { Parts } from '../../checkpoints/parts.js';
import { commonState } from './megatronDistributed.js';

/** The arguments of the job that wrote the save, of the first rank that has some; undefined where none were saved. */
export function savedArguments(parts: Parts): PickleValue | undefined {
  const common = member(commonState(parts), 'args');
  if (common !== undefined || parts.layout !== 'megatron-legacy') return common;
  for (const { value } of parts.objects) {
    const args = value.kind === 'pickle' ? member(value.root, 'args') : undefined;
    if (args !== undefined) return args;
  }
  return undefined;
}

export interface PlainArguments {
  values: Record<string, PlainArgument>;
  /** Arguments that are set to objects: enums, dtypes, functions. */
  objects: ReadonlySet<string>;
}

type PlainArgument = string | number | boolean | readonly (string | number | boolean)[];

/** As plain values. What is None is left out, as is what Megatron's parser does not have. */
export function plainArguments(args: PickleValue): PlainArguments {
  const attributes = attributesOf(args) ?? entriesOf(args);
  const values = new Map<string, PlainArgument>();
  const objects = new Set<string>();
  for (const [at, key] of (attributes?.keys ?? []).entries()) {
    const value = attributes?.values[at] ?? null;
    if (typeof key !== 'string' || value === null) continue;
    const plain = plainOf(value) ?? listOf(value);
    if (plain === undefined) objects.add(keyText(key));
    else values.set(key, plain);
  }
  return { values: Object.fromEntries(values), objects };
}

function plainOf(value: PickleValue): string | number | boolean | undefined {
  if (value instanceof PickleFloat) return value.value;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

function listOf(value: PickleValue): (string | number | boolean)[] | undefined {
  const items = itemsOf(value)?.map(plainOf);
  return items?.every((item) => item !== undefined) === true ? items : undefined;
}
