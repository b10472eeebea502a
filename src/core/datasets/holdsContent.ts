import { decodeText } from '../bytes/text.js';

/** False for the beginning of a file without any data: zeros, a web page, nothing at all. */
export function holdsContent(head: Uint8Array): boolean {
  return head.some((byte) => byte !== 0) && !/^\s*<(!doctype|html)/i.test(decodeText(head.subarray(0, 64)));
}
