import { baseName, parentPath } from '../../core/files/paths.js';
import type { RemoteAddress } from '../../core/files/remote/remoteAddress.js';
import type { HttpSession } from './httpSession.js';
import type { RemoteAccess } from './remoteAccess.js';
import type { RemoteStore } from './remoteStore.js';
import { AzureStore } from './stores/azureStore.js';
import { GoogleStore } from './stores/googleStore.js';
import { HubStore } from './stores/hubStore.js';
import { S3Store } from './stores/s3Store.js';
import { WebStore } from './stores/webStore.js';

/** The store of an address, and the path of the address in it. @throws FormatError `io` for settings that cannot be used */
export async function remoteStoreOf(
  address: RemoteAddress,
  session: HttpSession,
  access: RemoteAccess,
): Promise<{ store: RemoteStore; path: string }> {
  switch (address.kind) {
    case 'hub':
      return { store: new HubStore(session, address, await access.hub()), path: address.path };
    case 's3':
      return { store: new S3Store(session, address.bucket, await access.s3(address, session)), path: address.path };
    case 'gs':
      return { store: new GoogleStore(session, address.bucket, await access.google(address, session)), path: address.path };
    case 'azure':
      return { store: new AzureStore(session, address.container, await access.azure(address, session)), path: address.path };
    case 'web': {
      const url = new URL(address.url);
      const file = decodeURIComponent(url.pathname.slice(1));
      const folder = parentPath(url.pathname.slice(1));
      const base = `${url.origin}/${folder === '' ? '' : `${folder}/`}`;
      return { store: new WebStore(session, base, url.search.slice(1)), path: baseName(file) };
    }
  }
}
