import { componentOfSlashName } from '../../tensors/componentOfPath.js';
import { defineFormat } from '../fileFormat.js';
import { readNumpyArchive } from './numpyArchive.js';

export const npzFormat = defineFormat({
  id: 'npz',
  names: [{ extensions: ['npz'], isOwn: false }],
  role: 'arrays',
  component: 'weights',
  tensors: componentOfSlashName,
  read: readNumpyArchive,
});
