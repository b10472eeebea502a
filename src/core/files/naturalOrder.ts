/**
 * Orders names as people do: `rank_2` before `rank_10`, letters without regard to case. Total: names that are equal in that sense
 * fall back to code units. By hand, as loading Intl's collation data takes longer than listing a checkpoint does.
 */
export function compareNatural(a: string, b: string): number {
  let at = 0;
  let other = 0;
  while (at < a.length && other < b.length) {
    const left = foldCase(a.charCodeAt(at));
    const right = foldCase(b.charCodeAt(other));
    if (isDigit(left) && isDigit(right)) {
      const leftStart = skipZeros(a, at);
      const rightStart = skipZeros(b, other);
      at = skipDigits(a, leftStart);
      other = skipDigits(b, rightStart);
      const order = compareDigits(a.slice(leftStart, at), b.slice(rightStart, other));
      if (order !== 0) return order;
    } else if (left !== right) {
      return left - right;
    } else {
      at += 1;
      other += 1;
    }
  }
  return a.length - at - (b.length - other) || (a < b ? -1 : a > b ? 1 : 0);
}

/** Numbers of any length, without leading zeros: the longer is larger. */
function compareDigits(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

function foldCase(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function skipZeros(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) === 0x30) end += 1;
  return end;
}

function skipDigits(text: string, at: number): number {
  let end = at;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end;
}
