/**
 * Requirement files of pip (pip documentation, "Requirements File Format"): a package a line, from the index. Lines that take it from elsewhere have
 * pip build what is there, which runs its code: `-e`, addresses, paths, and options that name another index.
 */
import type { FileFinding } from '../../findings/finding.js';
import { withoutSecrets } from '../../text/secrets.js';

const MAX_CHARACTERS = 200;
const options = /^(?:-e|--editable|-i|--index-url|--pypi-url|--extra-index-url|-f|--find-links|--trusted-host)(?=[\s=]|$)/;
const shortOptions = /^-[eif]\S/;
/** Other requirement files by an address. */
const included = /^(?:-r|-c|--requirement|--constraint)[\s=]*(?:https?|file|ftp):/i;
/** `git+https://…`, `name @ https://…`, `./package`, `package.whl` below a directory. */
const elsewhere =
  /^(?:(?:git|hg|svn|bzr)\+|(?:https?|file|ftp):|\.{1,2}[\\/]|[\\/]|[A-Za-z]:[\\/]|[\w.[\], -]{1,200}@\s?(?:[a-z]+\+)?[a-z]+:)/i;

/** What the lines of such a file take from elsewhere; undefined where all is from the index. */
export function codeOfRequirements(text: string): FileFinding | undefined {
  const lines = text.split(/\r\n|[\n\r]/);
  let first: number | undefined;
  let count = 0;
  lines.forEach((line, index) => {
    const own = line.trim();
    if (!options.test(own) && !shortOptions.test(own) && !included.test(own) && !elsewhere.test(own)) return;
    count += 1;
    first ??= index;
  });
  if (first === undefined) return undefined;
  const shown = withoutSecrets((lines[first] ?? '').trim());
  const bounded = shown.length > MAX_CHARACTERS ? `${shown.slice(0, MAX_CHARACTERS)}…` : shown;
  return { code: 'requirements-elsewhere', offset: 0, facts: { line: first + 1, text: bounded, lines: count } };
}
