/** Files with the weights of a model in another format or under other names, beside those that its library loads. */
import { baseName, parentPath } from '../files/paths.js';
import type { Parts } from './parts.js';

const ownName = /^(model|pytorch_model|diffusion_pytorch_model)([.-].*)?\.(safetensors|bin)$/;
/**
 * What converters write beside a model of the Hub: optimum (`onnx/`), llama.cpp (`*.gguf`), transformers for TensorFlow, Flax and
 * rust-bert; and the files of the first release, with its own names (Llama's `original/`, Mistral's `consolidated.safetensors`).
 */
const exportName =
  /(\.(onnx|onnx_data|gguf)|\.onnx[._]data.*|^tf_model.*\.h5|^flax_model.*\.msgpack|^rust_model\.ot|^consolidated[\w.-]*)$/i;

/** `model.fp16.safetensors` beside `model.safetensors`: a variant in another precision (`variant` of `save_pretrained`). */
const variantName = /\.(fp16|bf16|float16|bfloat16)(?=[.-])/;

/**
 * Positions of these files, by their names: that their values are the same was not compared. Empty where the root has no model for
 * them to be copies of.
 */
export function exportsOf({ files }: Pick<Parts, 'files'>): ReadonlySet<number> {
  const exports = new Set<number>();
  if (!files.some(({ path }) => ownName.test(path))) return exports;
  const paths = new Set(files.map(({ path }) => path));
  const directories = new Set(files.filter(({ path }) => exportName.test(baseName(path))).map(({ path }) => parentPath(path)));
  files.forEach(({ path, role }, at) => {
    const isData = role === 'data-of-model' && directories.has(parentPath(path));
    const isVariant = variantName.test(baseName(path)) && paths.has(path.replace(variantName, ''));
    if (isData || isVariant || exportName.test(baseName(path))) exports.add(at);
  });
  return exports;
}
