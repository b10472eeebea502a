/** From what was counted to the report. */
import { appendAll } from '../bytes/appendAll.js';
import { describeFindings } from '../findings/describeFindings.js';
import type { Finding, FindingReport } from '../findings/finding.js';
import { bytesOfElements } from '../tensors/dtype.js';
import type { AbsentTensor, TensorTable } from '../tensors/tensorTable.js';
import { basisOf } from './accumulatorOf.js';
import { basisOfRow } from './basisOfRow.js';
import type { ValuesPlan } from './planValues.js';
import type { StoredSummary } from './readTask.js';
import { isOfMissingData } from './missingData.js';
import { rowFinder } from './scaled/rowFinder.js';
import type { FindRow } from './scaled/scaling.js';
import { indexInView } from './viewRuns.js';
import { isDamage, isTrainedMatrix } from './usualValues.js';
import type { ValuePlace } from './valueFeed.js';
import type { TensorNotRead, TensorValues, ValuePosition, ValuesReport } from './valuesReport.js';
import type { Sample } from './valueTask.js';

/** What a report is made of. */
export interface ReadValues {
  path: string;
  table: TensorTable;
  files: readonly { path: string }[];
  plan: ValuesPlan;
  results: readonly StoredSummary[];
  sample: Sample | undefined;
  /** What the inspection found. */
  inspected: readonly FindingReport[];
}

export function buildValuesReport(read: ReadValues): ValuesReport {
  const { path, table, plan, results, sample, inspected } = read;
  const byRow = new Map(results.map((result) => [result.row, result]));
  const find = rowFinder(table);
  const tensors: TensorValues[] = [];
  const notRead: TensorNotRead[] = plan.notRead.map(({ row, code, detail }) => ({ ...namedRow(table, row), code, detail }));
  appendAll(notRead, plan.absent.map(absentTensor));
  for (const [row, own] of plan.standsFor) {
    const result = byRow.get(own);
    if (result === undefined) continue;
    if (result.problem !== null) notRead.push({ ...namedRow(table, row), code: 'unreadable', detail: result.problem.detail });
    else tensors.push(valuesOfRow(read, row, result, find));
  }
  return {
    kind: 'values',
    schemaVersion: 2,
    path,
    tensors,
    notRead,
    findings: [
      ...inspected.filter(isOfMissingData),
      ...describeFindings([...unreadable(table, results), ...tensors.flatMap(findingOf)]),
    ],
    sample:
      sample === undefined
        ? null
        : {
            share: sample.share,
            seed: sample.seed,
            ofBytes: sumOf(results.filter(({ problem }) => problem === null).map(({ row }) => wantedBytes(table, row))),
          },
    bytesRead: sumOf(results.map(({ bytes }) => bytes)),
  };
}

