/** Files of TensorFlow, Keras, ONNX, ggml, NumPy and NeMo, by their names. */
import { componentOfPath, componentOfSlashName } from '../../tensors/componentOfPath.js';
import { componentOfVariable } from '../../tensors/componentOfVariable.js';
import type { Rule } from './fileRule.js';

/** The first rule that matches decides. Bundles and ONNX models are read as file sets; a rule is for what is left alone. */
export const modelFileRules: readonly Rule[] = [
  [/.+\.index$/, 'variable-index', 'unexplained', 'sniff', componentOfVariable],
  [/.+\.data-\d{5}-of-\d{5}$/, 'variables', 'unexplained', 'none'],
  [/checkpoint$/, 'newest-names', 'trainerState', 'sniff', componentOfPath],
  [/(saved_model|keras_metadata|fingerprint)\.pb$|.+\.ckpt(-\d+)?\.meta$|graph\.pbtxt$/, 'graph', 'config', 'none'],
  [/.+\.npz$/, 'arrays', 'weights', 'npz', componentOfSlashName],
  [/.+\.(h5|hdf5)$/, 'arrays', 'weights', 'hdf5', componentOfVariable],
  [/.+\.keras$/, 'model', 'weights', 'keras', componentOfVariable],
  [/.+\.nemo$/, 'model', 'weights', 'nemo', componentOfPath],
  [/.+\.onnx$/, 'model', 'weights', 'none', 'weights'],
  [/(.*[-_.])?mmproj([-_.].*)?\.gguf$/i, 'multimodal-projector', 'weights', 'gguf', 'weights'],
  [/.+\.gguf$/i, 'model-weights', 'weights', 'gguf', 'weights'],
];
