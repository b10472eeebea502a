import { defineFormat } from '../fileFormat.js';
import { isNpy, readNpy } from './npy.js';

export const npyFormat = defineFormat({
  id: 'npy',
  names: [{ extensions: ['npy'], isOwn: false }],
  role: 'array',
  component: 'weights',
  content: { matches: isNpy },
  layout: 'numpy',
  checks: 'npy: header, dtype, shape, file size',
  read: readNpy,
});
