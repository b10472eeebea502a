import { byteKindLabels } from '../../src/core/pages/dataset/datasetWords.js';
import type { ByteKind } from '../../src/core/datasets/datasetReport.js';
import type { CollectionReport } from '../../src/core/inspection/collection/collectionReport.js';
import type { Report } from '../../src/core/inspection/report.js';
import { labelOfComponent } from '../../src/core/checkpoints/segments.js';
import type { ComponentId } from '../../src/core/tensors/component.js';
import { fillOf, type FillId } from '../shared/componentColor.js';

/** A file as the list shows it, of a checkpoint or of a dataset. */
export interface FileRow {
  path: string;
  bytes: number;
  format: string;
  role: string;
  link?: string;
  rank?: string;
  /** What its bytes are, the most first. Called for the rows in view. */
  parts(): { label: string; fill: FillId; bytes: number }[];
}

/** All files of a report. Parts are made when they are asked for: a report may have a hundred thousand files. */
export function fileRowsOf(report: Exclude<Report, CollectionReport>): FileRow[] {
  if (report.kind === 'dataset')
    return report.files.map((file) => ({
      ...file,
      parts: () => entriesOf<ByteKind>(file.kinds).map(([kind, bytes]) => ({ label: byteKindLabels[kind], fill: kind, bytes })),
    }));
  return report.files.map(({ path, bytes, format, role, link, rank, components }) => ({
    path,
    bytes,
    format,
    role,
    ...(link !== undefined && { link }),
    ...(rank !== undefined && { rank }),
    parts: () =>
      entriesOf<ComponentId>(components).map(([component, own]) => ({
        label: labelOfComponent(component),
        fill: fillOf(component),
        bytes: own,
      })),
  }));
}

function entriesOf<K extends string>(parts: Partial<Record<K, number>>): [K, number][] {
  return (Object.entries(parts) as [K, number][]).filter(([, bytes]) => bytes > 0).sort((a, b) => b[1] - a[1]);
}
