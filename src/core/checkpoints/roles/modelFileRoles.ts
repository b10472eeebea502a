/** Files of TensorFlow, ONNX and llama.cpp, by their names. */
import { componentOfPath } from '../../tensors/componentOfPath.js';
import { componentOfVariable } from '../../tensors/componentOfVariable.js';
import type { Rule } from './fileRule.js';

/** The first rule that matches decides. Bundles and ONNX models are read as file sets; a rule is for what is left alone. */
export const modelFileRules: readonly Rule[] = [
  [/.+\.index$/, 'variable-index', 'unexplained', 'sniff', componentOfVariable],
  [/.+\.data-\d{5}-of-\d{5}$/, 'variables', 'unexplained', 'none'],
  [/checkpoint$/, 'newest-names', 'trainerState', 'sniff', componentOfPath],
  [/(saved_model|keras_metadata|fingerprint)\.pb$|.+\.ckpt(-\d+)?\.meta$|graph\.pbtxt$/, 'graph', 'config', 'none'],
  [/.+\.onnx$/, 'model', 'weights', 'none', 'weights'],
  [/(.*[-_.])?mmproj([-_.].*)?\.gguf$/i, 'multimodal-projector', 'weights', 'gguf', 'weights'],
];
