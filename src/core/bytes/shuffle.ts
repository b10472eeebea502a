/** Undoes the byte shuffle of HDF5 and Blosc: the first bytes of all elements are before their second ones, and so on. Bytes behind the last whole element stay. */
export function unshuffle(bytes: Uint8Array, elementBytes: number): Uint8Array {
  const count = Math.floor(bytes.byteLength / elementBytes);
  if (elementBytes < 2 || count < 2) return bytes;
  const out = bytes.slice();
  for (let byte = 0; byte < elementBytes; byte++) {
    let from = byte * count;
    for (let to = byte; to < count * elementBytes; to += elementBytes) out[to] = bytes[from++] as number;
  }
  return out;
}
