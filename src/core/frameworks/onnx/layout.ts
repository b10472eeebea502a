/** Models in ONNX, with their data inside or in files beside them. */
import type { Layout } from '../../checkpoints/layout.js';
import { readFiles } from '../../checkpoints/readFiles.js';

/** ONNX models are for inference, or the start of a training: there is no state to resume from. */
export const onnx: Layout = {
  id: 'onnx',
  match: (listing) => (listing.hasMatch(/\.onnx$/) ? 0.7 : 0),
  async read(context, listing) {
    const result = await readFiles(context, listing);
    const { parts } = result;
    const producers = [...parts.metadata.values()].find((texts) => (texts.get('producer') ?? '') !== '');
    parts.layout = this.id;
    parts.framework = { name: producers?.get('producer') ?? 'onnx', version: producers?.get('producerVersion') || null };
    return result;
  },
};
