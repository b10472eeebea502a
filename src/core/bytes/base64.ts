/** Bytes of a text in base64 (RFC 4648, 4), or undefined where it is none. White space and missing padding are none. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let bits = 0;
  let value = 0;
  let to = 0;
  for (let at = 0; at < text.length - padding; at++) {
    const digit = digitOf(text.charCodeAt(at));
    if (digit === undefined) return undefined;
    value = ((value << 6) | digit) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[to++] = (value >> bits) & 0xff;
  }
  return bytes;
}

function digitOf(code: number): number | undefined {
  if (code >= 0x41 && code <= 0x5a) return code - 0x41;
  if (code >= 0x61 && code <= 0x7a) return code - 0x61 + 26;
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 52;
  return code === 0x2b ? 62 : code === 0x2f ? 63 : undefined;
}
