/**
 * Files of tokens with the header of llm.c (dev/data/data_common.py), which modded-nanogpt writes too: 256 little-endian int32, [0] magic,
 * [1] version, [2] tokens; then tokens of u16 (magic 20240520, version 1) or u32 (20240801, version 7: Llama 3). Evaluation sets have
 * magic 20240522, [2] examples, [3] longest example in bytes; each example is framed by itself.
 */
import { FormatError } from '../../bytes/formatError.js';
import { decodeLatin1 } from '../../bytes/text.js';
import { isLlmc } from './llmc.js';
import { isPickle } from '../pickle/pickleHead.js';
import { isSafetensors } from '../safetensors/safetensors.js';
import { isTorchLegacy } from '../torch/torchLegacy.js';
import { isZip } from '../zip.js';

export const TOKEN_HEADER_BYTES = 1024;

const widths: Readonly<Record<number, { dtype: 'u16' | 'u32'; version: number }>> = {
  20_240_520: { dtype: 'u16', version: 1 },
  20_240_801: { dtype: 'u32', version: 7 },
};
const EVALUATION_MAGIC = 20_240_522;

export type TokenFileHeader = { kind: 'tokens'; dtype: 'u16' | 'u32'; tokens: number } | { kind: 'evaluation'; examples: number };

/** True where the first bytes are a header of llm.c's data, whatever follows. */
export function isTokenFile(head: Uint8Array): boolean {
  if (head.byteLength < 4) return false;
  const magic = magicOf(head);
  return magic === EVALUATION_MAGIC || Object.hasOwn(widths, magic);
}

/**
 * The header of a file for which `isTokenFile` holds.
 * @throws FormatError `truncated`, `unsupported` or `corrupt`
 */
export function parseTokenFile(head: Uint8Array): TokenFileHeader {
  if (head.byteLength < TOKEN_HEADER_BYTES)
    throw new FormatError('truncated', 'the file ends in its header', { offset: head.byteLength });
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const version = view.getInt32(4, true);
  const count = view.getInt32(8, true);
  if (count < 0) throw new FormatError('corrupt', 'a negative number of tokens', { offset: 8 });
  const magic = magicOf(head);
  if (magic === EVALUATION_MAGIC) return { kind: 'evaluation', examples: count };
  const known = widths[magic];
  if (known?.version !== version) throw new FormatError('unsupported', `version ${version} of a token file`, { offset: 4 });
  return { kind: 'tokens', dtype: known.dtype, tokens: count };
}

function magicOf(head: Uint8Array): number {
  return new DataView(head.buffer, head.byteOffset, head.byteLength).getInt32(0, true);
}

/**
 * Magic numbers of other files that are called `.bin`, `.dat` or `.data`, of four bytes and more: two bytes may be a token. The authors' own documentation has each;
 * most are in libmagic.
 */
const magics: readonly (readonly [offset: number, texts: readonly string[]])[] = [
  // Weights and arrays
  [0, ['GGUF', 'ggml', 'lmgg', 'tjgg', 'fmgg', '\x93NUM', '\x89HDF', 'CDF\x01', 'CDF\x02', 'CDF\x05', 'MATLAB 5.0']],
  [4, ['TFL3']],
  // Tables, databases, indexes
  [0, ['SQLi', 'PAR1', 'ARROW1', 'FEA1', 'ORC', 'Obj\x01', 'MMID', 'TNTI', 'IxFI', 'IxF2', 'IxMp', 'DIRC', 'PACK\0']],
  [8, ['DUCK']],
  [4, ['Standard Jet DB', 'Standard ACE DB']],
  [16, ['\xde\xc0\xef\xbe', '\xbe\xef\xc0\xde']],
  // Archives and compressed data
  [
    0,
    [
      '\x1f\x8b',
      '(\xb5/\xfd',
      '\x04"M\x18',
      'BZh',
      '\xfd7zXZ\0',
      '7z\xbc\xaf\x27\x1c',
      'Rar!\x1a\x07',
      'MSCF\0\0\0\0',
      '!<arch>\n',
      'hsqs',
    ],
  ],
  [257, ['ustar']],
  // Pictures, sounds, films, documents
  [
    0,
    [
      '\x89PNG',
      '\xff\xd8\xff\xe0',
      '\xff\xd8\xff\xe1',
      'GIF8',
      'II*\0',
      'MM\0*',
      'RIFF',
      'RIFX',
      'OggS',
      'fLaC',
      'ID3\x03',
      'ID3\x04',
      'FORM',
      '\x1aE\xdf\xa3',
      '%PDF',
      '8BPS',
      'glTF',
    ],
  ],
  [4, ['ftyp']],
  [128, ['DICM']],
  [344, ['n+1\0', 'ni1\0']],
  [0, ['SV10\x04\x03\x02\x01', 'TRACK\0']],
  // Programs and code
  [
    0,
    [
      '\x7fELF',
      'MZ\x90\0',
      '\xca\xfe\xba\xbe',
      '\xcf\xfa\xed\xfe',
      '\xce\xfa\xed\xfe',
      '\0asm',
      'dex\n',
      'BC\xc0\xde',
      'TZif',
      '\x07\x02#\x03',
      '\x03\x02#\x07',
    ],
  ],
];

