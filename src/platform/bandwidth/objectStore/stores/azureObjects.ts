import { limits } from '../../../../core/bytes/limits.js';
import { plainText, tagOf, tagsOf } from '../../../objectStore/answerText.js';
import { StoreConnection, type StoreAnswer, type StoreRequest } from '../../../objectStore/storeConnection.js';
import { StoreRefusal } from '../../../objectStore/storeRefusal.js';
import { azureUrl, signedHeaders, type AzureAccess } from '../../../remote/stores/azureRequest.js';
import { listPages, type ListedUpload, type ObjectStore, type ObjectUpload } from './objectStore.js';
import { unlessMissing } from './unlessMissing.js';

/** A container of Azure Blob Storage: block blobs, whose blocks are written at the same time and named by a list in the end. */
export class AzureObjects implements ObjectStore {
  readonly type = 'az';
  readonly region = null;
  readonly leastPartBytes = 1;
  readonly connection: StoreConnection;

  constructor(
    private readonly container: string,
    private readonly access: AzureAccess,
    silenceMs?: number,
  ) {
    this.connection = new StoreConnection(() => new URL(access.endpoint), silenceMs);
  }

  /** Put Blob. */
  async put(key: string, body: Uint8Array, signal: AbortSignal): Promise<string | null> {
    const headers = { 'x-ms-blob-type': 'BlockBlob' };
    return versionOf(await this.#send({ method: 'PUT', key, headers, body, signal }));
  }

  /** Nothing is asked of the store for that: the first block makes the blob. */
  beginUpload(key: string): Promise<ObjectUpload> {
    return Promise.resolve({ key, id: '' });
  }

  /** Put Block. Names of the blocks of a blob are of one length. */
  async putPart({ key }: ObjectUpload, number: number, body: Uint8Array, signal: AbortSignal): Promise<string> {
    const blockid = btoa(String(number).padStart(5, '0'));
    await this.#send({ method: 'PUT', key, query: { comp: 'block', blockid }, body, signal });
    return blockid;
  }

  /** Put Block List. */
  async completeUpload({ key }: ObjectUpload, tags: readonly string[], signal: AbortSignal): Promise<string | null> {
    const blocks = tags.map((tag) => `<Latest>${tag}</Latest>`);
    const body = Buffer.from(`<?xml version="1.0" encoding="utf-8"?><BlockList>${blocks.join('')}</BlockList>`);
    return versionOf(await this.#send({ method: 'PUT', key, query: { comp: 'blocklist' }, body, signal }));
  }

  /** Blocks of no list have no request that removes them, and a blob of such alone cannot be deleted: an empty blob takes their place first (Put Block, "Remarks"). */
  async abortUpload({ key }: ObjectUpload, signal: AbortSignal): Promise<void> {
    const version = await this.put(key, new Uint8Array(0), signal);
    await this.remove(key, version === null ? [] : [version], signal);
  }

  async listUploads(prefix: string, signal: AbortSignal): Promise<ListedUpload[]> {
    const whole = new Set((await this.list(prefix, signal)).map(({ key }) => key));
    const all = await this.#list({ prefix, include: 'uncommittedblobs' }, 'Blob', signal);
    return all
      .map(nameOf)
      .filter((key) => !whole.has(key))
      .map((key) => ({ key, id: '', heldBytes: null }));
  }

  async get(key: string, mostBytes: number, signal: AbortSignal): Promise<Buffer> {
    return (await this.#send({ method: 'GET', key, answerBytes: mostBytes, signal })).body;
  }

  /** Get Blob with a range. */
  async getRange(key: string, offset: number, length: number, signal: AbortSignal): Promise<Buffer> {
    const headers = { range: `bytes=${offset}-${offset + length - 1}` };
    return (await this.#send({ method: 'GET', key, headers, answerBytes: length, signal })).body;
  }

  /** List Blobs. */
  async list(prefix: string, signal: AbortSignal): Promise<{ key: string; sizeBytes: number }[]> {
    const blobs = await this.#list({ prefix }, 'Blob', signal);
    return blobs.map((blob) => ({ key: nameOf(blob), sizeBytes: Number(tagOf(blob, 'Content-Length')) || 0 }));
  }

  async listFolders(prefix: string, signal: AbortSignal): Promise<string[]> {
    const folders = await this.#list({ prefix, delimiter: '/' }, 'BlobPrefix', signal);
    return folders.map((folder) => nameOf(folder).replace(/\/$/, ''));
  }

  async listVersions(prefix: string, signal: AbortSignal): Promise<{ key: string; version: string }[]> {
    const blobs = await this.#list({ prefix, include: 'versions' }, 'Blob', signal);
    return blobs
      .map((blob) => ({ key: nameOf(blob), version: plainText(tagOf(blob, 'VersionId')) }))
      .filter(({ version }) => version !== '');
  }

  /** The blob first: its newest version is one that can be removed only then (Delete Blob, "Remarks"). */
  async remove(key: string, versions: readonly string[], signal: AbortSignal): Promise<void> {
    for (const query of [{}, ...versions.map((versionid) => ({ versionid }))])
      await unlessMissing(this.#send({ method: 'DELETE', key, query, signal }));
  }

  /** Of an account with a hierarchical namespace: Delete Blob takes an empty folder there. */
  async removeFolder(prefix: string, signal: AbortSignal): Promise<void> {
    await this.#send({ method: 'DELETE', key: prefix, signal });
  }

  /** Elements of a list, page by page. */
  async #list(query: Readonly<Record<string, string>>, element: string, signal: AbortSignal): Promise<string[]> {
    const found: string[] = [];
    let marker = '';
    for (let page = 0; page < listPages; page++) {
      const listed = { restype: 'container', comp: 'list', ...query, ...(marker === '' ? {} : { marker }) };
      const { body } = await this.#send({ method: 'GET', key: '', query: listed, signal });
      const text = body.toString('utf8');
      for (const entry of tagsOf(text, element)) found.push(entry);
      marker = plainText(tagOf(text, 'NextMarker'));
      if (marker === '') break;
    }
    return found;
  }

  #send({ method, key, query = {}, headers = {}, body, signal, answerBytes }: AzureRequest): Promise<StoreAnswer> {
    const { proof } = this.access;
    const url = azureUrl(this.access, this.container, key, query);
    const make = async (): Promise<StoreRequest> => {
      const signed = await signedHeaders(this.access, method, url, headers, body?.length ?? 0);
      return { method, url, headers: signed, body };
    };
    return this.connection.send(make, {
      signal,
      keys: proof.kind === 'key' ? [proof.key] : [],
      answerBytes: answerBytes ?? limits.storeAnswerBytes,
      refusalOf: (status, sent, text) => this.#refusalOf(status, sent['x-ms-error-code'], text),
    });
  }

  /** "Status and error codes": the code is in a header too, and there alone where there is no body. */
  #refusalOf(status: number, header: string | string[] | undefined, body: string): StoreRefusal {
    const code = typeof header === 'string' ? header : tagOf(body, 'Code');
    const [said = ''] = plainText(tagOf(body, 'Message')).split('\n');
    const login = 'AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN or `az login` gives access';
    const isRefused = [401, 403, 404, 409].includes(status) && this.access.proof.kind === 'anonymous';
    return new StoreRefusal(
      // To those who prove nothing, a container that is not public does not exist.
      isRefused ? 403 : status,
      code,
      [...(isRefused ? [login] : []), said].filter((part) => part !== '').join(': '),
    );
  }
}

interface AzureRequest {
  method: StoreRequest['method'];
  /** Empty for the container itself. */
  key: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
  signal: AbortSignal;
  answerBytes?: number;
}

function nameOf(entry: string): string {
  return plainText(tagOf(entry, 'Name'));
}

function versionOf({ headers }: StoreAnswer): string | null {
  const version = headers['x-ms-version-id'];
  return typeof version === 'string' ? version : null;
}
