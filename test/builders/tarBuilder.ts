import { concat, latin1, utf8 } from './byteWriter.js';

/** Writes ustar archives member by member; any field of a header may be bent. */

export interface TarFile {
  name: string;
  data?: Uint8Array;
  /** Type flag; `0` is a file, `5` a directory, `L` a long name, `x` a pax header. */
  type?: string;
  /** The size field as it is written, instead of octal digits. */
  sizeField?: Uint8Array;
  /** Leaves the checksum wrong. */
  isDamaged?: boolean;
}

function header({ name, data, type = '0', sizeField, isDamaged }: TarFile): Uint8Array {
  const block = new Uint8Array(512);
  block.set(utf8(name).subarray(0, 100), 0);
  block.set(latin1('0000644\0'), 100);
  block.set(sizeField ?? latin1(`${(data?.byteLength ?? 0).toString(8).padStart(11, '0')}\0`), 124);
  block.set(latin1('00000000000\0'), 136);
  block.set(latin1('        '), 148);
  block.set(latin1(type), 156);
  block.set(latin1('ustar\x0000'), 257);
  const sum = block.reduce((total, byte) => total + byte, 0) + (isDamaged === true ? 1 : 0);
  block.set(latin1(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
  return block;
}

export function buildTar(files: readonly TarFile[], ending: Uint8Array = new Uint8Array(1024)): Uint8Array {
  const parts = files.flatMap((file) => {
    const data = file.data ?? new Uint8Array(0);
    return [header(file), data, new Uint8Array((512 - (data.byteLength % 512)) % 512)];
  });
  return concat(...parts, ending);
}

/** A pax record with its own length in front. */
export function paxRecord(key: string, value: string): Uint8Array {
  const body = ` ${key}=${value}\n`;
  let length = body.length + 1;
  while (`${length}${body}`.length !== length) length += 1;
  return utf8(`${length}${body}`);
}
