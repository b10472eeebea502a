/** `config.json` of a Hugging Face model: `model_type` names the architecture, the rest its sizes. */
import type { ConfigKind } from '../../configs/configKind.js';

export const huggingFaceModel: ConfigKind = {
  id: 'huggingface-model',
  match: ({ document, fields }) => document.syntax === 'json' && (fields.has('model_type') || fields.has('architectures')),
  read: ({ fields }) => ({ model: { kind: 'fields', fields }, plan: {} }),
};
