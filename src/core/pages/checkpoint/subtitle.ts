import type { CheckpointReport } from '../../checkpoints/checkpointReport.js';
import { layoutLabels } from '../../text/frameworkLabels.js';
import { revisionInWords } from '../../text/hubRevision.js';
import { counted } from '../../text/quantities.js';
import { formatCount } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';

/** `Hugging Face Trainer · transformers 4.57.1 · step 1,000 · 8 ranks · ZeRO stage 2 · tensor parallel 2`. */
export function subtitleOf(report: CheckpointReport): string {
  const { framework, layout, step, topology, run, revision } = report;
  // Files without a layout of their own are called by their format.
  const label = layout === 'unknown' && framework.name !== 'unknown' ? visibleText(framework.name) : layoutLabels[layout];
  const parts = [label, ...(run === undefined ? [] : oneLayoutOf(run))];
  if (revision !== undefined) parts.push(revisionInWords(revision));
  if (framework.version !== null) parts.push(visibleText(`${framework.name} ${framework.version}`));
  if (step !== null) parts.push(`step ${formatCount(step)}`);
  if (topology.worldSize !== null && topology.worldSize > 1) parts.push(counted(topology.worldSize, 'rank'));
  if (topology.zeroStage !== null && topology.zeroStage > 0) parts.push(`ZeRO stage ${topology.zeroStage}`);
  for (const [name, size] of [
    ['tensor', topology.tensorParallel],
    ['pipeline', topology.pipelineParallel],
    ['expert', topology.expertParallel],
  ] as const) {
    if (size !== null && size > 1) parts.push(`${name} parallel ${formatCount(size)}`);
  }
  return parts.join(' · ');
}

/** What all checkpoints of a run are, where they are all of one layout. */
function oneLayoutOf({ checkpoints }: NonNullable<CheckpointReport['run']>): string[] {
  const layouts = new Set(checkpoints.map(({ layout }) => layout));
  return layouts.size === 1 ? [...layouts].map((layout) => layoutLabels[layout]) : [];
}
