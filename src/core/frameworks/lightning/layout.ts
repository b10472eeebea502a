/**
 * Checkpoints of Lightning and Fabric that are directories: sharded ones with `meta.pt` beside the distributed checkpoint, and DeepSpeed's,
 * whose tag is always `checkpoint` (lightning/fabric/strategies/{fsdp,model_parallel,deepspeed}.py). Single files are `torchDicts`.
 */
import { tagDirectories } from '../deepspeed/deepspeedFiles.js';
import { describeDeepSpeed } from '../deepspeed/deepspeedSave.js';
import { directoryLayout } from '../../checkpoints/layouts/directoryLayout.js';
import { lightningOwnRoles } from './roles.js';
import { noteReshard, worldSizeOf } from '../torchDistributed/layout.js';
import type { Parts } from '../../checkpoints/parts.js';
import { findOtherLightningStep } from '../../checkpoints/layouts/lightningSteps.js';
import { appendAll } from '../../bytes/appendAll.js';
import { pickledRoots, stepIn } from '../../checkpoints/layouts/stateSteps.js';
import { torchDictOf } from '../../checkpoints/torchDicts.js';

const deepSpeedTag = 'checkpoint';

export const lightning = directoryLayout(
  'lightning',
  (listing) => {
    if (listing.has('meta.pt') && listing.has('.metadata')) return 0.95;
    return tagDirectories(listing).has(deepSpeedTag) ? 0.93 : 0;
  },
  (result, listing) => {
    const { parts } = result;
    parts.framework = { name: 'lightning', version: null };
    parts.step = stepIn(parts.objects);
    describeDict(parts);
    const path = pickledRoots(parts.objects).keys().next().value;
    const named = { name: listing.rootName, path: path ?? '', step: parts.step };
    if (path !== undefined) appendAll(parts.findings, findOtherLightningStep(named, parts.framework.version));
    if (describeDeepSpeed(result) !== undefined) return;
    parts.topology = { ...parts.topology, worldSize: worldSizeOf(parts) };
    noteReshard(result);
  },
  lightningOwnRoles,
);

function describeDict(parts: Parts): void {
  for (const root of pickledRoots(parts.objects).values()) {
    const dict = torchDictOf(root);
    if (dict?.layout !== 'lightning') continue;
    parts.framework = { name: dict.framework, version: dict.version };
    parts.step = dict.step ?? parts.step;
    if (dict.expected !== undefined) parts.expected = dict.expected;
    return;
  }
}
