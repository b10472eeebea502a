import { FormatError } from '../../../core/bytes/formatError.js';
import { HttpError, unlessMissing } from '../httpError.js';
import type { HttpAnswer, HttpRequest, HttpSession } from '../httpSession.js';
import { changedWords, type RemoteStore, type StoredObject, type StoredPage } from '../remoteStore.js';
import { md5OfList } from './md5OfList.js';
import { jsonOf, recordOf } from './jsonAnswer.js';

/** How a bucket is reached and who asks. */
export interface GoogleAccess {
  /** `https://storage.googleapis.com`, without a slash at its end. */
  endpoint: string;
  /** Asked for when it is needed, as it expires; null for anonymous requests. */
  token: (() => Promise<string>) | null;
  /** The project that pays for what is read of a bucket whose owner does not. */
  payingProject: string | null;
}

/** What of an object is asked for. */
const fields = 'nextPageToken,prefixes,items(name,size,updated,generation,md5Hash)';

/** A bucket of Google Cloud Storage, by its JSON API. */
export class GoogleStore implements RemoteStore {
  readonly id: string;

  constructor(
    private readonly session: HttpSession,
    private readonly bucket: string,
    private readonly access: GoogleAccess,
  ) {
    this.id = [access.endpoint, bucket].join(' ');
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
    const query = { alt: 'media', ...(version === null ? {} : { ifGenerationMatch: version }) };
    const { bytes } = await this.#send(`/${encodeURIComponent(path)}`, query, { range: { offset, length, sizeBytes }, signal });
    return bytes;
  }

  async find(path: string, signal?: AbortSignal): Promise<StoredObject | null> {
    const query = { fields: 'name,size,updated,generation,md5Hash' };
    const found = await unlessMissing(() => this.#send(`/${encodeURIComponent(path)}`, query, { signal }));
    return found === null ? null : (objectOf(jsonOf(found))[0] ?? null);
  }

  async *#pages(query: Readonly<Record<string, string>>, signal: AbortSignal | undefined): AsyncGenerator<StoredPage> {
    let token = '';
    do {
      const continued = token === '' ? {} : { pageToken: token };
      const page = recordOf(jsonOf(await this.#send('', { fields, maxResults: '1000', ...query, ...continued }, { signal })));
      const listOf = (name: string): unknown[] => (Array.isArray(page[name]) ? page[name] : []);
      const folders = listOf('prefixes').filter((prefix) => typeof prefix === 'string');
      yield { files: listOf('items').flatMap(objectOf), folders: folders.map((path) => path.replace(/\/$/, '')) };
      const next = typeof page['nextPageToken'] === 'string' ? page['nextPageToken'] : '';
      if (next !== '' && next === token) throw new FormatError('io', 'the list of the store has no end');
      token = next;
    } while (token !== '');
  }

  async #send(
    path: string,
    query: Readonly<Record<string, string>>,
    request: Pick<HttpRequest, 'range' | 'signal'>,
  ): Promise<HttpAnswer> {
    const { endpoint, token, payingProject } = this.access;
    const parameters = new URLSearchParams({ ...query, ...(payingProject === null ? {} : { userProject: payingProject }) });
    const url = `${endpoint}/storage/v1/b/${encodeURIComponent(this.bucket)}/o${path}?${parameters.toString()}`;
    const sign = async (_: string, headers: Readonly<Record<string, string>>) =>
      token === null ? headers : { ...headers, authorization: `Bearer ${await token()}` };
    try {
      return await this.session.send({ ...request, url, sign });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      throw error.inWords(this.#refusalWords(error));
    }
  }

  #refusalWords({ status, body }: HttpError): string {
    const login = '`gcloud auth application-default login` gives the login of somebody who may read it';
    if (status === 412) return changedWords;
    if (status === 404) return `there is no bucket ${this.bucket}, or no such object in it`;
    if (body.includes('requester pays'))
      return 'whoever reads this bucket has to pay: it needs a project (GOOGLE_CLOUD_QUOTA_PROJECT)';
    if (status === 401)
      return this.access.token === null ? `the bucket is not public: ${login}` : `the login has expired: ${login}`;
    if (status === 403) return `the bucket may not be read: ${login}`;
    return `the store answers ${status}`;
  }
}

function objectOf(item: unknown): StoredObject[] {
  const { name, size, updated, generation, md5Hash } = recordOf(item);
  const sizeBytes = Number(size);
  if (typeof name !== 'string' || name === '' || !Number.isSafeInteger(sizeBytes) || sizeBytes < 0) return [];
  const modifiedMs = typeof updated === 'string' ? Date.parse(updated) : Number.NaN;
  return [
    {
      path: name,
      sizeBytes,
      modifiedMs: Number.isNaN(modifiedMs) ? null : modifiedMs,
      version: typeof generation === 'string' ? generation : null,
      digest: md5OfList(md5Hash, 'the list of the bucket'),
    },
  ];
}
