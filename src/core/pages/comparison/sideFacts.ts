import type { ComparedSide } from '../../comparison/comparisonReport.js';
import { layoutLabels } from '../../text/frameworkLabels.js';
import { counted } from '../../text/quantities.js';
import { formatBytes, formatCount } from '../../text/units.js';
import { verdictWords } from '../checkpoint/checkpointWords.js';

/** `Hugging Face Trainer · step 1,000 · 128 GB in 24 files · 8 ranks · resume: complete`: what a side is, in a line. */
export function sideFacts({ layout, step, totalBytes, files, topology, resume }: ComparedSide): string {
  const { worldSize } = topology;
  return [
    layoutLabels[layout],
    ...(step === null ? [] : [`step ${formatCount(step)}`]),
    `${formatBytes(totalBytes)} in ${counted(files, 'file')}`,
    ...(worldSize === null || worldSize === 1 ? [] : [counted(worldSize, 'rank')]),
    `resume: ${verdictWords[resume]}`,
  ].join(' · ');
}
