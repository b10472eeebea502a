import { parseRemoteAddress, remoteRootName, type RemoteAddress } from './remoteAddress.js';
import { isRemoteAddress } from './remoteScheme.js';

/** A copy of what is at an address, as the store's own program makes it in the current directory. */
export interface LocalCopy {
  /** `./name` */
  path: string;
  /** The words of the command, of which `path` and the address are to be quoted; null where no program is known. */
  words: readonly (string | { path: string })[] | null;
}

/** Null for a path of this machine. */
export function localCopy(place: string): LocalCopy | null {
  if (!isRemoteAddress(place)) return null;
  const address = parseRemoteAddress(place);
  const path = `./${remoteRootName(address)}`;
  return { path, words: wordsOf(address, place, path) };
}

function wordsOf(address: RemoteAddress, place: string, path: string): LocalCopy['words'] {
  switch (address.kind) {
    case 's3':
      return ['aws s3 cp --recursive', { path: place }, { path }];
    case 'gs':
      return ['gcloud storage rsync --recursive', { path: place }, { path }];
    case 'hub': {
      const { repository, id, revision } = address;
      if (address.path !== '' || repository === 'bucket' || repository === 'kernel') return null;
      const type = repository === 'model' ? [] : ['--repo-type', repository];
      return [
        'hf download',
        { path: id },
        ...type,
        ...(revision === null ? [] : ['--revision', { path: revision }]),
        '--local-dir',
        { path },
      ];
    }
    default:
      return null;
  }
}
