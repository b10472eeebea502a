const decoder = new TextDecoder('utf-8');
const strictDecoder = new TextDecoder('utf-8', { fatal: true });
const encoder = new TextEncoder();

/** UTF-8 to text; what is not UTF-8 becomes U+FFFD. Short ASCII, which is nearly everything in headers, skips the decoder. */
export function decodeText(bytes: Uint8Array, start = 0, end = bytes.byteLength): string {
  if (end - start > 48) return decoder.decode(bytes.subarray(start, end));
  let text = '';
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x80) return decoder.decode(bytes.subarray(start, end));
    text += String.fromCharCode(byte);
  }
  return text;
}

/** UTF-8 to text, or undefined where the bytes are not UTF-8. */
export function decodeStrictText(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Each byte as the character of that number, as Python's latin-1 does. */
export function decodeLatin1(bytes: Uint8Array, start = 0, end = bytes.byteLength): string {
  let text = '';
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at] as number);
  return text;
}

export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}
