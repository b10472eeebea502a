import type { TensorTable } from './tensorTable.js';

/** `layers` in `model.layers.11.mlp.up_proj.weight`: the first number in a name, with the word before it. */
const layerPattern = /(?:^|\.)([A-Za-z_]\w*)\.(\d+)(?=\.|$)/;
/** The state of a numbered optimizer entry is no layer; its parameter's name tells the layer. */
const optimizerEntry = 'state';

/** The layer of each tensor, by its name; found once, when it is first asked for. */
export class TensorLayers {
  private labels: string[] | undefined;
  private indexes = new Uint32Array(0);

  constructor(private readonly table: TensorTable) {}

  /** `layers.11`, or an empty text for a tensor outside of any layer. */
  labelOf(row: number): string {
    const labels = this.labels ?? this.find();
    return labels[this.indexes[row] ?? 0] ?? '';
  }

  private find(): string[] {
    const labels: string[] = [''];
    const known = new Map<string, number>([['', 0]]);
    this.indexes = new Uint32Array(this.table.size);
    for (let row = 0; row < this.table.size; row++) {
      const label = layerOf(this.table.extraOf(row)?.parameter ?? this.table.nameOf(row));
      const index = known.get(label) ?? labels.push(label) - 1;
      known.set(label, index);
      this.indexes[row] = index;
    }
    this.labels = labels;
    return labels;
  }
}

function layerOf(name: string): string {
  const match = layerPattern.exec(name);
  return match === null || match[1] === optimizerEntry ? '' : `${match[1]}.${match[2]}`;
}
