import { defineFormat } from '../fileFormat.js';
import { isGguf, readGguf } from './gguf.js';

export const ggufFormat = defineFormat({
  id: 'gguf',
  names: [{ extensions: ['gguf'], isOwn: true }],
  role: 'model-weights',
  component: 'weights',
  content: { matches: isGguf },
  layout: 'gguf',
  checks: 'GGUF: header, types and offsets of tensors, file size',
  read: readGguf,
});
