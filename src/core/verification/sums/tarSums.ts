import { decodeLatin1 } from '../../bytes/text.js';
import { isTar, TAR_HEADER_BYTES, walkTar } from '../../formats/tar.js';
import { visibleText } from '../../text/visibleText.js';
import { noSums, type SumFormat } from './sumFormat.js';

/** The checksum itself is octal text, of which some bits mean nothing. */
const SUM_AT = 148;
const SUM_BYTES = 8;
const MAGIC = 'ustar';
const MAGIC_AT = 257;

/**
 * Sums of the headers of tar archives (POSIX ustar): of each member's own one. That of a long name is compared as well, and what is behind it has none.
 * Data have no sum.
 */
export const tarSums: SumFormat = {
  recognises: (path) => /\.tar$/i.test(path),
  async read(source, { signal }) {
    const sums = noSums();
    const head = await source.read(0, Math.min(TAR_HEADER_BYTES, source.sizeBytes), signal);
    if (!isTar(head) && !mayBeTar(head)) return { ...sums, reason: 'it is no tar archive: a manifest is needed' };
    sums.by.push('tar-sum');
    await walkTar(source, signal, ({ name, headerOffset, offset, bytes }) => {
      const headers = new Set([headerOffset, offset - TAR_HEADER_BYTES]);
      for (const at of headers)
        sums.checked.push(
          { offset: at, length: SUM_AT },
          { offset: at + SUM_AT + SUM_BYTES, length: TAR_HEADER_BYTES - SUM_AT - SUM_BYTES },
        );
      if (offset + bytes > source.sizeBytes)
        sums.damage.push({
          offset,
          length: source.sizeBytes - offset,
          what: `data of ${visibleText(name)}: cut off by the end of the file`,
        });
      return true;
    });
    return sums;
  },
};

/** Whether a first header without its sum has the magic, or nearly: a file of another kind is not called damaged. */
function mayBeTar(head: Uint8Array): boolean {
  const letters = decodeLatin1(head.subarray(MAGIC_AT, MAGIC_AT + MAGIC.length));
  return [...MAGIC].filter((letter, at) => letters[at] === letter).length >= MAGIC.length - 1;
}
