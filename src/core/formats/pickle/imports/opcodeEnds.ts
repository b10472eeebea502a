/** Where opcodes of a pickle end, with their arguments. */
import { decodeText } from '../../../bytes/text.js';
import { argumentBytes, LENGTH32, LENGTH64, LENGTH8, LINE, TWO_LINES } from '../argumentBytes.js';
import { opcode } from '../opcodes.js';
import { isDottedIdentifier } from './globalKind.js';

const NEWLINE = 0x0a;
/** Names are read up to here; behind damage longer ones are chance. */
export const MAX_NAME_BYTES = 1024;
const MAX_NAME_BYTES_LOST = 256;

export class OpcodeEnds {
  private readonly view: DataView;
  /** No line ends behind this offset. */
  private lastLine = Infinity;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly end: number,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Behind the opcode with its argument; -1 for no opcode, and for an argument that does not end. @param isLost behind damage, where names have to be some */
  endOf(code: opcode, at: number, isLost: boolean): number {
    const length = argumentBytes[code] as number;
    if (length >= 0) return at + length;
    const { end, view } = this;
    switch (length) {
      case LENGTH8:
        return at < end ? at + 1 + (this.bytes[at] as number) : -1;
      case LENGTH32: {
        if (at + 4 > end) return -1;
        const bytes = view.getUint32(at, true);
        const isSigned = code === opcode.BINSTRING || code === opcode.LONG4;
        return isSigned && bytes >= 2 ** 31 ? -1 : at + 4 + bytes;
      }
      case LENGTH64:
        return at + 8 > end || view.getUint32(at + 4, true) > 0x1fffff ? -1 : at + 8 + Number(view.getBigUint64(at, true));
      case LINE:
        return this.lineEnd(at);
      case TWO_LINES: {
        const middle = this.lineEnd(at);
        const last = middle === -1 ? -1 : this.lineEnd(middle);
        const isTooLong = last - at > MAX_NAME_BYTES || (isLost && last - at > MAX_NAME_BYTES_LOST);
        return isLost && (isTooLong || last === -1 || !this.areNames(at, middle, last)) ? -1 : last;
      }
      default:
        return -1;
    }
  }

  private areNames(at: number, middle: number, last: number): boolean {
    return (
      isDottedIdentifier(decodeText(this.bytes, at, middle - 1)) && isDottedIdentifier(decodeText(this.bytes, middle, last - 1))
    );
  }

  /** Behind the next line feed; -1 without one. */
  lineEnd(from: number): number {
    if (from > this.lastLine) return -1;
    const at = this.bytes.indexOf(NEWLINE, from);
    if (at === -1 || at >= this.end) {
      this.lastLine = from;
      return -1;
    }
    return at + 1;
  }
}
