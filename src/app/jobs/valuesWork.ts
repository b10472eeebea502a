import * as v from 'valibot';
import type { StoredSummary } from '../../core/values/readTask.js';
import type { ValuesReport } from '../../core/values/valuesReport.js';
import type { ValueTask } from '../../core/values/valueTask.js';
import type { Answer } from '../answer.js';
import type { Platform } from '../platform.js';
import { PathError } from '../useCaseError.js';
import { valuesInput, type ValuesInput } from '../useCaseInputs.js';
import { tasksOf, valuesOf } from '../values/valuesOf.js';
import type { ArrayWork } from './arrayWork.js';
import { summarySchema } from './summarySchema.js';
import { taskSchema } from './taskSchema.js';

interface ValuesPlan {
  input: ValuesInput;
  tasks: ValueTask[];
}

const tasksSchema = v.array(taskSchema);

/** Values of tensors, in the groups that are read together. */
export const valuesWork: ArrayWork<ValuesInput, ValuesPlan, StoredSummary[], Answer<ValuesReport>> = {
  noun: ['group of tensors', 'groups of tensors'],
  planSchema: v.object({ input: valuesInput, tasks: tasksSchema }),
  resultSchema: v.array(summarySchema),
  plan: async (platform, input) => ({ input, tasks: await tasksOf(platform, input) }),
  sizesBytes: ({ tasks }) => tasks.map(bytesOf),
  async run(platform, { input: { path }, tasks }, items, onResult, signal) {
    const tree = await platform.openTree(path);
    const own = items.map((item) => tasks[item] as ValueTask);
    const onTask = (index: number, summaries: StoredSummary[]): void => onResult(items[index] ?? -1, summaries);
    await platform.readValues({ path, tree, tasks: own }, { signal, onTask });
  },
  gather(platform, { input, tasks }, results, signal) {
    const readValues: Platform['readValues'] = (reading) => {
      // A checkpoint that was written again has other tensors in other places.
      if (textOf(reading.tasks) !== textOf(tasks))
        return Promise.reject(new PathError(input.path, 'has changed since the job was made'));
      return Promise.resolve([...results.values()].flat());
    };
    return valuesOf({ ...platform, readValues }, input, { signal });
  },
};

function bytesOf({ stored }: ValueTask): number {
  return stored.flatMap(({ extents }) => extents).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Equal for equal tasks, whatever the order of their keys. */
function textOf(tasks: readonly ValueTask[]): string {
  return JSON.stringify(v.parse(tasksSchema, tasks));
}
