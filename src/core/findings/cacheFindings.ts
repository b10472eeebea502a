/** Findings in the cache of the Hugging Face Hub. What its own commands do is that of huggingface_hub 2.4 (cli/cache.py). */
import { counted, listed } from '../text/quantities.js';
import { formatBytes } from '../text/units.js';
import { defineFinding } from './defineFinding.js';

/** Why `hf cache` does not help there (utils/_cache_manager.py, `_scan_cached_repo`). */
const skipped = 'huggingface_hub leaves the whole repository out of hf cache ls, rm and prune.';

export const cacheFindings = {
  'cache-link-broken': defineFinding<{ links: number; first: string; revision: string; command: string | null }>({
    severity: 'error',
    example: {
      links: 1,
      first: 'model.safetensors',
      revision: 'model/org/name@0123456',
      command: 'hf download org/name --revision 0123456789abcdef0123456789abcdef01234567',
    },
    words: ({ links, first, revision, command }) => ({
      message: `${counted(links, 'link')} of ${revision} to ${links === 1 ? 'a blob that is' : 'blobs that are'} not there: ${first}${links === 1 ? '' : ', …'}.`,
      effect: `Loading the revision offline fails, and ${skipped}`,
      advice: command === null ? 'Download the revision again.' : `${command} downloads what is missing.`,
    }),
  }),
  'cache-download-incomplete': defineFinding({
    severity: 'warning',
    example: { files: 2, bytes: 4_976_698_672, repository: 'model/org/name' },
    words: ({ files, bytes, repository }) => ({
      message: `${counted(files, 'incomplete download')} of ${repository}: ${formatBytes(bytes)}.`,
      effect: 'No revision has these bytes, and huggingface_hub 2 downloads such a file again from its beginning.',
      advice: 'When no download is running, hf cache prune removes them.',
    }),
  }),
  'cache-ref-missing': defineFinding<{ refs: string[]; repository: string }>({
    severity: 'warning',
    example: { refs: ['main'], repository: 'model/org/name' },
    words: ({ refs, repository }) => ({
      message: `${refs.length === 1 ? 'Ref' : 'Refs'} ${listed(refs)} of ${repository} ${refs.length === 1 ? 'names a revision' : 'name revisions'} without files here.`,
      effect: `Loading by this name offline fails, and ${skipped}`,
      advice: 'Download it again, or delete the file in refs.',
    }),
  }),
  'cache-revision-detached': defineFinding<{ revision: string; commit: string | null; bytes: number }>({
    severity: 'note',
    example: { revision: 'model/org/name@0123456', commit: '0123456789abcdef0123456789abcdef01234567', bytes: 16_060_522_240 },
    words: ({ revision, commit, bytes }) => ({
      message: `No ref names ${revision}: ${formatBytes(bytes)} that no other revision has.`,
      effect: 'hf cache prune removes it. A revision that was downloaded by its commit hash has no ref either.',
      advice:
        commit === null
          ? 'Remove it if it is no longer needed.'
          : `If it is no longer needed, hf cache rm ${commit} removes it alone.`,
    }),
  }),
  'cache-blobs-unlinked': defineFinding({
    severity: 'note',
    example: { blobs: 2, bytes: 4_976_698_672, repository: 'model/org/name' },
    words: ({ blobs, bytes, repository }) => ({
      message: `${counted(blobs, 'blob')} of ${repository} without a link from any snapshot: ${formatBytes(bytes)}.`,
      effect: 'No revision loads them. hf cache prune does not remove them.',
      advice: `If no download is running, delete these files, or remove the whole repository: hf cache rm ${repository} does so.`,
    }),
  }),
  'cache-store-unlinked': defineFinding({
    severity: 'note',
    example: { blobs: 2, bytes: 4_976_698_672 },
    words: ({ blobs, bytes }) => ({
      message: `${counted(blobs, 'file')} of the shared store that no repository links: ${formatBytes(bytes)}.`,
      effect: 'Repositories that had them were removed by hand or by an older version.',
      advice: 'hf cache prune removes those with a manifest (.refs).',
    }),
  }),
  'cache-without-links': defineFinding({
    severity: 'note',
    example: { files: 12, bytes: 16_060_522_240 },
    words: ({ files, bytes }) => ({
      message: `${counted(files, 'file')} in snapshots ${files === 1 ? 'is no link' : 'are no links'}: ${formatBytes(bytes)}.`,
      effect: 'Revisions share nothing: a file that is the same in two of them is stored in each.',
      advice: 'Allow symbolic links (on Windows: Developer Mode) before the next download.',
    }),
  }),
  'cache-revision-without-weights': defineFinding<{ files: number; revision: string; command: string | null }>({
    severity: 'note',
    example: {
      files: 2,
      revision: 'model/org/name@0123456',
      command: 'hf download org/name --revision 0123456789abcdef0123456789abcdef01234567',
    },
    words: ({ files, revision, command }) => ({
      message: `${counted(files, 'file')} of ${revision} and no weights.`,
      effect: 'The cache holds the files that were downloaded, which may be fewer than the repository has.',
      advice: command === null ? 'Download the revision for its weights.' : `${command} downloads the others.`,
    }),
  }),
  'cache-blobs-alone': defineFinding({
    severity: 'note',
    example: { files: 12 },
    words: ({ files }) => ({
      message: `Blobs of the Hugging Face cache: ${counted(files, 'file')} named by ETag.`,
      effect: 'Their file names and revisions are in the directory snapshots beside this one.',
      advice: 'Inspect the directory around this one.',
    }),
  }),
};