function namedRow(table: TensorTable, row: number): Pick<TensorNotRead, 'name' | 'dtype' | 'bytes'> {
  return { name: table.nameOf(row), dtype: table.dtypeOf(row), bytes: table.bytesOf(row) };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** What a tensor has by its shape: of one with shares the table has the bytes that are here. */
function wantedBytes(table: TensorTable, row: number): number {
  return bytesOfElements(table.dtypeOf(row), table.elementsOf(row)) ?? table.bytesOf(row);
}

function absentTensor({ name, file }: AbsentTensor): TensorNotRead {
  return { name, dtype: '', bytes: 0, code: 'no-file', detail: file };
}

function valuesOfRow(
  { table, files, plan: { copies }, sample }: ReadValues,
  row: number,
  result: StoredSummary,
  find: FindRow,
): TensorValues {
  const { row: own, isScaled, summary, bytes, place } = result;
  const { count, nan, positiveInf, negativeInf, zeros, min, max } = summary;
  const dtype = table.dtypeOf(row);
  const inf = positiveInf + negativeInf;
  // A view may repeat elements, which are read once.
  const isView = table.extraOf(row)?.strides !== undefined;
  const wanted = wantedBytes(table, own);
  const isWhole = bytes >= wanted || (sample === undefined && isView);
  return {
    name: table.nameOf(row),
    dtype,
    shape: table.shapeOf(row),
    component: table.componentOf(row),
    path: pathOf(table, files, row),
    basis: isScaled ? 'values' : basisOfRow(table, row, find),
    ...summary,
    inf,
    allZero: count > 0 && zeros === count,
    allEqual: count > 0 && nan + inf === 0 && min === max,
    first: place === null ? null : positionOf(table, row, place, { areCopies: copies.has(own), isScaled }),
    sampled: isWhole ? null : { share: bytes / wanted, bytes },
    sameAs: own === row ? null : table.nameOf(own),
    copiesNotRead: copies.get(own) ?? 0,
  };
}

function pathOf(table: TensorTable, files: ReadValues['files'], row: number): string | null {
  const piece = table.firstPieceOf(row);
  return piece === table.endPieceOf(row) ? null : (files[table.pieceFile(piece)]?.path ?? null);
}

function positionOf(
  table: TensorTable,
  row: number,
  place: ValuePlace,
  { areCopies, isScaled }: { areCopies: boolean; isScaled: boolean },
): ValuePosition {
  const { path, offset, plainOffset, inUnit, unitBytes, unitElements } = place;
  const piece = table.firstPieceOf(row);
  // Shares of several files have no known order.
  const { strides, storageOffset = 0, inner } = table.extraOf(row) ?? {};
  const isShare = inner !== undefined && inner.length > 0;
  if (isShare || (table.endPieceOf(row) > piece + 1 && !areCopies)) return { index: null, path, offset };
  const isParts = basisOf(table.dtypeOf(row)) === 'parts';
  const elementsOfUnit = isParts ? 1 : unitElements;
  const start = table.pieceOffset(piece) + (storageOffset / elementsOfUnit) * unitBytes;
  // Of packed values the index is that of the byte that they are in.
  if (isScaled)
    return {
      index: indexInView(plainOffset - start + (inUnit >> 1), table.shapeOf(row), strides),
      path,
      offset: offset + (inUnit >> 1),
    };
  const element = ((plainOffset - start) / unitBytes) * elementsOfUnit + (isParts ? 0 : inUnit);
  return { index: indexInView(element, table.shapeOf(row), strides), path, offset };
}

function findingOf(tensor: TensorValues): Finding[] {
  const { name, dtype, shape, component, count, nan, inf, first, allZero, allEqual, min, sameAs, basis, sampled } = tensor;
  // One finding for all names of the same bytes.
  if (sameAs !== null) return [];
  if (first !== null && isDamage(name, component, tensor)) {
    const index = first.index === null ? '' : `[${first.index.join(', ')}]`;
    const facts = { tensor: name, index, nan, inf, count, component };
    return [{ code: 'values-not-finite', path: first.path, offset: first.offset, facts }];
  }
  if (!allEqual || basis === 'codes' || sampled !== null || !isTrainedMatrix(name, dtype, shape, component)) return [];
  if (allZero) return [{ code: 'values-all-zero', facts: { tensor: name, count } }];
  return [{ code: 'values-all-equal', facts: { tensor: name, value: Number(min ?? 0), count } }];
}

/** One for each place that cannot be read. */
function unreadable(table: TensorTable, results: readonly StoredSummary[]): Finding[] {
  const places = new Map<string, { first: StoredSummary; tensors: number }>();
  for (const result of results) {
    if (result.problem === null) continue;
    const { path, offset, detail } = result.problem;
    const key = `${path}\n${offset}\n${detail}`;
    const known = places.get(key);
    if (known === undefined) places.set(key, { first: result, tensors: 1 });
    else known.tensors += 1;
  }
  return [...places.values()].flatMap(({ first: { row, problem }, tensors }): Finding[] => {
    if (problem === null) return [];
    const { path, offset, detail } = problem;
    return [{ code: 'values-unreadable', path, offset, facts: { tensors, first: table.nameOf(row), detail } }];
  });
}
