import { defineFormat } from '../fileFormat.js';
import { isGgml, readGgml } from './ggml.js';

/** Most of its files are named `.bin`, as those of many others are. */
export const ggmlFormat = defineFormat({
  id: 'ggml',
  names: [{ extensions: ['ggml'], isOwn: true }],
  role: 'model-weights',
  component: 'weights',
  content: { matches: isGgml },
  checks: 'ggml: header, names and shapes of tensors, file size',
  read: readGgml,
});
