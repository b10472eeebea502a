import { datasetLayoutIds, type DatasetLayoutId } from '../../datasets/datasetReport.js';

/** What tells things apart that lie in one directory: a checkpoint, or a data set by its layout. */
export const partNames = ['checkpoint', ...datasetLayoutIds] as const;

export type PartName = (typeof partNames)[number];

/** @param layout of a data set whose files lie among those of other parts */
export function partNameOf({ layout }: { layout?: DatasetLayoutId }): PartName {
  return layout ?? 'checkpoint';
}
