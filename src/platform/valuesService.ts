import type { Hooks } from '../app/platform.js';
import type { GridChoice } from '../app/values/sliceOfTable.js';
import { FormatError } from '../core/bytes/formatError.js';
import type { FindingReport } from '../core/findings/finding.js';
import type { HeatMap } from '../core/pages/values/heatMap.js';
import type { ScannedValues } from '../core/pages/values/scannedValues.js';
import { mostGridColumns, mostGridRows, type SliceGrid } from '../core/pages/values/sliceGrid.js';
import type { TensorTable } from '../core/tensors/tensorTable.js';
import type { ValuesChoice } from '../core/values/planValues.js';
import type { ValuesProgress, ValuesReport } from '../core/values/valuesReport.js';
import type { NoSlice, ReadingProgress } from '../protocol/messages.js';
import type { RpcHandlers } from '../protocol/rpc.js';
import type { InspectorRequests } from './inspector.js';
import { throttle } from './throttle.js';

const progressIntervalMs = 50;

/** The tensors of a finished inspection, and the files that they are in. */
export interface FinishedTensors {
  table: TensorTable;
  files: readonly { path: string }[];
  /** What the inspection found. */
  findings: readonly FindingReport[];
}

/** Reads values of what an inspector inspects. */
export interface ValuesReader {
  /** @throws FormatError `cancelled`, `io` */
  read(tensors: FinishedTensors, choice: ValuesChoice, hooks: Hooks<ValuesProgress>): Promise<ValuesReport>;
  /** The same of all tensors, entered into the log beside them. @throws FormatError as `read` */
  readAndLog(tensors: FinishedTensors, hooks: Hooks<ValuesProgress>): Promise<ValuesReport>;
  /** What a scan of all tensors found, for the panel and as Markdown. */
  page(report: ValuesReport): { scanned: ScannedValues; markdown: string };
  /** @throws FormatError as `gridOfRow` */
  grid(tensors: FinishedTensors, choice: GridChoice, signal: AbortSignal): Promise<SliceGrid | NoSlice>;
  /** @throws FormatError as `heatMapOfRow` */
  heatMap(
    tensors: FinishedTensors,
    choice: Omit<GridChoice, 'rows' | 'columns'>,
    signal: AbortSignal,
  ): Promise<HeatMap | NoSlice>;
}

/**
 * Answers an inspector's requests for values of the tensors that it inspected.
 * @param reader null where nothing reads them: in a browser
 * @param finished throws FormatError `unsupported` while nothing is inspected
 */
export function createValuesService(
  reader: ValuesReader | null,
  finished: () => FinishedTensors,
  sendProgress: (progress: ReadingProgress) => void,
): RpcHandlers<Pick<InspectorRequests, 'tensorValues' | 'tensorGrid' | 'tensorHeatMap' | 'scanValues' | 'valuesMarkdown'>> {
  const here = (): ValuesReader => {
    if (reader === null) throw new FormatError('unsupported', 'values are not read in a browser');
    return reader;
  };
  const hooksOf = (row: number | null, signal: AbortSignal): Hooks<ValuesProgress> => {
    const send = throttle(sendProgress, progressIntervalMs);
    return { signal, onProgress: (progress) => send({ row, ...progress }) };
  };
  let last: string | undefined;
  return {
    async scanValues({ log }, signal) {
      last = undefined;
      const hooks = hooksOf(null, signal);
      const report = await (log ? here().readAndLog(finished(), hooks) : here().read(finished(), {}, hooks));
      const { scanned, markdown } = here().page(report);
      last = markdown;
      return scanned;
    },
    valuesMarkdown() {
      if (last === undefined) throw new FormatError('unsupported', 'no values were read');
      return last;
    },
    tensorValues: ({ row }, signal) => here().read(finished(), { row: rowIn(finished(), row) }, hooksOf(row, signal)),
    tensorGrid({ row, index, rows, columns }, signal) {
      rowIn(finished(), row);
      const [most, wide] = [Math.min(rows, mostGridRows), Math.min(columns, mostGridColumns)];
      return here().grid(finished(), { row, index, rows: most, columns: wide }, signal);
    },
    tensorHeatMap({ row, index }, signal) {
      rowIn(finished(), row);
      return here().heatMap(finished(), { row, index }, signal);
    },
  };
}

/** @throws FormatError `unsupported` for a row that the table does not have */
function rowIn({ table }: FinishedTensors, row: number): number {
  if (Number.isInteger(row) && row >= 0 && row < table.size) return row;
  throw new FormatError('unsupported', `there is no tensor ${row}`);
}
