/** The index of shards as `from_pretrained` reads it (transformers/utils/hub.py: get_checkpoint_shard_files, 5.24). */
import { FormatError } from '../bytes/formatError.js';
import type { Finding } from '../findings/finding.js';
import { JsonScanner } from '../formats/text/jsonScanner.js';

/** What it raises an error without: a KeyError for a key, an IndexError without an entry. */
export type IndexPart = 'metadata' | 'weight_map' | 'entry in weight_map';

/** The first of these that an index does not have; undefined where it has all, and for one that is no JSON, which is reported as such. */
export function partLackingIn(bytes: Uint8Array): IndexPart | undefined {
  const keys = new Set<string>();
  let hasEntry = false;
  const json = new JsonScanner(bytes);
  try {
    json.eachMember(() => {
      const key = json.stringText();
      keys.add(key);
      if (key !== 'weight_map') json.skipValue();
      else
        json.eachMember(() => {
          hasEntry = true;
          json.skipValue();
        });
    });
  } catch (error) {
    if (FormatError.is(error)) return undefined;
    throw error;
  }
  if (!keys.has('weight_map')) return 'weight_map';
  if (!keys.has('metadata')) return 'metadata';
  return hasEntry ? undefined : 'entry in weight_map';
}

/**
 * Whether an error is of no matter to it: it takes all tensors of the files that an index names, whichever it lists for them, and looks for no other
 * file of their set.
 * @param opened the index
 */
export function isPassedOver(finding: Finding, opened: string): boolean {
  if (finding.code === 'index-tensor-missing') return finding.path === opened;
  const stem = /^(.+)\.(?:safetensors|bin)\.index\.json$/s.exec(opened)?.[1];
  return stem !== undefined && finding.code === 'shard-missing' && finding.facts.stem.startsWith(`${stem}-*-of-`);
}
