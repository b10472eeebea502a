/** Which tensors of two optimizers are the same state, so that their values can be compared. */
import { NameIndex } from '../tensors/nameIndex.js';
import type { TensorTable } from '../tensors/tensorTable.js';
import { counted } from '../text/quantities.js';
import { canonicalName } from './canonicalName.js';
import type { ComparedCheckpoint } from './comparedCheckpoint.js';
import type { ComparisonReport, NotCompared, Sides } from './comparisonReport.js';
import { matchNames } from './matchNames.js';
import { compareTopology } from './settingDifferences.js';

export interface OptimizerMatch {
  /** Rows of A and of B, in the order of A. */
  pairs: Sides<Uint32Array>;
  notCompared: NotCompared[];
}

/**
 * By name, and by the parameter where both state it. Names that the files of several ranks have are matched in their order where both jobs had one size.
 * @param of which tensors stand for the model on each side: master weights that do are no state here
 */
export function matchOptimizers(
  a: ComparedCheckpoint,
  b: ComparedCheckpoint,
  { of }: Pick<ComparisonReport['tensors'], 'of'>,
): OptimizerMatch {
  const [own, other] = [stateRows(a.table, of.a), stateRows(b.table, of.b)];
  const none = new Uint32Array(0);
  const nothing = (side: NotCompared['side'], reason: string): OptimizerMatch => ({
    pairs: { a: none, b: none },
    notCompared: [{ what: 'optimizer', side, reason }],
  });
  const [hasA, hasB] = [a, b].map(({ report }) => report.components.optimizer !== undefined);
  if (hasA !== true || hasB !== true) return { pairs: { a: none, b: none }, notCompared: [] };
  if (own.length === 0 || other.length === 0)
    return nothing(
      own.length > 0 ? 'b' : other.length > 0 ? 'a' : null,
      'The values of its state are in no tensors that are read.',
    );
  const areShares = haveCopies(a.table, own) || haveCopies(b.table, other);
  if (areShares && compareTopology(a.report, b.report).length > 0)
    return nothing(null, 'Ranks of both jobs have other shares of its state.');
  const { ofA } = matchNames({ table: a.table, rows: own }, { table: b.table, rows: other });
  const rows = own.filter((row) => {
    const partner = ofA[row] as number;
    return partner !== -1 && areOfOneParameter(a.table, row, b.table, partner);
  });
  const left = Math.max(own.length, other.length) - rows.length;
  const reason = `${counted(left, 'tensor')} of its state ${left === 1 ? 'has' : 'have'} no tensor of that name on the other side.`;
  return {
    pairs: { a: rows, b: rows.map((row) => ofA[row] as number) },
    notCompared: left === 0 ? [] : [{ what: 'optimizer', side: null, reason }],
  };
}

function stateRows(table: TensorTable, model: ComparisonReport['tensors']['of']['a']): Uint32Array {
  const rows = new Uint32Array(table.size);
  let count = 0;
  for (let row = 0; row < table.size; row++) {
    const component = table.componentOf(row);
    if (component === 'optimizer' || (component === 'masterWeights' && model === 'weights')) rows[count++] = row;
  }
  return rows.slice(0, count);
}

/** Whether a name is there twice, as where each rank has a share. */
function haveCopies(table: TensorTable, rows: Uint32Array): boolean {
  const isOne = new Uint8Array(table.size);
  for (const row of rows) isOne[row] = 1;
  return new NameIndex(table, (row) => (isOne[row] === 1 ? 0 : row + 1)).hasCopies;
}

function areOfOneParameter(a: TensorTable, row: number, b: TensorTable, other: number): boolean {
  const [own, theirs] = [a.extraOf(row)?.parameter, b.extraOf(other)?.parameter];
  return own === undefined || theirs === undefined || canonicalName(own) === canonicalName(theirs);
}
