import { FormatError } from '../core/bytes/formatError.js';
import { type TokenizerFile, parseTokenizerFile } from '../core/datasets/tokenizerFile.js';
import type { FileTree } from '../core/files/fileTree.js';
import { inspect } from '../core/inspection/inspect.js';
import { writePlanFile } from '../core/planning/inputs/planFile.js';
import { planOfReport } from '../core/planning/sources/planOfReport.js';
import type { Report } from '../core/inspection/report.js';
import { reportToJson } from '../core/inspection/reportJson.js';
import { datasetHover } from '../core/pages/dataset/datasetHover.js';
import { renderMarkdown } from '../core/pages/reportMarkdown.js';
import { TensorView } from '../core/tensors/tensorView.js';
import type { InspectionProgress } from '../protocol/messages.js';
import type { RpcHandlers } from '../protocol/rpc.js';
import type { ChosenTokenizer, InspectorRequests } from './inspector.js';
import { createPause } from './pause.js';
import { throttle } from './throttle.js';

const progressIntervalMs = 50;

/** A hover does not wait for more: raw text in a dataset that has an index is looked at in a few places only. */
const hoverSampling = { windows: 16, wholeBytes: 256 * 1024, milliseconds: 300 };

/**
 * Answers an inspector's requests: runs the inspection and keeps its tensors.
 * @param path what to call the inspected path in the report
 */
export function createInspectionService(
  openTree: () => Promise<FileTree>,
  path: string,
  sendProgress: (progress: InspectionProgress) => void,
): RpcHandlers<InspectorRequests> {
  let finished: { report: Report; tensors: TensorView } | undefined;
  const result = (): { report: Report; tensors: TensorView } => {
    if (finished === undefined) throw new FormatError('unsupported', 'the inspection has not finished');
    return finished;
  };
  return {
    async inspect({ allLengths, tokenizer }, signal) {
      finished = undefined;
      const onProgress = throttle(sendProgress, progressIntervalMs);
      const { report, tensors } = await inspect(await openTree(), {
        path,
        signal,
        onProgress,
        allLengths: allLengths === true,
        pause: createPause(),
        ...(tokenizer === undefined ? {} : { tokenizer: parsed(tokenizer) }),
      });
      finished = { report, tensors: new TensorView(tensors, report.files) };
      return report;
    },
    async describeDataset({ link }, signal) {
      const { report } = await inspect(await openTree(), { path, signal, sampling: hoverSampling, pause: createPause() });
      return report.kind === 'dataset' ? datasetHover(report, link) : null;
    },
    tensorPage: ({ query, from, count }) => result().tensors.page(query, from, count),
    tensorFacets: () => result().tensors.facets(),
    tensorDetail: ({ row }) => result().tensors.detail(row),
    exportTensors({ format, query }) {
      const { tensors } = result();
      return format === 'arrow' ? tensors.exportArrow(query) : new TextEncoder().encode(tensors.exportCsv(query));
    },
    markdown: () => renderMarkdown(result().report),
    json: () => reportToJson(result().report),
    plan: () => writePlanFile(planOfReport(result().report)),
  };
}

/** What is no tokenizer takes no report away: without a vocabulary nothing is tokenized, and the report says so. */
function parsed({ path, bytes }: ChosenTokenizer): TokenizerFile {
  try {
    return parseTokenizerFile(path, bytes);
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    return { path, root: null };
  }
}
