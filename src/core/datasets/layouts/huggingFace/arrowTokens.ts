/** Stored tokens of Arrow files: where some of them may be looked at, and how long rows are. */
import { limits } from '../../../bytes/limits.js';
import type { ArrowSchema } from '../../../formats/arrow/arrowSchema.js';
import { listLengthBytes, readListLengths } from '../../../formats/arrow/listLengths.js';
import type { DatasetAccess } from '../../datasetLayout.js';
import { toShardColumns, tokensOfColumns } from '../../leafColumns.js';
import { fixedLengths, LengthCounter } from '../../lengthHistogram.js';
import type { NumberSpan } from '../../sampleTokens.js';
import type { ArrowShard } from './arrowShard.js';

/** Columns of one file that are looked at: prompts, chosen and rejected answers have tokens and a mask each. */
const MAX_PLACED = 16;

/** Masks whose zeros are padding; those of losses, completions or special tokens have zeros for other reasons. */
const attentionName = /(^|[._])attention_mask$/i;

/** Columns whose values are looked at: tokens, and the masks that say what is padding. */
export function placedColumns({ columns }: ArrowSchema): number[] {
  const leaves = columns.map((column) => ({ ...column, values: null, bytes: null, logicalBytes: null }));
  const placed: number[] = [];
  toShardColumns(leaves).forEach(({ name, role }, index) => {
    if (placed.length < MAX_PLACED && spanRole(name, role) !== undefined) placed.push(index);
  });
  return placed;
}

function spanRole(name: string, role: string): NumberSpan['role'] | undefined {
  if (role === 'tokens') return 'tokens';
  return role === 'mask' && attentionName.test(name) ? 'mask' : undefined;
}

export function addSpans({ contents, shard }: ArrowShard, access: DatasetAccess): void {
  shard.columns.forEach(({ name, role, dtype }, index) => {
    const spans = spanRole(name, role);
    if (spans === undefined || dtype === null) return;
    for (const { offset, bytes } of contents.places.of(index))
      access.span({ path: shard.path, offset, bytes, dtype, role: spans });
  });
}

/**
 * Lengths of rows. Those of lists of fixed size are in the schema; those of others are offsets between the values, which are read
 * where they are small for the whole dataset, or on request.
 */
export async function addLengths(files: readonly ArrowShard[], access: DatasetAccess): Promise<void> {
  const varying: VaryingLengths[] = [];
  let bytes = 0;
  let reads = 0;
  for (const file of files) {
    const column = file.shard.columns.findIndex(({ role }) => role === 'tokens');
    if (column < 0 || file.contents.rows === 0 || addFixed(file, column, access)) continue;
    const own = listLengthBytes(file.contents, column);
    if (own === undefined) noteUnread(file, column, access);
    else {
      varying.push({ file, column });
      bytes += own;
      reads += file.contents.batchOffsets.length;
    }
  }
  if (access.options.allLengths || (bytes <= limits.lengthsBytes && reads <= limits.lengthsReads)) await readAll(varying, access);
  else access.lengthsOnRequest('rows');
}

interface VaryingLengths {
  file: ArrowShard;
  column: number;
}

/** Rows of lists of fixed size are all of one length, if none is null. */
function addFixed({ contents }: ArrowShard, index: number, access: DatasetAccess): boolean {
  const column = contents.schema.columns[index];
  if (column?.rowValues == null || column.listDepth === 0) return false;
  const values = contents.columns[index]?.values ?? 0;
  if (values === column.rowValues * contents.rows) access.lengths(fixedLengths('row', contents.rows, column.rowValues));
  return true;
}

function noteUnread({ contents, shard }: ArrowShard, column: number, access: DatasetAccess): void {
  const { compression, schema } = contents;
  if (compression !== null && (schema.columns[column]?.listDepth ?? 0) > 0)
    access.notDone(`lengths of rows of ${shard.columns[column]?.name}: the record batches are compressed (${compression})`);
}

async function readAll(varying: readonly VaryingLengths[], access: DatasetAccess): Promise<void> {
  const emptyIn: string[] = [];
  let empty = 0;
  let total = 0;
  const byPath = new Map(varying.map((each) => [each.file.shard.path, each]));
  await access.each([...byPath.keys()], async (path, turn) => {
    const { file, column } = byPath.get(path) as VaryingLengths;
    const counter = new LengthCounter();
    await access.withSource(path, (source) =>
      readListLengths(source, file.contents, column, (length) => counter.add(length), access.signal),
    );
    await turn();
    const histogram = counter.histogram('row');
    if (histogram !== null) access.lengths(histogram);
    if (counter.empty > 0) emptyIn.push(path);
    empty += counter.empty;
    total += file.contents.rows;
    settleValues(file, column, counter.total);
  });
  const [first, ...others] = emptyIn;
  if (first === undefined) return;
  const path = others.length === 0 ? { path: first } : {};
  access.finding({ code: 'documents-empty', ...path, facts: { count: empty, total, unit: 'rows' } });
}

/** What no list points to is no token: writers may keep what a slice left out; of views only their sizes tell. */
function settleValues({ contents, shard }: ArrowShard, index: number, values: number): void {
  const column = shard.columns[index];
  const nulls = contents.columns[index]?.nulls ?? 0;
  // Which lists of views hold the nulls is not in the sizes.
  if (column === undefined || (column.values === null && nulls > 0)) return;
  column.values = Math.max(0, values - nulls);
  shard.tokens = tokensOfColumns(shard.columns);
}
