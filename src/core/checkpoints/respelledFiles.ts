/** Files that an index names in another spelling. */
import type { OtherSpellings } from '../files/otherSpellings.js';
import { baseName } from '../files/paths.js';
import type { FileFinding } from '../findings/finding.js';
import { boundedFindings } from '../findings/boundedFindings.js';

/** A finding for each file that was found under another spelling of its name. */
export function respelledFindings({ respelled }: OtherSpellings): FileFinding[] {
  return boundedFindings([...respelled], ([named, path]) => ({
    code: 'index-shard-spelled-otherwise',
    facts: { shard: baseName(named), file: baseName(path) },
  }));
}
