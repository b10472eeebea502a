import type { FilePart, Parts } from './parts.js';

/**
 * Into how many parts most bytes of the weights are cut, where ranks write parts of tensors (torch.distributed.checkpoint); null where they
 * are whole. Replicas write each part once, so that these are the ranks that share one copy.
 */
export function weightShards({ tensors, files }: Pick<Parts, 'tensors' | 'files'>): number | null {
  const isOfRanks = files.map(({ format }: FilePart) => format === 'distcp');
  if (!isOfRanks.includes(true)) return null;
  const bytesByParts = new Map<number, number>();
  for (let row = 0; row < tensors.size; row++) {
    const first = tensors.firstPieceOf(row);
    const parts = tensors.endPieceOf(row) - first;
    if (parts === 0 || tensors.componentOf(row) !== 'weights' || isOfRanks[tensors.pieceFile(first)] !== true) continue;
    bytesByParts.set(parts, (bytesByParts.get(parts) ?? 0) + tensors.bytesOf(row));
  }
  const [most] = [...bytesByParts].sort(([, a], [, b]) => b - a);
  return most === undefined || most[0] === 1 ? null : most[0];
}
