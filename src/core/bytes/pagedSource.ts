import type { ByteSource } from './byteSource.js';

/** Pages kept at most; beyond that all are dropped and read again where needed. 64 MiB at the usual page size. */
const MAX_PAGES = 65_536;

/**
 * Reads of a few bytes here and there, as metadata scattered through a file need them, out of pages that are read once. Neighbouring
 * pages that are missing are read together.
 */
export function pagedSource(source: ByteSource, pageBytes = 1024): ByteSource {
  const pages = new Map<number, Uint8Array>();
  async function load(first: number, last: number, signal: AbortSignal | undefined): Promise<void> {
    for (let page = first; page <= last;) {
      let end = page;
      while (end <= last && !pages.has(end)) end += 1;
      if (end > page) {
        const offset = page * pageBytes;
        const bytes = await source.read(offset, Math.min(end * pageBytes, source.sizeBytes) - offset, signal);
        for (let each = page; each < end; each++)
          pages.set(each, bytes.subarray((each - page) * pageBytes, (each - page + 1) * pageBytes));
      }
      page = end + 1;
    }
  }
  return {
    name: source.name,
    sizeBytes: source.sizeBytes,
    async read(offset, length, signal) {
      // What is out of range or long is no matter of pages.
      if (length <= 0 || offset < 0 || offset + length > source.sizeBytes || length > pageBytes * 64)
        return source.read(offset, length, signal);
      const first = Math.floor(offset / pageBytes);
      const last = Math.floor((offset + length - 1) / pageBytes);
      if (pages.size > MAX_PAGES) pages.clear();
      await load(first, last, signal);
      const start = offset - first * pageBytes;
      const page = pages.get(first) as Uint8Array;
      if (first === last) return page.subarray(start, start + length);
      const joined = new Uint8Array(length);
      for (let each = first; each <= last; each++) {
        const from = Math.max(offset, each * pageBytes);
        const to = Math.min(offset + length, (each + 1) * pageBytes);
        joined.set((pages.get(each) as Uint8Array).subarray(from - each * pageBytes, to - each * pageBytes), from - offset);
      }
      return joined;
    },
    close: () => source.close(),
  };
}
