import type { FileTree } from '../../core/files/fileTree.js';
import { parseRemoteAddress, remoteAddressText, remoteRootName } from '../../core/files/remote/remoteAddress.js';
import type { HeaderCache } from './headerCache.js';
import type { HttpSession } from './httpSession.js';
import type { RemoteAccess } from './remoteAccess.js';
import { createRemoteFileTree } from './remoteFileTree.js';
import { remoteStoreOf } from './remoteStoreOf.js';

/**
 * The files at an address.
 * @throws FormatError `unsupported` for what is no address, `io` for what is not there or may not be read, `cancelled`, `limit-exceeded`
 */
export async function openRemoteTree(
  text: string,
  session: HttpSession,
  access: RemoteAccess,
  cache: HeaderCache | null,
  signal?: AbortSignal,
): Promise<FileTree> {
  const address = parseRemoteAddress(text);
  const { store, path } = await remoteStoreOf(address, session, access);
  return createRemoteFileTree(
    store,
    { name: remoteRootName(address), address: remoteAddressText(address), path },
    { cache, onListed: (files, bytes) => session.budget.listed(files, bytes) },
    signal,
  );
}
