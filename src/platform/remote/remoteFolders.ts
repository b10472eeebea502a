import { FormatError } from '../../core/bytes/formatError.js';
import { limits } from '../../core/bytes/limits.js';
import { baseName, parentPath } from '../../core/files/paths.js';
import { parseRemoteAddress, type RemoteAddress } from '../../core/files/remote/remoteAddress.js';
import { type HttpEnvironment, HttpSession } from './httpSession.js';
import type { RemoteAccess } from './remoteAccess.js';
import type { RemoteStore, StoredObject } from './remoteStore.js';
import { remoteStoreOf } from './remoteStoreOf.js';
import { type BudgetQuestion, RequestBudget } from './requestBudget.js';

/** What is directly in a folder of a store. */
export interface RemoteFolder {
  files: ReadonlyMap<string, StoredObject>;
  folders: ReadonlySet<string>;
  /** There is more than is listed. */
  isCut: boolean;
}

/** For so long a listing is not asked for again: an explorer asks for the same folder once for each of its files. */
const freshMs = 30_000;

/** Folders of stores, one at a time as somebody opens them. */
export class RemoteFolders {
  readonly #session: HttpSession;
  readonly #listings = new Map<string, { untilMs: number; folder: Promise<RemoteFolder> }>();
  /** Stores by the address of their root: a Hub's commit is asked for once. */
  readonly #stores = new Map<string, Promise<RemoteStore>>();

  constructor(
    environment: HttpEnvironment,
    private readonly access: RemoteAccess,
    question: BudgetQuestion,
  ) {
    this.#session = new HttpSession(environment, new RequestBudget(question));
  }

  /** The folder at an address. @throws FormatError as the store does, `io` where there is none */
  async folder(text: string): Promise<RemoteFolder> {
    const address = parseRemoteAddress(text);
    const path = pathOf(address);
    const found = await this.#listed(address, path);
    if (path !== '' && found.files.size === 0 && found.folders.size === 0) throw new FormatError('io', 'there is no such folder');
    return found;
  }

  /** The file at an address; null for a folder. @throws FormatError as the store does, `io` where there is neither */
  async file(text: string): Promise<StoredObject | null> {
    const address = parseRemoteAddress(text);
    const path = pathOf(address);
    if (path === '') return null;
    const { files, folders, isCut } = await this.#listed(address, parentPath(path));
    const file = files.get(baseName(path));
    if (file !== undefined) return file;
    if (folders.has(baseName(path))) return null;
    if (!isCut) throw new FormatError('io', 'there is no such file');
    await this.folder(text);
    return null;
  }

  /** All bytes of the file at an address. @throws FormatError as `file`, `limit-exceeded` above `mostBytes` */
  async read(text: string, mostBytes: number): Promise<Uint8Array> {
    const file = await this.file(text);
    if (file === null) throw new FormatError('io', 'it is a folder');
    if (file.sizeBytes > mostBytes)
      throw new FormatError('limit-exceeded', `it has ${file.sizeBytes} bytes, more than are fetched to be opened`);
    if (file.sizeBytes === 0) return new Uint8Array(0);
    return (await this.#store(parseRemoteAddress(text))).read(file, 0, file.sizeBytes);
  }

  #listed(address: RemoteAddress, path: string): Promise<RemoteFolder> {
    const key = `${rootOf(address)} ${path}`;
    const known = this.#listings.get(key);
    if (known !== undefined && known.untilMs > Date.now()) return known.folder;
    const folder = this.#store(address).then((store) => list(store, path));
    this.#listings.set(key, { untilMs: Date.now() + freshMs, folder });
    folder.catch(() => this.#listings.delete(key));
    return folder;
  }

  #store(address: RemoteAddress): Promise<RemoteStore> {
    const root = rootOf(address);
    const known = this.#stores.get(root);
    if (known !== undefined) return known;
    const store = remoteStoreOf(address, this.#session, this.access).then((found) => found.store);
    this.#stores.set(root, store);
    store.catch(() => this.#stores.delete(root));
    return store;
  }
}

function pathOf(address: RemoteAddress): string {
  if (address.kind === 'web') throw new FormatError('unsupported', 'a web server has no folders');
  return address.path;
}

/** What tells one store from another. */
function rootOf(address: RemoteAddress): string {
  return address.kind === 'web' ? address.url : JSON.stringify({ ...address, path: '' });
}

async function list(store: RemoteStore, path: string): Promise<RemoteFolder> {
  const files = new Map<string, StoredObject>();
  const folders = new Set<string>();
  for await (const page of store.list(path, false)) {
    for (const file of page.files) if (isName(baseName(file.path))) files.set(baseName(file.path), file);
    for (const folder of page.folders) if (isName(baseName(folder))) folders.add(baseName(folder));
    if (files.size + folders.size > limits.remoteFolderEntries) return { files, folders, isCut: true };
  }
  return { files, folders, isCut: false };
}

/** A name that leads elsewhere is none among files; a marker of the folder itself has none. */
function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('\\');
}
