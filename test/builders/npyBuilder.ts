import { bytes, concat, latin1, u16, u32, utf8 } from './byteWriter.js';

export interface NpyFile {
  /** `<f4`, `|u1`, or a list for a structured dtype, written as Python would. Default `<f4`. */
  descr?: string | readonly (readonly [name: string, descr: string])[];
  fortranOrder?: boolean;
  /** Default `[]`, one element. */
  shape?: readonly (number | bigint)[];
  data?: Uint8Array;
  /** `[1, 0]` has a 16-bit header length, `[2, 0]` and `[3, 0]` a 32-bit one. */
  version?: readonly [number, number];
  /** The header as text, valid or not, instead of what the options above give. */
  headerText?: string;
  /** What the length field claims, instead of the true length. */
  declaredLength?: number;
  /** Replaces the six bytes `\x93NUMPY`. */
  magic?: Uint8Array;
}

/** A `.npy` file, valid unless an option makes it wrong. */
export function buildNpy(file: NpyFile = {}): Uint8Array {
  const version = file.version ?? [1, 0];
  const lengthWidth = version[0] === 1 ? 2 : 4;
  let text = file.headerText ?? defaultHeader(file);
  if (file.headerText === undefined) {
    // numpy pads with spaces so that the data starts at a multiple of 64, and ends the header with a newline.
    const unpadded = 6 + 2 + lengthWidth + utf8(text).byteLength + 1;
    text += `${' '.repeat((64 - (unpadded % 64)) % 64)}\n`;
  }
  const header = version[0] >= 3 ? utf8(text) : latin1(text);
  const length = file.declaredLength ?? header.byteLength;
  return concat(
    file.magic ?? latin1('\x93NUMPY'),
    bytes(...version),
    lengthWidth === 2 ? u16(length) : u32(length),
    header,
    file.data ?? new Uint8Array(0),
  );
}

function defaultHeader(file: NpyFile): string {
  const descr = file.descr ?? '<f4';
  const written =
    typeof descr === 'string' ? `'${descr}'` : `[${descr.map(([name, type]) => `('${name}', '${type}')`).join(', ')}]`;
  const shape = file.shape ?? [];
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
  return `{'descr': ${written}, 'fortran_order': ${file.fortranOrder === true ? 'True' : 'False'}, 'shape': ${tuple}, }`;
}
