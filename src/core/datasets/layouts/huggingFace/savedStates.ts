/** The side files of `datasets`: state.json (what `save_to_disk` loads again), dataset_info.json, dataset_dict.json. */
import { baseName, isSafeFileName, joinPath, parentPath } from '../../../files/paths.js';
import { between, exactly } from '../../counts.js';
import { memberOf } from '../../../formats/text/jsonMember.js';
import type { DatasetAccess } from '../../datasetLayout.js';
import type { ArrowShard } from './arrowShard.js';

/** What state.json says of the directory in which it lies. */
interface SavedState {
  path: string;
  shards: Set<string>;
  split: string | undefined;
  /** Rows of the selection that goes with it (`_indices_data_files`, written before datasets 1.9). */
  selectedRows: number | null;
}

export class SavedStates {
  private readonly byDirectory = new Map<string, SavedState>();

  get size(): number {
    return this.byDirectory.size;
  }

  set(directory: string, state: SavedState): void {
    this.byDirectory.set(directory, state);
  }

  has(directory: string): boolean {
    return this.byDirectory.has(directory);
  }

  splitOf(path: string): string | undefined {
    return this.byDirectory.get(parentPath(path))?.split;
  }

  /** A shard beside a state.json that does not name it: of an earlier save. */
  isUnlisted(path: string): boolean {
    const state = this.byDirectory.get(parentPath(path));
    return state !== undefined && !state.shards.has(path);
  }

  noteUnlisted(present: readonly string[], access: DatasetAccess): void {
    const unlisted = new Map<string, string[]>();
    for (const path of present) {
      const state = this.byDirectory.get(parentPath(path));
      if (state === undefined || state.shards.has(path)) continue;
      const known = unlisted.get(state.path);
      if (known === undefined) unlisted.set(state.path, [path]);
      else known.push(path);
    }
    for (const [path, paths] of unlisted)
      access.finding({ code: 'shard-unlisted', path, facts: { files: paths.length, first: baseName(paths[0] ?? '') } });
  }

  /** Notes that `path` selects rows. Only a directory that was saved says which rows those are of. */
  select(path: string, rows: number): void {
    const state = this.byDirectory.get(parentPath(path));
    if (state !== undefined) state.selectedRows = rows;
  }

  /** `save_to_disk` writes no shard at all for a dataset without rows. */
  countEmpty(access: DatasetAccess): void {
    let empty = 0;
    for (const { path, shards, split } of this.byDirectory.values()) {
      if (shards.size > 0) continue;
      empty += 1;
      if (split !== undefined) access.emptySplit(split);
      access.finding({ code: 'shard-empty', path, facts: { detail: `${baseName(path)} names no shards` } });
    }
    if (this.size === 0 || empty < this.size) return;
    const none = exactly(0, 'state.json names no shards', 'index');
    access.sampleCount(none);
    access.tokenCount(none);
  }

  /** A selection of fewer rows, or of the same ones again, is what a loader gets; its tokens can only be estimated. */
  countSelected(files: readonly ArrowShard[], access: DatasetAccess): void {
    let rows = 0;
    let allRows = 0;
    let tokens = 0;
    let hasSelection = false;
    for (const { shard } of files) {
      if (shard.use !== undefined) continue;
      allRows += shard.samples ?? 0;
      tokens += shard.tokens ?? 0;
      if (this.byDirectory.get(parentPath(shard.path))?.selectedRows == null) rows += shard.samples ?? 0;
    }
    for (const { selectedRows } of this.byDirectory.values()) {
      if (selectedRows === null) continue;
      rows += selectedRows;
      hasSelection = true;
    }
    if (!hasSelection || rows === allRows) return;
    const method = 'rows that the indices beside the shards select';
    access.sampleCount(exactly(rows, method, 'header'));
    if (tokens === 0 || allRows === 0) return;
    const count = Math.round((tokens / allRows) * rows);
    access.tokenCount(between([0, Math.max(count, tokens)], count, `share of the ${method}`, 'assumed'));
  }
}

/** Reads all side files among `paths`, and compares what they name with the `shards` that are here. */
export async function readSavedStates(
  paths: readonly string[],
  shards: readonly string[],
  access: DatasetAccess,
): Promise<SavedStates> {
  const states = new SavedStates();
  const facts = new Map<string, string>();
  const splits = new Set<string>();
  for (const path of paths.filter((each) => baseName(each) === 'dataset_dict.json')) {
    for (const split of await readSplits(path, access)) splits.add(joinPath(parentPath(path), split));
  }
  for (const path of paths) {
    if (baseName(path) === 'state.json') await addState(path, splits, facts, states, access);
    else if (baseName(path) === 'dataset_info.json') await readInfo(path, shards, facts, access);
  }
  for (const [label, path] of facts) {
    const [name = '', value = ''] = label.split('\n');
    access.fact(name, value, path);
  }
  states.noteUnlisted(shards, access);
  noteLostSideFiles(paths, shards, access);
  for (const split of splits)
    if (!states.has(split) && !shards.some((path) => parentPath(path) === split))
      access.finding({ code: 'index-unmatched', path: split, facts: { present: 'dataset_dict.json', missing: baseName(split) } });
  return states;
}

