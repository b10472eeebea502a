/** What a report measured, as the beginning of a plan. */
import type { InputOrigin, PlanDocument, SavedCheckpoint } from '../inputs/planDocument.js';
import type { PlanInputs } from '../inputs/planInputs.js';
import type { MeasuredPart } from '../size/plannedSize.js';
import { pointsAt } from '../../checkpoints/runs/pointsAt.js';
import { limits } from '../../bytes/limits.js';
import { placeName } from '../../files/paths.js';
import type { CheckpointReport } from '../../checkpoints/checkpointReport.js';
import type { DatasetReport } from '../../datasets/datasetReport.js';
import { newestCheckpoint } from '../../checkpoints/newestCheckpoint.js';
import type { Report } from '../../inspection/report.js';
import { segmentsOf } from '../../checkpoints/segments.js';
import type { LayoutId } from '../../text/frameworkLabels.js';
import { isFramework, type FrameworkId } from '../settings/frameworkSettings.js';
import { documentOf, shortName, type PlanValues } from './documentOf.js';

/** Never throws; what the report does not know keeps its standard. Several things at once are no beginning of one plan. */
export function planOfReport(report: Report): PlanDocument {
  switch (report.kind) {
    case 'checkpoint':
      return planOfCheckpoint(report);
    case 'dataset':
      return planOfDataset(report);
    case 'collection':
      return documentOf(report.path, { kind: 'measured', text: shortName(placeName(report.path)) }, {});
  }
}

function planOfCheckpoint(report: CheckpointReport): PlanDocument {
  const { topology, parameters, run } = report;
  const newest = newestCheckpoint(run?.checkpoints ?? []);
  const parts = newest === null && hasTensors(report) ? partsOf(report) : [];
  return documentOf(
    report.path,
    { kind: 'measured', text: shortName(newest === null ? placeName(report.path) : newest.path) },
    {
      parameters: parameters.unique,
      checkpointBytes: hasTensors(report) ? (newest?.bytes ?? report.totalBytes) : null,
      ...sharingOf(topology.worldSize, topology),
      framework: frameworkOf(report),
      expertParallel: topology.expertParallel,
      ...shardingOf(topology),
    },
    { measured: parts, saved: savedOf(report) },
  );
}

/** By the layout, of the newest checkpoint where it is a run. */
function frameworkOf({ layout, run }: CheckpointReport): FrameworkId | null {
  return frameworkOfLayout(run === undefined ? layout : (newestCheckpoint(run.checkpoints)?.layout ?? layout));
}

/** Null for a layout that several programs write. */
export function frameworkOfLayout(layout: LayoutId): FrameworkId | null {
  if (layout === 'huggingface-trainer') return 'training-arguments';
  if (layout === 'megatron-distributed' || layout === 'megatron-legacy') return 'megatron';
  return isFramework(layout) ? layout : null;
}

function planOfDataset(report: DatasetReport): PlanDocument {
  const counted = report.tokens === null || report.tokens.count === 0 ? null : report.tokens.count;
  const origin: InputOrigin = { kind: 'measured', text: shortName(placeName(report.path)) };
  return documentOf(report.path, origin, { tokens: counted, bytesPerToken: report.bytesPerToken });
}

/** False for a folder that has a config and no checkpoint yet. */
export function hasTensors({ components }: CheckpointReport): boolean {
  return Object.values(components).some(({ tensorBytes }) => tensorBytes > 0);
}

interface Sharing {
  dataParallel: number | null;
  tensorParallel: number | null;
  pipelineParallel: number | null;
}

/** GPUs and how they share the model. Replicas follow from these, context parallel ones too, and so grow with a plan for more GPUs. */
export function sharingOf(
  ranks: number | null,
  { dataParallel, tensorParallel, pipelineParallel }: Sharing,
): Pick<PlanValues, 'gpus' | 'tensorParallel' | 'pipelineParallel'> {
  const product = dataParallel === null ? null : dataParallel * (tensorParallel ?? 1) * (pipelineParallel ?? 1);
  return { gpus: ranks ?? product, tensorParallel, pipelineParallel };
}

function partsOf(report: CheckpointReport): MeasuredPart[] {
  return segmentsOf(report).map(({ label, bytes, component }) => ({ label, bytes, isWeights: component === 'weights' }));
}

function savedOf({ run }: CheckpointReport): SavedCheckpoint[] {
  if (run === undefined) return [];
  const saves = run.checkpoints.filter(({ copyOf }) => copyOf === undefined);
  return saves.slice(-limits.planListItems).map(({ path, step, bytes, modified, finished }) => ({
    path: shortName(path),
    step,
    bytes,
    savedAtSeconds: modified === null ? null : Date.parse(modified) / 1000,
    isFinished: finished,
    isLatest: run.pointers.some(({ target }) => pointsAt(target, path)),
  }));
}

/**
 * By the stage that files tell; or where weights are cut into more parts than model-parallel ranks make, these are shared among data-parallel
 * ranks as in stage 3.
 */
function shardingOf({
  zeroStage,
  weightShards = 1,
  ...ranks
}: CheckpointReport['topology']): Pick<PlanValues, 'zeroStage' | 'shardDegree'> {
  if (zeroStage !== null) return { zeroStage: stageOf(zeroStage) };
  const degree = Math.floor(weightShards / ((ranks.tensorParallel ?? 1) * (ranks.expertParallel ?? 1)));
  if (degree < 2) return {};
  const isOfAll =
    ranks.worldSize === null || degree * (ranks.pipelineParallel ?? 1) * (ranks.tensorParallel ?? 1) >= ranks.worldSize;
  return { zeroStage: '3', ...(isOfAll ? {} : { shardDegree: degree }) };
}

function stageOf(stage: number | null): PlanInputs['zeroStage'] | null {
  return stage === 0 || stage === 1 || stage === 2 || stage === 3 ? (`${stage}` as const) : null;
}
