/** Files with the weights of a model in another format, dtype or under other names, beside those that its library loads. */
import { baseName, parentPath } from '../files/paths.js';
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
}

/** By names, and for variants by the shapes in their headers: values are not compared. Empty where there is no model for them to be of. */
export function exportsOf(parts: Parts): ModelExports {
  const rows = rowsByFile(parts);
  const converted = convertedFiles(parts, rows);
  const variants = findVariants(parts);
  return {
    files: new Set([...converted, ...variants.flatMap(({ files }) => files)]),
    duplicates: [...variants.map(variantDuplicate), ...convertedDuplicate(parts, converted, rows)],
  };
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
