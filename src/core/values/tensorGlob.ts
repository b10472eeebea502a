/**
 * Whether a name matches a glob: `*` is any text, `?` one character, everything else itself. In time of both lengths multiplied, as a name and a glob
 * with many stars would let a regular expression try for hours.
 */
export function matchesGlob(name: string, glob: string): boolean {
  let [at, inGlob, starAt, resume] = [0, 0, -1, 0];
  while (at < name.length) {
    if (glob[inGlob] === '*') {
      starAt = inGlob++;
      resume = at;
    } else if (inGlob < glob.length && (glob[inGlob] === '?' || glob[inGlob] === name[at])) {
      at += 1;
      inGlob += 1;
    } else if (starAt !== -1) {
      inGlob = starAt + 1;
      at = ++resume;
    } else return false;
  }
  while (glob[inGlob] === '*') inGlob += 1;
  return inGlob === glob.length;
}
