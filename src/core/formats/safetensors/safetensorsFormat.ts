import { componentOfPath } from '../../tensors/componentOfPath.js';
import { defineFormat } from '../fileFormat.js';
import { isSafetensors, readSafetensors } from './safetensors.js';

export const safetensorsFormat = defineFormat({
  id: 'safetensors',
  names: [{ extensions: ['safetensors'], isOwn: true }],
  role: 'tensors',
  component: 'weights',
  tensors: componentOfPath,
  content: { matches: isSafetensors },
  layout: 'safetensors-file',
  checks: 'safetensors: header, dtypes, shapes, offsets without holes or overlaps, file size',
  read: async (source, sink) => {
    await readSafetensors(source, sink);
    return 'safetensors';
  },
});
