/** What tells a pickle, or a compressed one, by its first bytes. */
import { isSkippable } from '../../bytes/compression.js';
import { decodeLatin1 } from '../../bytes/text.js';
import type { PackedFormat } from '../../bytes/unpack.js';
import { argumentBytes, LENGTH32, LENGTH64, LENGTH8, LINE, NO_OPCODE, TWO_LINES } from './argumentBytes.js';
import { isDottedIdentifier } from './imports/globalKind.js';
import { opcode } from './opcodes.js';

/** Protocol 2 and up begin with PROTO; older ones with an opcode that is a printable character. */
export function isPickle(head: Uint8Array): boolean {
  return head[0] === opcode.PROTO && (head[1] ?? 0xff) >= 2 && (head[1] ?? 0xff) <= 5;
}

/** Compressions of joblib.dump, and of pickles that programs pack themselves. */
const compressions: readonly [name: PackedFormat, magic: readonly number[]][] = [
  ['zfile', [0x5a, 0x46, 0x30, 0x78]],
  ['gzip', [0x1f, 0x8b, 0x08]],
  ['zlib', [0x78, 0x01]],
  ['zlib', [0x78, 0x5e]],
  ['zlib', [0x78, 0x9c]],
  ['zlib', [0x78, 0xda]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['lzma', [0x5d, 0x00, 0x00]],
  ['lz4', [0x04, 0x22, 0x4d, 0x18]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
];

export function compressionOfPickle(head: Uint8Array): PackedFormat | undefined {
  if (isSkippable(head, 0)) return 'zstd';
  return compressions.find(([, magic]) => magic.every((byte, at) => head[at] === byte))?.[0];
}

/** Opcodes that begin a pickle of protocol 0 or 1: a mark, a global, an empty container, a text, a number or a singleton. */
const firstOpcodes = new Set([...'(c]})SVUXTILFGJKMNiP'].map((character) => character.charCodeAt(0)));

/**
 * True for bytes that could begin a pickle without magic: opcode after opcode with arguments that fit them. Protocols 0 and 1 are text, so
 * that any other text has to fail here or in the machine.
 */
export function mayBeOldPickle(head: Uint8Array): boolean {
  const first = head[0] === opcode.PROTO && (head[1] ?? 0xff) < 2 ? 2 : 0;
  if (!firstOpcodes.has(head[first] ?? 0)) return false;
  let at = first;
  for (let count = 0; at < head.byteLength; count++) {
    const code = head[at] as opcode;
    if (code === opcode.STOP) return count > 0;
    const next = endOfArgument(head, code, at + 1);
    if (next === undefined) return false;
    // The head ends in an argument.
    if (next >= head.byteLength) return true;
    at = next;
  }
  return true;
}

/** Undefined for what is no opcode, or no argument of it; beyond the head where the argument goes on behind it. */
function endOfArgument(head: Uint8Array, code: opcode, at: number): number | undefined {
  const length = argumentBytes[code] as number;
  if (length >= 0) return at + length;
  switch (length) {
    case LENGTH8:
      return at + 1 + (head[at] ?? 0);
    case LENGTH32:
      return (head[at + 3] ?? 0) >= 0x80 ? undefined : at + 4 + uint32(head, at);
    case LENGTH64:
      return (head[at + 7] ?? 0) !== 0 ? undefined : at + 8 + uint32(head, at);
    case LINE:
    case TWO_LINES: {
      const lines = length === LINE ? 1 : 2;
      let end = at;
      for (let line = 0; line < lines; line++) {
        const newline = head.indexOf(0x0a, end);
        const text = decodeLatin1(head, end, newline === -1 ? head.byteLength : newline);
        if (!isArgument(code, text, newline !== -1)) return undefined;
        if (newline === -1) return head.byteLength;
        end = newline + 1;
      }
      return end;
    }
    case NO_OPCODE:
    default:
      return undefined;
  }
}

function uint32(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) + 2 ** 8 * (bytes[at + 1] ?? 0) + 2 ** 16 * (bytes[at + 2] ?? 0) + 2 ** 24 * (bytes[at + 3] ?? 0);
}

function isArgument(code: opcode, line: string, isWhole: boolean): boolean {
  switch (code) {
    case opcode.GLOBAL:
    case opcode.INST:
      return isDottedIdentifier(isWhole ? line : `${line}_`);
    case opcode.STRING:
      return /^['"]/.test(line) && (!isWhole || line.length > 1);
    case opcode.PUT:
    case opcode.GET:
      return /^\d*$/.test(line.replaceAll('_', ''));
    case opcode.INT:
    case opcode.LONG:
      return /^[-+\dxXobOBa-fA-F_]*L?$/.test(line);
    case opcode.FLOAT:
      return /^[-+\d.eEinfa_]*$/.test(line);
    default:
      return true;
  }
}
