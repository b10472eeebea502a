/** Texts for POSIX shells. */

/** One word, whatever is in it: within single quotes nothing is special but the quote itself (POSIX.1-2017, Shell Command Language 2.2.2). */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Lines in the order of `LC_ALL=C sort`: by the bytes of their UTF-8, which is the order of code points. */
export function sortedByBytes(lines: readonly string[]): string[] {
  return [...lines].sort(compareCodePoints);
}

function compareCodePoints(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length) {
    const [left, right] = [a.codePointAt(at) ?? 0, b.codePointAt(at) ?? 0];
    if (left !== right) return left - right;
    at += left > 0xffff ? 2 : 1;
  }
  return a.length - b.length;
}
