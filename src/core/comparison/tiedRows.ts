/** Tensors that one side alone stores because they share their values with another one: a tied output embedding. */
import type { TensorTable } from '../tensors/tensorTable.js';
import type { TensorTie } from './comparisonReport.js';

/** Tied weights are few; beyond so many tensors of one side alone something else is the reason. */
const mostTied = 256;

const outputEmbedding = /(?:^|\.)(?:lm_head|output|embed_out|output_layer)\.weight$/;
const inputEmbedding = /(?:^|\.)(?:embed_tokens|wte|tok_embeddings|word_embeddings|embed_in|token_embd)\.weight$/;

/** What a row is tied to: the place of that tensor among those that both have. */
export interface TiedRow {
  pair: number;
  by: TensorTie['by'];
}

/**
 * Of `rows` those that share their bytes with one of `others`, and where the configs tie the embeddings the output embedding.
 * @param rows that one side alone has
 * @param others that both have
 */
export function tiedRows(
  table: TensorTable,
  rows: Uint32Array,
  others: Uint32Array,
  tiesEmbeddings: boolean,
): Map<number, TiedRow> {
  const tied = new Map<number, TiedRow>();
  if (rows.length === 0 || rows.length > mostTied) return tied;
  const places = new Map<string, number[]>();
  for (const row of rows) {
    const place = placeOf(table, row);
    if (place !== null) places.set(place, [...(places.get(place) ?? []), row]);
  }
  others.forEach((other, pair) => {
    const place = placeOf(table, other);
    for (const row of (place !== null && places.get(place)) || []) tied.set(row, { pair, by: 'storage' });
  });
  if (!tiesEmbeddings) return tied;
  const pair = others.findIndex((row) => inputEmbedding.test(table.nameOf(row)));
  if (pair === -1) return tied;
  const shape = table.shapeOf(others[pair] as number).join();
  for (const row of rows)
    if (!tied.has(row) && outputEmbedding.test(table.nameOf(row)) && table.shapeOf(row).join() === shape)
      tied.set(row, { pair, by: 'config' });
  return tied;
}

/** Where the only piece of a row is, with its shape: views of one storage are other tensors. */
function placeOf(table: TensorTable, row: number): string | null {
  const piece = table.firstPieceOf(row);
  if (table.endPieceOf(row) !== piece + 1 || table.pieceSize(piece) === 0) return null;
  const offset = table.extraOf(row)?.storageOffset ?? 0;
  return [table.pieceFile(piece), table.pieceOffset(piece), offset, ...table.shapeOf(row)].join(':');
}
