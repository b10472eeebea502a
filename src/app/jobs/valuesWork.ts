import * as v from 'valibot';
import { Xxh64 } from '../../core/verification/hashes/xxh64.js';
import type { StoredSummary } from '../../core/values/readTask.js';
import type { ValuesReport } from '../../core/values/valuesReport.js';
import type { ValueTask } from '../../core/values/valueTask.js';
import type { Answer } from '../answer.js';
import type { Platform } from '../platform.js';
import { PathError } from '../useCaseError.js';
import { valuesInput, type ValuesInput } from '../useCaseInputs.js';
import { tasksOf, valuesOf } from '../values/valuesOf.js';
import type { ArrayWork } from './arrayWork.js';
import { count } from './outcomeSchema.js';
import { summarySchema } from './summarySchema.js';

/** Each node reads the headers again and finds the same groups of tensors, unless the checkpoint was written again since. */
interface ValuesPlan {
  input: ValuesInput;
  groups: Group[];
}

interface Group {
  bytes: number;
  /** XXH64 of what is read, and where. */
  digest: string;
}

/** Values of tensors, in the groups that are read together. */
export const valuesWork: ArrayWork<ValuesInput, ValuesPlan, StoredSummary[], Answer<ValuesReport>> = {
  noun: ['group of tensors', 'groups of tensors'],
  planSchema: v.object({ input: valuesInput, groups: v.array(v.object({ bytes: count, digest: v.string() })) }),
  resultSchema: v.array(summarySchema),
  plan: async (platform, input) => ({ input, groups: (await tasksOf(platform, input)).map(groupOf) }),
  sizesBytes: ({ groups }) => groups.map(({ bytes }) => bytes),
  async run(platform, { input, groups }, items, onResult, signal) {
    const { path } = input;
    const tasks = await tasksOf(platform, input);
    refuseChanged(path, tasks, groups);
    const own = items.map((item) => tasks[item] as ValueTask);
    const onTask = (index: number, summaries: StoredSummary[]): void => onResult(items[index] ?? -1, summaries);
    await platform.readValues({ path, tree: await platform.openTree(path), tasks: own }, { signal, onTask });
  },
  gather(platform, { input, groups }, results, signal) {
    const readValues: Platform['readValues'] = async ({ path, tasks }) => {
      refuseChanged(path, tasks, groups);
      return [...groups.keys()].flatMap((item) => results.get(item) ?? []);
    };
    return valuesOf({ ...platform, readValues }, input, { signal });
  },
};

/** @throws PathError where tensors are elsewhere than they were when the job was planned */
function refuseChanged(path: string, tasks: readonly ValueTask[], groups: readonly Group[]): void {
  const isSame = tasks.length === groups.length && tasks.every((task, item) => groupOf(task).digest === groups[item]?.digest);
  if (!isSame) throw new PathError(path, 'has changed since the job was planned');
}

function groupOf(task: ValueTask): Group {
  const hash = new Xxh64();
  hash.update(new TextEncoder().encode(JSON.stringify(task)));
  const bytes = task.stored.flatMap(({ extents }) => extents).reduce((sum, extent) => sum + extent.bytes, 0);
  return { bytes, digest: hash.digest() };
}
