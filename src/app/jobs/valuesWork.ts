import * as v from 'valibot';
import type { FileListing } from '../../core/files/fileTree.js';
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
  /** XXH64 of what is read, and where, with sizes and times of the files. */
  digest: string;
}

/** Values of tensors, in the groups that are read together. */
export const valuesWork: ArrayWork<ValuesInput, ValuesPlan, StoredSummary[], Answer<ValuesReport>> = {
  noun: ['group of tensors', 'groups of tensors'],
  planSchema: v.object({ input: valuesInput, groups: v.array(v.object({ bytes: count, digest: v.string() })) }),
  resultSchema: v.array(summarySchema),
  async plan(platform, input) {
    const tasks = await tasksOf(platform, input);
    return { input, groups: groupsOf(tasks, await (await platform.openTree(input.path)).list()) };
  },
  sizesBytes: ({ groups }) => groups.map(({ bytes }) => bytes),
  async run(platform, { input, groups }, items, onResult, signal) {
    const { path } = input;
    const tasks = await tasksOf(platform, input);
    const tree = await platform.openTree(path);
    refuseChanged(path, groupsOf(tasks, await tree.list(signal)), groups);
    const own = items.map((item) => tasks[item] as ValueTask);
    const onTask = (index: number, summaries: StoredSummary[]): void => onResult(items[index] ?? -1, summaries);
    await platform.readValues({ path, tree, tasks: own }, { signal, onTask });
  },
  gather(platform, { input, groups }, results, signal) {
    const readValues: Platform['readValues'] = async ({ path, tree, tasks }) => {
      refuseChanged(path, groupsOf(tasks, await tree.list(signal)), groups);
      return [...groups.keys()].flatMap((item) => results.get(item) ?? []);
    };
    return valuesOf({ ...platform, readValues }, input, { signal });
  },
};

/** @throws PathError where tensors are elsewhere than they were when the job was planned, or their files were written again */
function refuseChanged(path: string, now: readonly Group[], planned: readonly Group[]): void {
  const isSame = now.length === planned.length && now.every(({ digest }, item) => digest === planned[item]?.digest);
  if (!isSame) throw new PathError(path, 'has changed since the job was planned');
}

function groupsOf(tasks: readonly ValueTask[], { entries }: FileListing): Group[] {
  const files = new Map(entries.map(({ path, sizeBytes, modifiedMs }) => [path, [sizeBytes, modifiedMs]]));
  return tasks.map((task) => {
    const extents = task.stored.flatMap((stored) => stored.extents);
    const scales = task.stored.flatMap(({ scaling }) => scaling?.parts ?? []).map(({ extent }) => extent);
    const states = [...new Set([...extents, ...scales].map(({ path }) => path))].map((path) => files.get(path) ?? null);
    const hash = new Xxh64();
    hash.update(new TextEncoder().encode(JSON.stringify([task, states])));
    return { bytes: extents.reduce((sum, { bytes }) => sum + bytes, 0), digest: hash.digest() };
  });
}
