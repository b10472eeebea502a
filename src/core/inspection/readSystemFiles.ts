/** Adds files that operating systems put beside others to the report of a checkpoint: their bytes count, and nothing follows from their names. */
import { buildReport } from '../checkpoints/buildReport.js';
import type { CheckpointReport } from '../checkpoints/checkpointReport.js';
import { importsCut, sumImports } from '../formats/pickle/imports/importList.js';
import type { ReadContext } from '../checkpoints/reading/readContext.js';
import { nameTensors } from '../checkpoints/tensorScopes.js';
import type { FileEntry } from '../files/fileTree.js';
import { Listing } from '../files/listing.js';
import { describeFinding, limitFindings } from '../findings/describeFindings.js';
import { unknownLayout } from '../frameworks/looseFiles/layout.js';
import type { TensorTable } from '../tensors/tensorTable.js';
import { sumChecks, sumComponents } from './runs/sumReports.js';

interface ReadCheckpoint {
  report: CheckpointReport;
  tensors: TensorTable;
}

/**
 * The report with these files at its end. They are read all the same, as one may be a pickle.
 * @param entries files of the directory that the report is about and does not list
 */
export async function withSystemFiles(
  context: ReadContext,
  entries: readonly FileEntry[],
  { report, tensors }: ReadCheckpoint,
): Promise<ReadCheckpoint> {
  const result = await unknownLayout.read({ ...context, entries }, new Listing(context.tree.rootName, entries));
  const own = await buildReport(result, '', context.counter, { ...nameTensors(result.parts), pairs: [] });
  tensors.append(result.parts.tensors, report.files.length);
  const both = [report, own];
  const { imports, hasMore } = sumImports(both.map(({ pickleImports }) => pickleImports));
  return {
    report: {
      ...report,
      totalBytes: report.totalBytes + own.totalBytes,
      components: sumComponents(both),
      files: [...report.files, ...own.files],
      tensorCount: report.tensorCount + own.tensorCount,
      findings: limitFindings([
        ...(hasMore ? [describeFinding(importsCut)] : []),
        ...report.findings,
        ...own.findings.filter(({ code }) => code !== 'layout-unknown' && code !== 'nothing-here'),
      ]),
      checks: sumChecks(both),
      pickleImports: imports,
      io: own.io,
    },
    tensors,
  };
}