/** True where the first bytes are those of archives, pickles, weights, text or mostly floating-point numbers: no bare tokens. */
export function isOtherThanTokens(head: Uint8Array): boolean {
  if (isZip(head) || isPickle(head) || isTorchLegacy(head) || isLlmc(head) || isSafetensors(head)) return true;
  return hasOtherMagic(head) || isText(head) || isMostlyFloats(head) || areHalfFloats(head);
}

function hasOtherMagic(head: Uint8Array): boolean {
  return magics.some(([offset, texts]) =>
    texts.some((text) => decodeLatin1(head, offset, Math.min(offset + text.length, head.byteLength)) === text),
  );
}

function isText(head: Uint8Array): boolean {
  return (
    head.byteLength > 16 &&
    head.every((byte) => byte >= 0x20 || byte === 9 || byte === 10 || byte === 13) &&
    head.every((byte) => byte < 0x7f)
  );
}

/**
 * Weights lie around zero: sign and exponent of most of them, the upper byte, are 0x3a to 0x3f or 0xba to 0xbf (f32, bf16, f16). Measured numbers
 * lie between a thousandth and 10^5, and are stored in 4 or 8 bytes.
 */
function isMostlyFloats(head: Uint8Array): boolean {
  return floatForms.some(({ width, least, most }) => {
    let floats = 0;
    let count = 0;
    for (let at = width - 1; at < head.byteLength; at += width) {
      count += 1;
      const exponent = (head[at] as number) & 0x7f;
      if (exponent >= least && exponent <= most) floats += 1;
    }
    return count >= 64 && floats > 0.6 * count;
  });
}

/** Upper bytes, without the sign, by the width of a number. */
const floatForms = [
  { width: 8, least: 0x3f, most: 0x40 },
  { width: 4, least: 0x3a, most: 0x47 },
  { width: 2, least: 0x3a, most: 0x3f },
] as const;

/** Too few say nothing. */
const ENOUGH_VALUES = 64;

/**
 * Floating-point numbers of two bytes of both signs: f16 or bf16 around zero. As ids they would all be far from 0 and leave out every second range of
 * 2^15 but a band; the ids of text are densest at 0.
 */
function areHalfFloats(head: Uint8Array): boolean {
  return halfForms.some(({ least, most }) => {
    let [count, inBand, negative] = [0, 0, 0];
    for (let at = 1; at < head.byteLength; at += 2) {
      const upper = head[at] as number;
      if (upper === 0 && head[at - 1] === 0) continue;
      count += 1;
      if ((upper & 0x7f) >= least && (upper & 0x7f) <= most) inBand += 1;
      if (upper >= 0x80) negative += 1;
    }
    return count >= ENOUGH_VALUES && inBand >= 0.97 * count && negative > 0.2 * count && negative < 0.8 * count;
  });
}

/** Upper bytes without the sign: 0.0005 to 256 in f16, 2^-15 to 2^16 in bf16, whose exponents take twice the bits a step. */
const halfForms = [
  { least: 0x10, most: 0x5b },
  { least: 0x38, most: 0x47 },
] as const;
