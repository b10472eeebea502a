import { componentOfSlashName } from '../../tensors/componentOfPath.js';
import { defineFormat } from '../fileFormat.js';
import { isZip } from '../zip.js';
import { readNumpyArchive } from './numpyArchive.js';

export const npzFormat = defineFormat({
  id: 'npz',
  names: [{ extensions: ['npz'], isOwn: false }],
  role: 'arrays',
  component: 'weights',
  tensors: componentOfSlashName,
  content: { matches: isZip },
  layout: 'numpy',
  checks: 'npz: directory of the archive, headers of the arrays',
  read: readNumpyArchive,
});
