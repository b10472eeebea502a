import { FormatError } from '../../../core/bytes/formatError.js';
import { plainText, tagOf, tagsOf } from '../../objectStore/answerText.js';
import { headedObject } from './headedObject.js';
import { HttpError, unlessMissing } from '../httpError.js';
import type { HttpAnswer, HttpRequest, HttpSession } from '../httpSession.js';
import { changedWords, type RemoteStore, type StoredObject, type StoredPage } from '../remoteStore.js';
import { md5OfList } from './md5OfList.js';
import { azureUrl, signedHeaders, type AzureAccess } from './azureRequest.js';

/** A container of Azure Blob Storage. */
export class AzureStore implements RemoteStore {
  readonly id: string;

  constructor(
    private readonly session: HttpSession,
    private readonly container: string,
    private readonly access: AzureAccess,
  ) {
    this.id = [access.endpoint, container].join(' ');
  }

  list(folder: string, isDeep: boolean, signal?: AbortSignal): AsyncIterable<StoredPage> {
    return this.#pages({ ...(folder === '' ? {} : { prefix: `${folder}/` }), ...(isDeep ? {} : { delimiter: '/' }) }, signal);
  }

  async read(
    { path, version, sizeBytes }: StoredObject,
    offset: number,
    length: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    const headers = version === null ? {} : { 'if-match': version };
    const { bytes } = await this.#send(path, {}, { headers, range: { offset, length, sizeBytes }, signal });
    return bytes;
  }

  async find(path: string, signal?: AbortSignal): Promise<StoredObject | null> {
    return unlessMissing(async () => headedObject(path, (await this.#send(path, {}, { method: 'HEAD', signal })).headers));
  }

  /** List Blobs. */
  async *#pages(query: Readonly<Record<string, string>>, signal: AbortSignal | undefined): AsyncGenerator<StoredPage> {
    let marker = '';
    do {
      const continued = marker === '' ? {} : { marker };
      const listed = { restype: 'container', comp: 'list', maxresults: '1000', ...query, ...continued };
      const { bytes } = await this.#send('', listed, { signal });
      const text = new TextDecoder().decode(bytes);
      if (!text.includes('EnumerationResults')) throw new FormatError('io', 'the store sends something other than a list');
      const folders = tagsOf(text, 'BlobPrefix').map((item) => plainText(tagOf(item, 'Name')).replace(/\/$/, ''));
      yield { files: tagsOf(text, 'Blob').flatMap(blobOf), folders };
      const next = plainText(tagOf(text, 'NextMarker'));
      if (next !== '' && next === marker) throw new FormatError('io', 'the list of the store has no end');
      marker = next;
    } while (marker !== '');
  }

  async #send(
    blob: string,
    query: Readonly<Record<string, string>>,
    request: Pick<HttpRequest, 'method' | 'headers' | 'range' | 'signal'>,
  ): Promise<HttpAnswer> {
    const url = azureUrl(this.access, this.container, blob, query).toString();
    try {
      return await this.session.send({
        ...request,
        url,
        sign: (signed, headers) => signedHeaders(this.access, request.method ?? 'GET', new URL(signed), headers),
      });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      throw error.inWords(this.#refusalWords(error));
    }
  }

  #refusalWords({ status, headers, body }: HttpError): string {
    const code = headers.get('x-ms-error-code') ?? tagOf(body, 'Code');
    if (status === 412) return changedWords;
    if (code === 'ContainerNotFound') return `there is no container ${this.container}`;
    if (code === 'BlobNotFound') return 'there is no such blob any more';
    if (code === 'AuthenticationFailed')
      return this.access.proof.kind === 'signature'
        ? 'the shared access signature is not valid, or it has expired'
        : 'the storage account refuses the key or the login';
    if (status === 401 || status === 403 || code === 'ResourceNotFound' || code === 'PublicAccessNotPermitted')
      return this.access.proof.kind === 'anonymous'
        ? 'the container is not public: AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN or `az login` gives access'
        : 'it may not be read with this key, signature or login';
    return `the store answers ${status}${/^[A-Za-z]{1,60}$/.test(code) ? ` ${code}` : ''}`;
  }
}

function blobOf(item: string): StoredObject[] {
  const path = plainText(tagOf(item, 'Name'));
  const length = tagOf(item, 'Content-Length');
  const sizeBytes = Number(length);
  // A directory of a hierarchical namespace is listed too.
  if (
    path === '' ||
    length === '' ||
    tagOf(item, 'ResourceType') === 'directory' ||
    !Number.isSafeInteger(sizeBytes) ||
    sizeBytes < 0
  )
    return [];
  const modifiedMs = Date.parse(tagOf(item, 'Last-Modified'));
  const tag = plainText(tagOf(item, 'Etag'));
  const version = tag === '' ? null : tag.startsWith('"') ? tag : `"${tag}"`;
  const digest = md5OfList(plainText(tagOf(item, 'Content-MD5')), 'the list of the container');
  return [{ path, sizeBytes, modifiedMs: Number.isNaN(modifiedMs) ? null : modifiedMs, version, digest }];
}
