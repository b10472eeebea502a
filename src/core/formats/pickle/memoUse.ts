/**
 * Which memo entries of a pickle are ever fetched. A pickler memoizes every object that it writes, so that a machine that keeps them
 * all holds every tuple of a 200 MB file; nearly all are never asked for again. Opcode arguments as in Lib/pickletools.py.
 */
import { argumentBytes, LENGTH32, LENGTH64, LENGTH8 } from './argumentBytes.js';
import { opcode } from './opcodes.js';

/** A set of memo keys, each with a place in a dense list. */
export class MemoUse {
  private readonly words: Uint32Array;
  /** Keys in all words before each, once the set is complete. */
  private counts: Uint32Array | undefined;

  constructor(size: number) {
    this.words = new Uint32Array((size >>> 5) + 1);
  }

  add(key: number): void {
    const word = key >>> 5;
    if (word < this.words.length) this.words[word] = (this.words[word] as number) | (1 << (key & 31));
  }

  /** The place of a key among all keys of the set; -1 for one that is not in it. Nothing may be added any more. */
  placeOf(key: number): number {
    const word = key >>> 5;
    const bits = this.words[word] ?? 0;
    const bit = 1 << (key & 31);
    if ((bits & bit) === 0) return -1;
    this.counts ??= this.countKeys();
    return (this.counts[word] as number) + bitCount(bits & (bit - 1));
  }

  /** How many keys there are. Nothing may be added any more. */
  get size(): number {
    this.counts ??= this.countKeys();
    const last = this.words.length - 1;
    return (this.counts[last] as number) + bitCount(this.words[last] as number);
  }

  private countKeys(): Uint32Array {
    const counts = new Uint32Array(this.words.length);
    for (let word = 1; word < counts.length; word++)
      counts[word] = (counts[word - 1] as number) + bitCount(this.words[word - 1] as number);
    return counts;
  }
}

/** Ones among 32 bits, summed pairwise. */
function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * The memo keys that a pickle fetches, found without running it. Undefined where it has opcodes of the text protocols, or cannot be
 * followed to its end: then every entry has to be kept.
 */
export function memoUseOf(bytes: Uint8Array, start = 0): MemoUse | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length;
  const use = new MemoUse(end - start);
  let at = start;
  while (at < end) {
    const code = bytes[at++] as opcode;
    const argument = argumentBytes[code] as number;
    if (argument === 0 && code !== opcode.STOP) continue;
    if (code === opcode.STOP) return use;
    if (code === opcode.BINGET && at < end) use.add(bytes[at++] as number);
    else if (code === opcode.LONG_BINGET && at + 4 <= end) {
      use.add(view.getUint32(at, true));
      at += 4;
    } else if (argument >= 0) at += argument;
    else if (argument === LENGTH8 && at < end) at += 1 + (bytes[at] as number);
    else if (argument === LENGTH32 && at + 4 <= end) at += 4 + view.getUint32(at, true);
    else if (argument === LENGTH64 && at + 8 <= end) at += 8 + Number(view.getBigUint64(at, true));
    else if (code === opcode.GLOBAL) at = lineEnd(bytes, lineEnd(bytes, at));
    else return undefined;
  }
  return undefined;
}

function lineEnd(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(0x0a, from);
  return at === -1 ? bytes.length : at + 1;
}
