/** Which part of a model a file of Megatron before distributed checkpoints has: each rank saves its own layers and its own shards. */
import type { TensorTable } from '../../tensors/tensorTable.js';
import type { SidePlaces } from './sidePlaces.js';

/** What files are of, by the names that their ranks have in the report: `tp 0 · pp 1`. Undefined for a file of no rank. */
export type RankNames = readonly (string | undefined)[];

const part = /\b(tp|pp) (\d{1,6})\b/g;

export class ModelRanks {
  /** Of each file the tensor-parallel rank and the pipeline stage, 0 where none is known. */
  private readonly ofFile: readonly { tp: number; pp: number }[];
  readonly areSeveral: boolean;

  constructor(
    private readonly table: TensorTable,
    names: RankNames,
  ) {
    this.ofFile = names.map((name = '') => ({ tp: 0, pp: 0, ...Object.fromEntries(numbersOf(name)) }));
    this.areSeveral = this.ofFile.some(({ tp, pp }) => tp + pp > 0);
  }

  tensorRankOf(row: number): number {
    return this.rankOf(row)?.tp ?? 0;
  }

  /** How many layers the stages have before that of a row, whose numbers begin at 0 in each. */
  layersBefore({ rows, patterns, places }: SidePlaces): (row: number) => number {
    const layers: number[] = [];
    if (this.areSeveral)
      for (let at = 0; at < rows.length; at++) {
        const place = places[patterns.patternOf[at] as number];
        if (place === null || place === undefined || !place.names.some((name) => name.includes('.N.'))) continue;
        const stage = this.rankOf(rows[at] as number)?.pp ?? 0;
        const [layer = -1] = patterns.numbersAt(at);
        layers[stage] = Math.max(layers[stage] ?? 0, layer + 1);
      }
    const before: number[] = [];
    let sum = 0;
    for (let stage = 0; stage < layers.length; stage++) {
      before.push(sum);
      sum += layers[stage] ?? 0;
    }
    return (row) => before[this.rankOf(row)?.pp ?? 0] ?? 0;
  }

  private rankOf(row: number): { tp: number; pp: number } | undefined {
    const piece = this.table.firstPieceOf(row);
    return this.areSeveral && piece < this.table.endPieceOf(row) ? this.ofFile[this.table.pieceFile(piece)] : undefined;
  }
}

function numbersOf(name: string): [string, number][] {
  return [...name.matchAll(part)].map(([, kind = '', number]) => [kind, Number(number)]);
}
