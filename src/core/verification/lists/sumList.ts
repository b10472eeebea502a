/**
 * Lists of digests as `sha256sum` and its like write them (coreutils manual, "md5sum invocation"):
 *
 *   <digest>  <name>      or <digest> *<name>
 *   SHA256 (<name>) = <digest>                         with --tag, as BSD has it
 *   \<digest>  <name>     where \\, \n and \r stand in the name for a backslash, a line feed and a carriage return
 *
 * A file with a digest alone is of the file that it is called after. Lines may end in CR LF; empty lines and those that begin with # are left out.
 */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { visibleText } from '../../text/visibleText.js';
import type { Digest, FileDigestName } from '../hashes/hash.js';
import { isListedName } from './listedName.js';

export interface ListedSum {
  /** Relative to the directory of the list. */
  name: string;
  digest: Digest;
  algorithm: FileDigestName;
}

const algorithmOfLength: Readonly<Record<number, FileDigestName>> = { 32: 'md5', 40: 'sha1', 64: 'sha256', 128: 'sha512' };
const algorithmOfTag: Readonly<Record<string, FileDigestName>> = { MD5: 'md5', SHA1: 'sha1', SHA256: 'sha256', SHA512: 'sha512' };

const sumLine = /^(\\?)([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128}) (?: |\*)(.+)$/is;
const tagLine = /^(\\?)(MD5|SHA1|SHA256|SHA512) \((.+)\) = ([0-9a-f]+)$/is;
const digestAlone = /^[0-9a-f]{32}(?:[0-9a-f]{8}|[0-9a-f]{32}|[0-9a-f]{96})?$/i;

/**
 * Parses a list.
 * @param ownName of the file that a digest alone is of; null where the list is called after none
 * @throws FormatError `corrupt` with the line and a sentence: for what is no list, for a name that leaves the directory, is absolute or stands there
 *   twice; `limit-exceeded`
 */
export function parseSumList(text: string, ownName: string | null): ListedSum[] {
  const sums = new Map<string, ListedSum>();
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (line.trim() === '' || line.startsWith('#')) continue;
    const sum = sumOf(line, ownName);
    if (sum === null) throw corrupt(index, 'is no digest with a name');
    if (!isListedName(sum.name)) throw corrupt(index, `names ${visibleText(sum.name)}, which leads out of the directory`);
    const known = sums.get(`${sum.algorithm} ${sum.name}`);
    if (known !== undefined) throw corrupt(index, `names ${visibleText(sum.name)} a second time`);
    if (sums.size === limits.listedFiles)
      throw new FormatError('limit-exceeded', `it lists more than ${limits.listedFiles} files`);
    sums.set(`${sum.algorithm} ${sum.name}`, sum);
  }
  return [...sums.values()];
}

function corrupt(index: number, detail: string): FormatError {
  return new FormatError('corrupt', `line ${index + 1} ${detail}`);
}

function sumOf(line: string, ownName: string | null): ListedSum | null {
  const [, escape, digest, name] = sumLine.exec(line) ?? [];
  if (digest !== undefined && name !== undefined) return listed(digest, named(name, escape), algorithmOfLength[digest.length]);
  const [, tagEscape, tag, tagged, value] = tagLine.exec(line) ?? [];
  if (tag !== undefined && tagged !== undefined && value !== undefined) {
    const algorithm = algorithmOfTag[tag.toUpperCase()];
    return algorithmOfLength[value.length] === algorithm ? listed(value, named(tagged, tagEscape), algorithm) : null;
  }
  const alone = line.trim();
  return ownName !== null && digestAlone.test(alone) ? listed(alone, ownName, algorithmOfLength[alone.length]) : null;
}

function listed(digest: string, name: string | null, algorithm: FileDigestName | undefined): ListedSum | null {
  return name === null || algorithm === undefined ? null : { name, digest: digest.toLowerCase(), algorithm };
}

/** A name without its escapes and a leading `./`; null for an escape that there is not. */
function named(name: string, escape: string | undefined): string | null {
  const plain = escape === '\\' ? unescaped(name) : name;
  return plain?.replace(/^(?:\.\/)+/, '') ?? null;
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\', n: '\n', r: '\r' };

function unescaped(name: string): string | null {
  let isKnown = true;
  const plain = name.replace(/\\(.?)/gs, (_, character: string) => {
    const meant = escapes[character];
    isKnown &&= meant !== undefined;
    return meant ?? '';
  });
  return isKnown ? plain : null;
}

/** A line of such a list, as coreutils writes it. */
export function sumListLine(digest: Digest, name: string): string {
  const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `${escaped === name ? '' : '\\'}${digest}  ${escaped}\n`;
}
