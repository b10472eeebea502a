/** LitGPT: `lit_model.pth`, a file or with FSDP a directory, beside `model_config.yaml` and `hyperparameters.yaml` (litgpt/pretrain.py). */
import { loadsAnywhere } from '../../checkpoints/reshard.js';
import { directoryLayout } from '../../checkpoints/layouts/directoryLayout.js';
import { lightningOwnRoles } from '../lightning/roles.js';
import { pickledRoots, stepIn } from '../../checkpoints/layouts/stateSteps.js';
import { stepOfName } from '../../checkpoints/runs/stepOfName.js';
import { torchDictOf } from '../../checkpoints/torchDicts.js';

const modelFile = /^lit_model\.pth(\.lora)?$/;

export const litgpt = directoryLayout(
  'litgpt',
  (listing) => (listing.hasMatch(modelFile) || listing.directories.has('lit_model.pth') ? 0.92 : 0),
  ({ parts }, listing) => {
    parts.framework = { name: 'litgpt', version: null };
    parts.expected = ['weights', 'optimizer', 'dataLoader'];
    const dicts = [...pickledRoots(parts.objects).values()].map(torchDictOf);
    const step = dicts.find((dict) => dict?.layout === 'litgpt')?.step ?? stepOfName(listing.rootName);
    parts.step = step ?? stepIn(parts.objects);
    parts.reshard = loadsAnywhere('Any number of processes can load it.');
  },
  lightningOwnRoles,
);
