/** LitGPT: `lit_model.pth`, a file or with FSDP a directory, beside `model_config.yaml` and `hyperparameters.yaml` (litgpt/pretrain.py). */
import { loadsAnywhere } from '../../checkpoints/reshard.js';
import { directoryLayout } from '../../checkpoints/layouts/directoryLayout.js';
import { lightningOwnRoles } from '../lightning/roles.js';
import { findOtherStep } from '../../checkpoints/layouts/namedSteps.js';
import { appendAll } from '../../bytes/appendAll.js';
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
    const dicts = [...pickledRoots(parts.objects)].map(([path, root]) => ({ path, dict: torchDictOf(root) }));
    const stated = dicts.find(({ dict }) => dict?.layout === 'litgpt');
    parts.step = stated?.dict?.step ?? stepOfName(listing.rootName) ?? stepIn(parts.objects);
    const named = { name: listing.rootName, path: stated?.path ?? '', step: stated?.dict?.step ?? null };
    appendAll(parts.findings, findOtherStep(named, /^step-(\d{1,15})$/));
    parts.reshard = loadsAnywhere('Any number of processes can load it.');
  },
  lightningOwnRoles,
);
