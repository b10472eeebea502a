import type { CheckpointReport } from '../checkpoints/checkpointReport.js';
import { baseName } from '../files/paths.js';
import type { FileTree } from '../files/fileTree.js';
import type { TensorTable } from '../tensors/tensorTable.js';
import type { ComparedSide } from './comparisonReport.js';

/** One side: an inspected checkpoint, and the files that it is of. */
export interface ComparedCheckpoint {
  report: CheckpointReport;
  table: TensorTable;
  /** Its files by the paths in the report. What is read through it is counted. */
  tree: Pick<FileTree, 'open'>;
  /** What was opened for it, and where its files are there: of a run's checkpoint below its directory. */
  opened: { path: string; tree: FileTree; place: (path: string) => string };
  /** The run that it was chosen of; null for a checkpoint that was named itself. */
  run: ComparedRun | null;
}

export interface ComparedRun {
  report: CheckpointReport;
  /** Inspects another checkpoint of it by its path there. @throws FormatError as an inspection */
  inspectMember: (path: string) => Promise<CheckpointReport>;
}

export type SideName = 'a' | 'b';

/** Whether both were written by one framework, so that names of tensors, settings and files mean the same. */
export function areOfOneKind(a: CheckpointReport, b: CheckpointReport): boolean {
  return a.layout === b.layout || a.framework.name === b.framework.name;
}

/** Whether a single file was named, and not its directory. */
export function isFile({ path, files }: Pick<CheckpointReport, 'path' | 'files'>): boolean {
  const [only] = files;
  return (
    files.length === 1 && only !== undefined && !only.path.includes('/') && baseName(path.replaceAll('\\', '/')) === only.path
  );
}

export function sideOf({ report }: ComparedCheckpoint): ComparedSide {
  const { path, layout, framework, step, totalBytes, parameters, files, topology, resume } = report;
  const { stored, unique } = parameters;
  return {
    path,
    isFile: isFile(report),
    layout,
    framework,
    step,
    totalBytes,
    parameters: { stored, unique },
    files: files.length,
    topology,
    resume: resume.verdict,
  };
}
