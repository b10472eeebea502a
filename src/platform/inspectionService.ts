import { describeDataset } from '../app/inspection/describeDataset.js';
import { tokenizerOf } from '../app/inspection/tokenizers.js';
import type { RunsPlace } from '../app/runs/listRuns.js';
import { FormatError } from '../core/bytes/formatError.js';
import type { ConfigSources } from '../core/configs/configAccess.js';
import type { FileTree } from '../core/files/fileTree.js';
import { inspect } from '../core/inspection/inspect.js';
import { writePlanFile } from '../core/planning/inputs/writePlanFile.js';
import { planOfReport } from '../core/planning/sources/planOfReport.js';
import type { Report } from '../core/inspection/report.js';
import { reportToJson } from '../core/inspection/reportJson.js';
import { renderMarkdown } from '../core/pages/reportMarkdown.js';
import type { TensorTable } from '../core/tensors/tensorTable.js';
import { TensorView } from '../core/tensors/tensorView.js';
import type { VerifyProgress } from '../core/verification/verifyTree.js';
import type { InspectionProgress, ReadingProgress } from '../protocol/messages.js';
import type { RpcHandlers } from '../protocol/rpc.js';
import type { InspectorRequests } from './inspector.js';
import { createPause } from './pause.js';
import { createRunsService } from './runsService.js';
import { throttle } from './throttle.js';
import { createValuesService, type ValuesReader } from './valuesService.js';
import { createVerificationService, type Verifier } from './verificationService.js';

const progressIntervalMs = 50;

/** What is inspected. */
interface InspectedPlace extends RunsPlace {
  /** What verifies its files; null where there is no way to. */
  verifier: Verifier | null;
  /** Adds to a report what logs beside its files have of them; null where files are reached through the editor. */
  noteLoggedChecks: ((tree: FileTree, report: Report, signal: AbortSignal) => Promise<void>) | null;
  /** Files that its configs name; null where there is no way to them. */
  configs: ConfigSources | null;
  /** What reads values of its tensors; null where nothing does. */
  values: ValuesReader | null;
}

/** Receives progress. */
interface Progress {
  inspected(progress: InspectionProgress): void;
  verified(progress: VerifyProgress): void;
  valuesRead(progress: ReadingProgress): void;
}

interface Finished {
  report: Report;
  table: TensorTable;
  tensors: TensorView;
}

/** Answers an inspector's requests: runs the inspection and keeps its tensors. */
export function createInspectionService(place: InspectedPlace, progress: Progress): RpcHandlers<InspectorRequests> {
  const { path } = place;
  let finished: Finished | undefined;
  const result = (): Finished => {
    if (finished === undefined) throw new FormatError('unsupported', 'the inspection has not finished');
    return finished;
  };
  return {
    async inspect({ allLengths, part, tokenizer }, signal) {
      finished = undefined;
      const onProgress = throttle((one: InspectionProgress) => progress.inspected(one), progressIntervalMs);
      const tree = await place.openTree();
      const { report, tensors: table } = await inspect(tree, {
        path,
        signal,
        onProgress,
        allLengths: allLengths === true,
        ...(part === undefined ? {} : { part }),
        ...(place.configs === null ? {} : { configs: place.configs }),
        pause: createPause(),
        ...(tokenizer === undefined ? {} : { tokenizer: tokenizerOf(tokenizer) }),
      });
      await place.noteLoggedChecks?.(tree, report, signal);
      finished = { report, table, tensors: new TensorView(table, filesOf(report)) };
      return report;
    },
    describeDataset: async ({ link }, signal) =>
      describeDataset(await place.openTree(), link, { path, signal, pause: createPause() }),
    tensorPage: ({ query, from, count }) => result().tensors.page(query, from, count),
    modulePage: ({ query, toggled, from, count }) => result().tensors.modulePage(query, toggled, from, count),
    tensorFacets: () => result().tensors.facets(),
    tensorDetail: ({ row }) => result().tensors.detail(row),
    exportTensors({ format, query }) {
      const { tensors } = result();
      return format === 'arrow' ? tensors.exportArrow(query) : new TextEncoder().encode(tensors.exportCsv(query));
    },
    markdown: () => renderMarkdown(result().report),
    json: () => reportToJson(result().report),
    plan: () => writePlanFile(planOfReport(result().report)),
    ...createVerificationService(place.verifier, (one) => progress.verified(one)),
    ...createValuesService(
      place.values,
      () => ({ table: result().table, files: filesOf(result().report), findings: result().report.findings }),
      (one) => progress.valuesRead(one),
    ),
    ...createRunsService(place),
  };
}

function filesOf(report: Report): readonly { path: string }[] {
  return report.kind === 'collection' ? [] : report.files;
}
