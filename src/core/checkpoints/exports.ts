/** Files with the weights of a model in another format, dtype or under other names, beside those that its library loads. */
import { baseName, parentPath } from '../files/paths.js';
import type { RoleId } from '../files/roleLabels.js';
import type { Finding } from '../findings/finding.js';
import { differenceOf, formOf } from './otherModels.js';
import type { Duplicate, Parts } from './parts.js';
import { findVariants, rowsByFile, type Variant } from './variants.js';

const ownName = /^(model|pytorch_model|diffusion_pytorch_model)([.-].*)?\.(safetensors|bin)$/s;

/** Files that name models in directories beside them as parts of one (diffusers, sentence-transformers). */
const pipelineNames = ['model_index.json', 'modules.json'];

/**
 * What converters write beside a model of the Hub: optimum (`onnx/`), llama.cpp (`*.gguf`), transformers for TensorFlow, Flax and
 * rust-bert; and the files of the first release, with its own names (Llama's `original/`, Mistral's `consolidated.safetensors`).
 */
const exportName =
  /(\.(onnx|onnx_data|gguf)|\.onnx[._]data.*|^tf_model.*\.h5|^flax_model.*\.msgpack|^diffusion_flax_model.*\.msgpack|^rust_model\.ot|^consolidated[\w.-]*)$/is;

/** First segments of names in a whole pipeline in one file, as its authors released it (diffusers/loaders/single_file_utils.py). */
const releasePrefixes = ['model.diffusion_model.', 'first_stage_model.', 'double_blocks.'];

/** Files that hold parameters of others: positions, and what their bytes are. */
export interface ModelExports {
  files: ReadonlySet<number>;
  duplicates: Duplicate[];
  /** Files that hold another model. */
  others: ReadonlySet<number>;
  findings: Finding[];
}

/**
 * By names and by the shapes in the headers: values are not compared. Empty where there is no model for them to be of.
 */
export function exportsOf(parts: Parts): ModelExports {
  const rows = rowsByFile(parts);
  const named = convertedFiles(parts, rows);
  const { others, findings } = otherModelsAmong(parts, named, rows);
  const converted = new Set([...named].filter((at) => !others.has(at)));
  const variants = findVariants(parts);
  return {
    files: new Set([...converted, ...variants.flatMap(({ files }) => files)]),
    duplicates: [...variants.map(variantDuplicate), ...convertedDuplicate(parts, converted, rows)],
    others,
    findings,
  };
}

/** What the files of one model have alike that is no model of the directory by its name: its shards, and the data of an ONNX model beside it. */
export function otherModelOf(path: string): string {
  return path
    .replace(/[-_.]\d{1,6}[-_]of[-_]\d{1,6}(?=\.)/i, '')
    .replace(/\.onnx[._]data.*$/is, '.onnx')
    .replace(/(consolidated\.)\d+/i, '$1');
}

/** Files of any name with weights, which no loader of the model beside them takes: one of these has parts of it, or is a model by itself. */
const looseRoles: ReadonlySet<RoleId> = new Set<RoleId>(['tensors', 'torch-file']);

/**
 * Of the files that are called as conversions those whose embedding or size is that of another model, and of those of any name in the
 * directory of a model those with another embedding.
 */
