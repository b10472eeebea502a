/** Bytes and bits of elements that were put together by their place in the element, so that they compress better. */

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

/**
 * Undoes Blosc's bit shuffle (blosc/shuffle.c): the lowest bits of all elements are before their second ones, eight in a byte, the first element in its
 * lowest bit. Elements of a number that eight does not divide were left as they are.
 */
export function unshuffleBits(bytes: Uint8Array, elementBytes: number): Uint8Array {
  const count = Math.floor(bytes.byteLength / elementBytes);
  if (elementBytes < 1 || count % 8 !== 0) return bytes;
  const out = bytes.slice().fill(0, 0, count * elementBytes);
  const planeBytes = count / 8;
  for (let plane = 0; plane < elementBytes * 8; plane++) {
    const bit = plane % 8;
    for (let eight = 0; eight < planeBytes; eight++) {
      const bits = bytes[plane * planeBytes + eight] as number;
      let to = eight * 8 * elementBytes + (plane >> 3);
      for (let element = 0; element < 8; element++, to += elementBytes)
        out[to] = (out[to] as number) | (((bits >> element) & 1) << bit);
    }
  }
  return out;
}
