import type { FoundPiece, FoundTensor } from '../formats/sink/fileSink.js';
import type { ComponentId, TensorPart } from '../tensors/component.js';
import type { TensorTable } from '../tensors/tensorTable.js';

interface Gathered {
  tensor: FoundTensor;
  component: ComponentId;
  part: TensorPart;
  pieces: (FoundPiece & { file: number })[];
}

/**
 * Puts the ranks' files together: a tensor whose shards lie in several files is one tensor with its global shape, and one that
 * every rank repeats is one tensor with several pieces.
 */
export class ShardedTensors {
  private readonly gathered = new Map<string, Gathered>();

  /** Adds one file's share. */
  add(scope: string, file: number, tensor: FoundTensor, component: ComponentId, part: TensorPart): void {
    // A thousand ranks with hundreds of tensors each come by here: no more than one string for each.
    const key = `${scope}\n${component}\n${tensor.dtype}\n${Array.from(tensor.shape).join()}\n${tensor.keyPath.join('\n')}`;
    const pieces = tensor.pieces.map((piece) => ({ file, ...piece }));
    const known = this.gathered.get(key);
    if (known === undefined) {
      this.gathered.set(key, { tensor, component, part, pieces });
      return;
    }
    // Placeholders take nothing, however many ranks have them.
    for (const piece of pieces) if (piece.bytes > 0) known.pieces.push(piece);
    // Shares of a sharded tensor sum up; what every rank repeats is one tensor of that size.
    if (tensor.isShard === true) known.tensor = { ...known.tensor, bytes: known.tensor.bytes + tensor.bytes };
  }

  /** Adds what was gathered to the table. */
  addTo(table: TensorTable): void {
    for (const { tensor, component, part, pieces } of this.gathered.values()) {
      table.add({ ...tensor, name: tensor.name ?? tensor.keyPath.join('.'), component, part });
      for (const piece of pieces) table.addPiece(piece.file, piece.offset, piece.bytes, piece.logicalBytes);
    }
  }
}

/** The rank in a file's name (`…_rank_3.pt`), or undefined for a file that is not one rank's. */
export function rankOfFile(name: string): number | undefined {
  const rank = /(?:^|[_.-])rank[_-]?(\d{1,7})(?=\D|$)/.exec(name)?.[1];
  return rank === undefined ? undefined : Number(rank);
}
