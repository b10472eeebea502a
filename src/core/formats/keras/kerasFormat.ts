import { componentOfVariable } from '../../tensors/componentOfVariable.js';
import { defineFormat } from '../fileFormat.js';
import { isZip } from '../zip.js';
import { readKerasArchive } from './kerasArchive.js';

export const kerasFormat = defineFormat({
  id: 'keras',
  names: [{ extensions: ['keras'], isOwn: false }],
  role: 'model',
  component: 'weights',
  tensors: componentOfVariable,
  content: { matches: isZip },
  checks: 'Keras: directory of the archive, its HDF5 file',
  read: readKerasArchive,
});
