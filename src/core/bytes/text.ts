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

/** The encoding of a text that begins with a byte-order mark; undefined without one. */
export function byteOrderMark([first, second, third]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** A text that a person or a shell wrote: UTF-8, or UTF-16 where its mark says so (`>` of Windows PowerShell). The mark is no part of it. */
export function decodeWrittenText(bytes: Uint8Array): string {
  return new TextDecoder(byteOrderMark(bytes) ?? 'utf-8').decode(bytes);
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
