import type { Hooks } from '../app/platform.js';
import { FormatError } from '../core/bytes/formatError.js';
import type { TensorTable } from '../core/tensors/tensorTable.js';
import type { ValuesChoice } from '../core/values/planValues.js';
import type { ValuesProgress, ValuesReport } from '../core/values/valuesReport.js';
import type { ReadingProgress } from '../protocol/messages.js';
import type { RpcHandlers } from '../protocol/rpc.js';
import type { InspectorRequests } from './inspector.js';
import { throttle } from './throttle.js';

const progressIntervalMs = 50;

/** The tensors of a finished inspection, and the files that they are in. */
export interface FinishedTensors {
  table: TensorTable;
  files: readonly { path: string }[];
}

/** Reads values of what an inspector inspects. */
export interface ValuesReader {
  /** @throws FormatError `cancelled`, `io` */
  read(tensors: FinishedTensors, choice: ValuesChoice, hooks: Hooks<ValuesProgress>): Promise<ValuesReport>;
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
): RpcHandlers<Pick<InspectorRequests, 'tensorValues'>> {
  const here = (): ValuesReader => {
    if (reader === null) throw new FormatError('unsupported', 'values are not read in a browser');
    return reader;
  };
  const read = (choice: ValuesChoice, signal: AbortSignal): Promise<ValuesReport> => {
    const send = throttle(sendProgress, progressIntervalMs);
    const onProgress = (progress: ValuesProgress): void => send({ row: choice.row ?? null, ...progress });
    return here().read(finished(), choice, { signal, onProgress });
  };
  return {
    tensorValues: ({ row }, signal) => read({ row: rowIn(finished(), row) }, signal),
  };
}

/** @throws FormatError `unsupported` for a row that the table does not have */
function rowIn({ table }: FinishedTensors, row: number): number {
  if (Number.isInteger(row) && row >= 0 && row < table.size) return row;
  throw new FormatError('unsupported', `there is no tensor ${row}`);
}
