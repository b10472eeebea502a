/**
 * Files of tokens with the header of llm.c (dev/data/data_common.py), which modded-nanogpt writes too: 256 little-endian int32, [0] magic,
 * [1] version, [2] tokens; then tokens of u16 (magic 20240520, version 1) or u32 (20240801, version 7: Llama 3). Evaluation sets have
 * magic 20240522, [2] examples, [3] longest example in bytes; each example is framed by itself.
 */
import { FormatError } from '../../bytes/formatError.js';
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

/** Magic numbers of other files that are called `.bin`. */
const magics = [
  'GGUF',
  'ggml',
  'lmgg',
  'tjgg',
  'fmgg',
  'SQLi',
  '\x89PNG',
  '\x7fELF',
  '\x1f\x8b',
  '(\xb5/\xfd',
  'PAR1',
  'MMID',
  'TNTI',
  '\x93NUM',
  '\x89HDF',
];

/** True where the first bytes are those of archives, pickles, weights, text or mostly floating-point numbers: no bare tokens. */
export function isOtherThanTokens(head: Uint8Array): boolean {
  if (isZip(head) || isPickle(head) || isTorchLegacy(head) || isLlmc(head) || isSafetensors(head)) return true;
  const start = String.fromCharCode(...head.slice(0, 4));
  return magics.some((magic) => start.startsWith(magic)) || isText(head) || isMostlyFloats(head);
}

function isText(head: Uint8Array): boolean {
  return (
    head.byteLength > 16 &&
    head.every((byte) => byte >= 0x20 || byte === 9 || byte === 10 || byte === 13) &&
    head.every((byte) => byte < 0x7f)
  );
}

/** Weights lie around zero: sign and exponent of most of them, the upper byte, are 0x3a to 0x3f or 0xba to 0xbf (f32, bf16, f16). */
function isMostlyFloats(head: Uint8Array): boolean {
  return [4, 2].some((width) => {
    let floats = 0;
    let count = 0;
    for (let at = width - 1; at < head.byteLength; at += width) {
      count += 1;
      const exponent = (head[at] as number) & 0x7f;
      if (exponent >= 0x3a && exponent <= 0x3f) floats += 1;
    }
    return count >= 64 && floats > 0.6 * count;
  });
}
