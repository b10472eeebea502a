import { datasetLayoutIds, type DatasetLayoutId } from '../../datasets/datasetReport.js';

/** What tells things apart that lie in one directory: a checkpoint, a distributed one among the files of another, or a data set by its layout. */
export const partNames = ['checkpoint', 'torch-distributed', ...datasetLayoutIds] as const;

export type PartName = (typeof partNames)[number];

/** @param layout of a data set whose files lie among those of other parts */
export function partNameOf({ layout, name }: { layout?: DatasetLayoutId; name?: PartName }): PartName {
  return layout ?? name ?? 'checkpoint';
}
