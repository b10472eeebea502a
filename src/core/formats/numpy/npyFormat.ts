import { defineFormat } from '../fileFormat.js';
import { readNpy } from './npy.js';
import { isNpy } from './npyHeader.js';

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
