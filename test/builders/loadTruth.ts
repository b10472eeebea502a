/** What transformers says of models whose config and tensors were changed (test/fixtures/load/make_load.py), against the load check. */
import { checkTensors } from '../../src/core/loading/tensors/checkTensors.js';
import { TensorTable } from '../../src/core/tensors/tensorTable.js';

/** One model type: its config and tensors as saved, and what became of each change. */
export interface LoadTruth {
  modelType: string;
  config: Record<string, unknown>;
  /** dtype and shape by name. */
  tensors: Record<string, [string, number[]]>;
  cases: LoadCase[];
}

export interface LoadCase {
  change: string;
  config: Record<string, unknown>;
  dropped: string[];
  renamed: Record<string, string>;
  dtype: string | null;
  /** An error where the config's own class refuses it, before any tensor is looked at. */
  answer: { error: string } | { missing: string[]; unexpected: string[]; mismatched: string[] };
}

/** The sets of names that differ, in words; empty where all are equal, null where transformers refuses the config. */
export function differencesFrom(truth: LoadTruth, { config, dropped, renamed, dtype, answer }: LoadCase): string[] | null {
  if ('error' in answer) return null;
  const table = new TensorTable();
  const left = new Set(dropped);
  for (const [name, [type, shape]] of Object.entries(truth.tensors)) {
    if (left.has(name) || shape.includes(0)) continue;
    const own = dtype !== null && type.startsWith('float') ? dtype : type;
    table.add({ name: renamed[name] ?? name, dtype: dtypes[own] ?? own, shape, bytes: 1, component: 'weights' });
  }
  const checked = checkTensors(
    table,
    Array.from({ length: table.size }, (_, row) => row),
    { ...truth.config, ...config },
  );
  if (checked === null) return ['not compared'];
  const { missing, unexpected, mismatched } = checked.differences;
  const [absent, others] = [namesOf(missing), namesOf(mismatched)];
  return [
    ...sets('missing', absent.filter(isWhole), answer.missing.filter(isWhole)),
    ...sets('unexpected', namesOf(unexpected), answer.unexpected),
    ...sets('of another shape', others.filter(isWhole), answer.mismatched.filter(isWhole)),
    // One expert that lacks makes the tensor of another shape into which transformers puts all of them.
    ...sets('experts', [...absent, ...others].filter(isExpert), [...answer.missing, ...answer.mismatched].filter(isExpert)),
  ];
}

const dtypes: Readonly<Record<string, string>> = { float32: 'f32', float16: 'f16', bfloat16: 'bf16', int64: 'i64' };
const expertPart = /\.experts\.(?:expert_)?\d+\..*$/;

function namesOf(tensors: readonly { name: string }[]): string[] {
  return tensors.map(({ name }) => name);
}

function isExpert(name: string): boolean {
  return expertPart.test(name);
}

function isWhole(name: string): boolean {
  return !isExpert(name);
}

/** Names as both write them: transformers names a tensor that no file has with or without the base model's prefix, by what else there is. */
function plain(name: string): string {
  return name
    .replace(expertPart, '.experts')
    .replace(/^model\./, '')
    .replace(/^language_model\.model\./, 'language_model.')
    .replace(/^language_model\.lm_head/, 'lm_head');
}

function sets(what: string, own: readonly string[], other: readonly string[]): string[] {
  const [ours, theirs] = [new Set(own.map(plain)), new Set(other.map(plain))];
  const more = [...ours].filter((name) => !theirs.has(name));
  const fewer = [...theirs].filter((name) => !ours.has(name));
  if (more.length + fewer.length === 0) return [];
  return [`${what}: ${listed(more)} more and ${listed(fewer)} fewer than transformers`];
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : `${names.slice(0, 2).join(', ')}${names.length > 2 ? ` and ${names.length - 2}` : ''}`;
}
