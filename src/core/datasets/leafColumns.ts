/** Columns of tables (Arrow, Parquet) as shards have them. */
import type { ColumnRole } from './datasetReport.js';
import { roleOfColumn, settleRoles, type ColumnShape } from './columnRole.js';
import type { ShardColumn } from './datasetParts.js';

/** A leaf of a table's schema, with its sums over a file. */
export interface LeafColumn {
  name: string;
  type: string;
  dtype: string | null;
  content: 'integers' | 'text' | 'bytes' | 'other';
  listDepth: number;
  values: number | null;
  bytes: number | null;
  logicalBytes: number | null;
}

interface Settled {
  leaf: LeafColumn;
  name: string;
  shape: ColumnShape;
  role: ColumnRole;
}

/** Gives each leaf its role; the result is in the order of the leaves. */
export function toShardColumns(leaves: readonly LeafColumn[]): ShardColumn[] {
  const columns = leaves.map((leaf): Settled => {
    const shape = shapeOf(leaf);
    // Integers in lists of lists, or in structs, are tokens only where they are called so: images, positions of answers.
    const isPlain = shape !== 'integers' || (leaf.listDepth === 1 && !leaf.name.includes('.'));
    return { leaf, name: leaf.name, shape: isPlain ? shape : 'other', role: roleOfColumn(leaf.name, shape) };
  });
  settleRoles(columns);
  return columns.map(({ leaf: { name, type, dtype, values, bytes, logicalBytes }, role }) => ({
    name,
    type,
    dtype,
    role,
    values,
    bytes,
    logicalBytes,
  }));
}

function shapeOf({ content, listDepth }: LeafColumn): ColumnShape {
  return content === 'integers' && listDepth === 0 ? 'other' : content;
}

/** Values of the token columns; null without such a column, or where one of them does not say. */
export function tokensOfColumns(columns: readonly ShardColumn[]): number | null {
  const tokens = columns.filter(({ role }) => role === 'tokens');
  if (tokens.length === 0 || tokens.some(({ values }) => values === null)) return null;
  return tokens.reduce((sum, { values }) => sum + (values ?? 0), 0);
}
