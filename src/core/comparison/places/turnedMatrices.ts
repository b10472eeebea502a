import type { TensorTable } from '../../tensors/tensorTable.js';

const fusedAttention = /(?:^|\.)attn\.c_attn\.weight$/;
const matrices = /(?:^|\.)(?:attn\.(?:c_attn|c_proj|q_attn)|mlp\.(?:c_fc|c_proj))\.weight$/;

/**
 * Rows of A whose matrices are turned in B under the same names: GPT-2 of transformers has them as [in, out] (transformers/pytorch_utils.py: Conv1D), nanoGPT
 * as [out, in]. The fused matrix of attention tells, as it has three times as many outputs as inputs.
 * @param partnerOf the row of B of each row of A; below 0 where there is none
 */
export function turnedRows(a: TensorTable, b: TensorTable, rows: Uint32Array, partnerOf: Int32Array): number[] {
  const attention = rows.find((row) => (partnerOf[row] as number) >= 0 && fusedAttention.test(a.nameOf(row)));
  if (attention === undefined) return [];
  const [own, other] = [outputAxis(a, attention), outputAxis(b, partnerOf[attention] as number)];
  if (own === null || other === null || own === other) return [];
  return [...rows].filter((row) => (partnerOf[row] as number) >= 0 && a.rankOf(row) === 2 && matrices.test(a.nameOf(row)));
}

/** Null for what is no such matrix. */
function outputAxis(table: TensorTable, row: number): 0 | 1 | null {
  const [rows = 0, columns = 0] = table.shapeOf(row);
  if (table.rankOf(row) !== 2 || rows === 0 || columns === 0) return null;
  return rows === 3 * columns ? 0 : columns === 3 * rows ? 1 : null;
}
