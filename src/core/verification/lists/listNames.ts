/** Which files are lists of digests, by their names. */
import { baseName } from '../../files/paths.js';

const listNames = /^(?:(?:md5|sha1|sha256|sha512)sums?|checksums?|checklist)(?:\.(?:txt|chk|md5|sha1|sha256|sha512))?$/i;
const ofOneFile = /^(.+)\.(?:md5|sha1|sha256|sha512)(?:sum)?$/i;

const otherListNames =
  /^(?:(?:sha224|sha384|b2|b3|blake2b|blake2s|blake3|cksum)sums?)(?:\.txt)?$|\.(?:sha224|sha384|b2|b3|blake2b|blake3)(?:sum)?$/i;

/** True for lists as `sha384sum`, `b2sum` and their like write them, whose digests are not computed. */
export function isOtherSumList(path: string): boolean {
  return otherListNames.test(baseName(path));
}

/** True for `SHA256SUMS`, `checklist.chk` (Meta's Llama), `model.safetensors.sha256` and their like. */
export function isSumList(path: string): boolean {
  const name = baseName(path);
  return listNames.test(name) || ofOneFile.test(name);
}

/** The file that a list is called after: `model.pt` of `model.pt.sha256`; null without one. */
export function namedAfter(path: string): string | null {
  const name = baseName(path);
  return listNames.test(name) ? null : (ofOneFile.exec(name)?.[1] ?? null);
}
