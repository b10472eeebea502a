/** Files that an index names in another spelling. */
import { limits } from '../bytes/limits.js';
import type { OtherSpellings } from '../files/otherSpellings.js';
import { baseName } from '../files/paths.js';
import type { FileFinding } from '../findings/finding.js';

/** A finding for each file that was found under another spelling of its name, up to `limits.missingShards`. */
export function respelledFindings({ respelled }: OtherSpellings): FileFinding[] {
  return [...respelled].slice(0, limits.missingShards).map(([named, path]) => ({
    code: 'index-shard-spelled-otherwise',
    facts: { shard: baseName(named), file: baseName(path) },
  }));
}