/**
 * `load_from_disk` opens both side files of a directory (datasets/arrow_dataset.py: Dataset.load_from_disk). The cache has shards of other
 * names, and no state.json.
 */
function noteLostSideFiles(paths: readonly string[], shards: readonly string[], access: DatasetAccess): void {
  const saved = new Set(shards.filter((path) => /(^|\/)data-\d{5}-of-\d{5}\.arrow$/.test(path)).map(parentPath));
  for (const path of paths) {
    const [name, directory] = [baseName(path), parentPath(path)];
    const missing = name === 'state.json' ? 'dataset_info.json' : name === 'dataset_info.json' ? 'state.json' : undefined;
    if (missing === undefined || !saved.has(directory) || access.entry(joinPath(directory, missing)) !== undefined) continue;
    access.finding({ code: 'dataset-unfinished', path, facts: { detail: `${name}, but no ${missing}` } });
  }
}

async function readSplits(path: string, access: DatasetAccess): Promise<string[]> {
  const splits = memberOf(await access.json(path, 'list of splits'), 'splits');
  if (!Array.isArray(splits)) return [];
  return (splits as unknown[]).filter((split): split is string => typeof split === 'string' && isSafeFileName(split));
}

async function addState(
  path: string,
  splits: ReadonlySet<string>,
  facts: Map<string, string>,
  states: SavedStates,
  access: DatasetAccess,
): Promise<void> {
  const directory = parentPath(path);
  const json = await access.json(path, 'list of shards');
  noteFact(facts, 'fingerprint', textAt(json, '_fingerprint'), path);
  noteFact(facts, 'format', textAt(json, '_format_type'), path);
  if (!Array.isArray(memberOf(json, '_data_files'))) return;
  const split = splits.has(directory) ? baseName(directory) : textAt(json, '_split');
  const shards = new Set<string>();
  for (const key of ['_data_files', '_indices_data_files']) addNamed(memberOf(json, key), directory, shards, path, access);
  access.listed(shards);
  noteMissing(path, shards, access);
  states.set(directory, { path, shards, split, selectedRows: null });
}

function addNamed(list: unknown, directory: string, shards: Set<string>, path: string, access: DatasetAccess): void {
  if (!Array.isArray(list)) return;
  for (const item of list as unknown[]) {
    const name = textAt(item, 'filename');
    if (name === undefined) continue;
    if (!isSafeFileName(name)) access.finding({ code: 'index-path-unsafe', path, facts: { shard: name } });
    else shards.add(joinPath(directory, name));
  }
}

function noteMissing(path: string, shards: ReadonlySet<string>, access: DatasetAccess): void {
  const missing = [...shards].filter((shard) => access.entry(shard) === undefined);
  if (missing[0] === undefined) return;
  const facts = { missing: missing.length, total: shards.size, first: baseName(missing[0]) };
  access.finding({ code: 'shards-listed-missing', path, facts });
}

async function readInfo(
  path: string,
  shards: readonly string[],
  facts: Map<string, string>,
  access: DatasetAccess,
): Promise<void> {
  const json = await access.json(path, 'description');
  noteMissingSplits(path, memberOf(json, 'splits'), shards, access);
  noteFact(facts, 'dataset', textAt(json, 'dataset_name') ?? textAt(json, 'builder_name'), path);
  noteFact(facts, 'configuration', textAt(json, 'config_name'), path);
  noteFact(facts, 'version', textAt(memberOf(json, 'version'), 'version_str'), path);
}

/**
 * Splits of which a cache directory has no file. What `save_to_disk` writes keeps the splits of the dataset that it is a part of: there the
 * state.json lists the shards.
 */
function noteMissingSplits(path: string, splits: unknown, shards: readonly string[], access: DatasetAccess): void {
  const directory = parentPath(path);
  if (!isMapping(splits) || access.entry(joinPath(directory, 'state.json')) !== undefined) return;
  // `<dataset>-<split>.arrow`, `<dataset>-<split>-00000-of-00002.arrow`.
  const present = shards.filter((shard) => parentPath(shard) === directory).map(baseName);
  const isPresent = (split: string): boolean =>
    present.some((name) => name.includes(`-${split}.`) || name.includes(`-${split}-`));
  const names = Object.keys(splits);
  const missing = names.filter((name) => !isPresent(name));
  const [first] = missing;
  if (first === undefined || missing.length === names.length) return;
  const shardsOf = (name: string): number => {
    const lengths = memberOf(splits[name], 'shard_lengths');
    return Array.isArray(lengths) && lengths.length > 0 ? lengths.length : 1;
  };
  const count = (of: readonly string[]): number => of.reduce((sum, name) => sum + shardsOf(name), 0);
  const facts = { missing: count(missing), total: count(names), first: `the split ${first}` };
  access.finding({ code: 'shards-listed-missing', path, facts });
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textAt(value: unknown, key: string): string | undefined {
  const text = memberOf(value, key);
  return typeof text === 'string' ? text : undefined;
}

/** The same fact of several splits is said once. */
function noteFact(facts: Map<string, string>, label: string, value: string | undefined, path: string): void {
  const key = `${label}\n${value ?? ''}`;
  if (value !== undefined && value !== '' && !facts.has(key)) facts.set(key, path);
}