function otherModelsAmong(
  { files, tensors }: Parts,
  named: ReadonlySet<number>,
  rows: ReadonlyMap<number, number[]>,
): Pick<ModelExports, 'others' | 'findings'> {
  const rowsOf = (positions: readonly number[]): number[] => positions.flatMap((at) => rows.get(at) ?? []);
  const models = new Map<string, number[]>();
  const sets = new Map<string, number[]>();
  files.forEach(({ path, role }, at) => {
    if (named.has(at) || looseRoles.has(role)) listIn(sets, otherModelOf(path)).push(at);
    else if (ownName.test(baseName(path))) listIn(models, parentPath(path)).push(at);
  });
  const others = new Set<number>();
  const findings: Finding[] = [];
  for (const [path, set] of sets) {
    const isLoose = set.some((at) => !named.has(at));
    const model = isLoose ? models.get(parentPath(path)) : nearest(models, parentPath(path));
    const own = rowsOf(model ?? []);
    const other = rowsOf(set);
    if (model === undefined || own.length === 0 || other.length === 0) continue;
    const form = formOf(tensors, other);
    // Tensor-parallel shards have a share of the embedding each.
    const difference = differenceOf(formOf(tensors, own), isSplit(files, set) ? { ...form, embedding: undefined } : form);
    if (difference === undefined || (isLoose && difference.what !== 'embedding')) continue;
    for (const at of set) others.add(at);
    const facts = { of: files[model[0] as number]?.path ?? '', ...difference };
    findings.push({ code: 'other-model-beside', path: files[set[0] as number]?.path ?? path, facts });
  }
  return { others, findings };
}

function isSplit(files: Parts['files'], set: readonly number[]): boolean {
  return set.length > 1 && set.some((at) => /^consolidated\./i.test(baseName(files[at]?.path ?? '')));
}

/** The files of the model in the directory, or in the next one around it that has one. */
function nearest(models: ReadonlyMap<string, number[]>, directory: string): number[] | undefined {
  for (let at = directory; at !== ''; at = parentPath(at)) if (models.has(at)) return models.get(at);
  return models.get('');
}

function listIn(lists: Map<string, number[]>, key: string): number[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** Positions of files in other formats, and of single-file releases of a pipeline, by their names. */
function convertedFiles(parts: Parts, rows: ReadonlyMap<number, number[]>): Set<number> {
  const { files } = parts;
  const exports = new Set<number>();
  const models = new Set(files.filter(({ path }) => ownName.test(baseName(path))).map(({ path }) => parentPath(path)));
  const isPipeline = models.size > 0 && files.some(({ path }) => pipelineNames.includes(path));
  if (isPipeline) models.add('');
  const directories = new Set(files.filter(({ path }) => exportName.test(baseName(path))).map(({ path }) => parentPath(path)));
  files.forEach(({ path, role }, at) => {
    const isData = role === 'data-of-model' && directories.has(parentPath(path));
    const isExport = (isData || exportName.test(baseName(path))) && isBelow(parentPath(path), models);
    const isRelease = isPipeline && parentPath(path) === '' && hasReleaseNames(parts, rows.get(at) ?? []);
    if (isExport || isRelease) exports.add(at);
  });
  return exports;
}

/** Whether a directory, or one around it, is among those given. */
function isBelow(directory: string, directories: ReadonlySet<string>): boolean {
  for (let at = directory; at !== ''; at = parentPath(at)) if (directories.has(at)) return true;
  return directories.has('');
}

function hasReleaseNames({ tensors }: Parts, rows: readonly number[]): boolean {
  return rows.some((row) => releasePrefixes.some((prefix) => tensors.nameOf(row).startsWith(prefix)));
}

function variantDuplicate({ of, paths, dtypes, bytes }: Variant): Duplicate {
  return { what: `parameters of ${of} in ${dtypes.join(' and ')}`, bytes, paths: [of, ...paths], setting: null };
}

/** One for all converted files: of a model there may be dozens of quantizations. */
function convertedDuplicate(
  { tensors, files }: Parts,
  converted: ReadonlySet<number>,
  rows: ReadonlyMap<number, number[]>,
): Duplicate[] {
  const own = files.find(({ path }) => ownName.test(baseName(path)))?.path;
  const withWeights = [...converted].filter((file) => rows.has(file));
  if (own === undefined || withWeights.length === 0) return [];
  const bytes = withWeights.flatMap((file) => rows.get(file) ?? []).reduce((sum, row) => sum + tensors.bytesOf(row), 0);
  const paths = [own, ...withWeights.flatMap((file) => files[file]?.path ?? [])];
  return [{ what: 'the model in other formats or precisions', bytes, paths, setting: null }];
}
