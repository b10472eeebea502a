import { decodeText, encodeText } from '../bytes/text.js';
import { SequenceNumbers } from './sequenceNumbers.js';
import type { TensorTable } from './tensorTable.js';

/** The state of a numbered optimizer entry is no layer; its parameter's name tells the layer. */
const optimizerEntry = 'state';

/** The layer of each tensor, by its name: the first number in it with the word before, as `layers.11` of `model.layers.11.norm.weight`. */
export class TensorLayers {
  private readonly known = new SequenceNumbers();
  private readonly labels: string[] = [];
  private numbers: Uint32Array | undefined;

  constructor(private readonly table: TensorTable) {}

  /** `layers.11`, or an empty text for a tensor outside of any layer. Reads the name of this tensor alone. */
  labelOf(row: number): string {
    return this.labelAt(this.numbers?.[row] ?? this.find(row));
  }

  /** Tensors of equal numbers are of one layer; see `labelAt`. For a pass over all tensors: their numbers are found once, at the first of them. */
  numberOf(row: number): number {
    this.numbers ??= this.findAll();
    return this.numbers[row] ?? 0;
  }

  labelAt(number: number): string {
    return this.labels[number] ?? '';
  }

  private findAll(): Uint32Array {
    const numbers = new Uint32Array(this.table.size);
    for (let row = 0; row < numbers.length; row++) numbers[row] = this.find(row);
    return numbers;
  }

  private find(row: number): number {
    const parameter = this.table.extraOf(row)?.parameter;
    if (parameter === undefined) return this.findIn(this.table.nameBytes, this.table.nameStartOf(row), this.table.nameEndOf(row));
    const bytes = encodeText(parameter);
    return this.findIn(bytes, 0, bytes.length);
  }

  /** A name is walked once, from one point to the next. */
  private findIn(bytes: Uint8Array, start: number, end: number): number {
    let word = -1;
    let part = start;
    let isWord = true;
    let isNumber = true;
    for (let at = start; at <= end; at++) {
      const byte = at === end ? point : (bytes[at] as number);
      if (byte === point) {
        if (word !== -1 && isNumber && at > part) return this.number(bytes, word, at);
        word = isWord && at > part ? part : -1;
        part = at + 1;
        isWord = true;
        isNumber = true;
      } else if (byte >= 0x30 && byte <= 0x39) isWord &&= at > part;
      else {
        isNumber = false;
        isWord &&= isLetter(byte);
      }
    }
    return this.number(bytes, start, start);
  }

  private number(bytes: Uint8Array, start: number, end: number): number {
    const number = this.known.numberOf(bytes, start, end);
    if (number === this.labels.length) {
      const label = decodeText(bytes, start, end);
      this.labels.push(label.startsWith(`${optimizerEntry}.`) ? '' : label);
    }
    return number;
  }
}

const point = 0x2e;

/** Of ASCII, or an underscore. */
function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x5f;
}
