import { componentOfPath } from '../../tensors/componentOfPath.js';
import { defineFormat } from '../fileFormat.js';
import { isZip } from '../zip.js';
import { isPickle } from '../pickle/pickleHead.js';
import { readTorchFile } from './torchFile.js';
import { isTorchTar } from './torchTar.js';

/** Whatever `torch.save` wrote, and plain pickles. */
export const torchFormat = defineFormat({
  id: 'torch',
  label: 'torch-zip',
  names: [
    { extensions: ['pt', 'pth', 'pth.tar', 'pt2', 'ckpt'], isOwn: true },
    { extensions: ['bin', 'pkl', 'pickle', 'th'], isOwn: false },
  ],
  role: 'torch-file',
  component: 'weights',
  tensors: componentOfPath,
  content: {
    matches: (head) => isZip(head) || isPickle(head) || isTorchTar(head),
    role: 'pickled-object',
    component: 'trainerState',
    otherwise: 'zip',
  },
  layout: 'torch-file',
  checks: 'torch files: directory of the archive, storages against the object, file size',
  read: readTorchFile,
});
