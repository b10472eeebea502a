import { limits } from '../../../../core/bytes/limits.js';
import { baseName, parentPath } from '../../../../core/files/paths.js';
import { plainText, tagOf } from '../../../objectStore/answerText.js';
import { StoreConnection, type StoreAnswer, type StoreRequest } from '../../../objectStore/storeConnection.js';
import { StoreRefusal } from '../../../objectStore/storeRefusal.js';
import type { GoogleAccess } from '../../../remote/stores/googleStore.js';
import { jsonOf, recordOf } from '../../../remote/stores/jsonAnswer.js';
import { forEachAtOnce } from '../../forEachAtOnce.js';
import { listPages, type ListedUpload, type ObjectStore, type ObjectUpload } from './objectStore.js';
import { unlessMissing } from './unlessMissing.js';

/** Objects that one request puts together (JSON API, `objects.compose`). */
const composedAtOnce = 32;
/** Parts that are removed at the same time. */
const removalsAtOnce = 8;
/** No data of a check is called so. */
const partName = /^\.stowage-part-\d+-\d{5}-(.+)$/s;

interface Listed {
  name: string;
  sizeBytes: number;
  generation: string;
}

/**
 * A bucket of Google Cloud Storage, by its JSON API. Parts are objects of their own beside the object that they are put together to (`objects.compose`), and
 * are removed with that, as `gcloud storage cp` does in its parallel composite uploads: resumable uploads take one part after the other.
 */
export class GoogleObjects implements ObjectStore {
  readonly type = 'gs';
  readonly region = null;
  readonly leastPartBytes = 1;
  readonly connection: StoreConnection;
  /** Generations of parts that were written, by the keys of the objects and of the parts. */
  readonly #parts = new Map<string, Map<string, string[]>>();

  constructor(
    private readonly bucket: string,
    private readonly access: GoogleAccess,
    silenceMs?: number,
  ) {
    this.connection = new StoreConnection(() => new URL(access.endpoint), silenceMs);
  }

  async put(key: string, body: Uint8Array, signal: AbortSignal): Promise<string | null> {
    const query = { uploadType: 'media', name: key };
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await this.#send({ method: 'POST', place: this.#objects('/upload'), query, headers, body, signal });
    return generationOf(answer);
  }

  /** Nothing is asked of the store for that. */
  beginUpload(key: string): Promise<ObjectUpload> {
    this.#parts.set(key, new Map());
    return Promise.resolve({ key, id: '' });
  }

  putPart({ key }: ObjectUpload, number: number, body: Uint8Array, signal: AbortSignal): Promise<string> {
    return this.#notedPart(key, partKey(key, 0, number), (part) => this.put(part, body, signal));
  }

  /** Of more parts than one request takes, some are put together first. */
  async completeUpload(upload: ObjectUpload, tags: readonly string[], signal: AbortSignal): Promise<string | null> {
    const { key } = upload;
    let sources = tags;
    for (let level = 1; sources.length > composedAtOnce; level += 1) {
      const composed: string[] = [];
      for (let next = 0; next < sources.length; next += composedAtOnce) {
        const some = sources.slice(next, next + composedAtOnce);
        const name = partKey(key, level, composed.length + 1);
        composed.push(await this.#notedPart(key, name, (part) => this.#compose(part, some, signal)));
      }
      sources = composed;
    }
    const version = await this.#compose(key, sources, signal);
    await this.abortUpload(upload, signal);
    return version;
  }

  async abortUpload({ key }: ObjectUpload, signal: AbortSignal): Promise<void> {
    const parts = [...(this.#parts.get(key) ?? [])];
    await forEachAtOnce(parts, removalsAtOnce, ([part, versions]) => this.remove(part, versions, signal));
    this.#parts.delete(key);
  }

  /** Finds parts by their names, those of versions that are kept too. */
  async listUploads(prefix: string, signal: AbortSignal): Promise<ListedUpload[]> {
    const held = new Map<string, number>();
    for (const { name, generation, sizeBytes } of await this.#list(
      { prefix: `${prefix}.stowage-part-`, versions: 'true' },
      signal,
    )) {
      const [, object] = partName.exec(baseName(name)) ?? [];
      if (object === undefined) continue;
      const key = `${parentPath(name)}/${object}`;
      held.set(key, (held.get(key) ?? 0) + sizeBytes);
      this.#note(key, name, generation);
    }
    return [...held].map(([key, heldBytes]) => ({ key, id: '', heldBytes }));
  }

  async get(key: string, mostBytes: number, signal: AbortSignal): Promise<Buffer> {
    return this.#read(key, {}, mostBytes, signal);
  }

  getRange(key: string, offset: number, length: number, signal: AbortSignal): Promise<Buffer> {
    return this.#read(key, { range: `bytes=${offset}-${offset + length - 1}` }, length, signal);
  }

  async list(prefix: string, signal: AbortSignal): Promise<{ key: string; sizeBytes: number }[]> {
    const listed = await this.#list({ prefix }, signal);
    return listed.map(({ name, sizeBytes }) => ({ key: name, sizeBytes }));
  }

  async listFolders(prefix: string, signal: AbortSignal): Promise<string[]> {
    const folders: string[] = [];
    for await (const page of this.#pages({ prefix, delimiter: '/' }, signal))
      for (const folder of listOf(page, 'prefixes')) folders.push(String(folder).replace(/\/$/, ''));
    return folders;
  }

  async listVersions(prefix: string, signal: AbortSignal): Promise<{ key: string; version: string }[]> {
    const listed = await this.#list({ prefix, versions: 'true' }, signal);
    return listed.map(({ name, generation }) => ({ key: name, version: generation }));
  }

  /** By its versions, which leaves none in a bucket that keeps them, and by its name, as an answer with a version may have been lost. */
  async remove(key: string, versions: readonly string[], signal: AbortSignal): Promise<void> {
    for (const generation of [...versions.map((version) => ({ generation: version })), {}])
      await unlessMissing(this.#send({ method: 'DELETE', place: this.#object(key), query: generation, signal }));
  }

  /** Of a bucket with a hierarchical namespace. */
  async removeFolder(prefix: string, signal: AbortSignal): Promise<void> {
    const place = `/storage/v1/b/${encodeURIComponent(this.bucket)}/folders/${encodeURIComponent(`${prefix}/`)}`;
    await this.#send({ method: 'DELETE', place, signal });
  }

  async #notedPart(key: string, part: string, write: (part: string) => Promise<string | null>): Promise<string> {
    // Before the answer, which may be lost.
    this.#note(key, part, null);
    this.#note(key, part, await write(part));
    return part;
  }

  #note(key: string, part: string, generation: string | null): void {
    const parts = this.#parts.get(key) ?? new Map<string, string[]>();
    this.#parts.set(key, parts);
    parts.set(part, [...(parts.get(part) ?? []), ...(generation === null ? [] : [generation])]);
  }

  async #compose(key: string, sources: readonly string[], signal: AbortSignal): Promise<string | null> {
    const body = Buffer.from(
      JSON.stringify({
        sourceObjects: sources.map((name) => ({ name })),
        destination: { contentType: 'application/octet-stream' },
      }),
    );
    const headers = { 'content-type': 'application/json' };
    return generationOf(await this.#send({ method: 'POST', place: `${this.#object(key)}/compose`, headers, body, signal }));
  }

  async #read(key: string, headers: Record<string, string>, answerBytes: number, signal: AbortSignal): Promise<Buffer> {
    const query = { alt: 'media' };
    return (await this.#send({ method: 'GET', place: this.#object(key), query, headers, answerBytes, signal })).body;
  }

  async #list(query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Listed[]> {
    const found: Listed[] = [];
    for await (const page of this.#pages(query, signal)) {
      for (const item of listOf(page, 'items').map(recordOf)) {
        const { name, size, generation } = item;
        if (typeof name === 'string' && typeof generation === 'string')
          found.push({ name, generation, sizeBytes: Number(size) || 0 });
      }
    }
    return found;
  }

  async *#pages(query: Readonly<Record<string, string>>, signal: AbortSignal): AsyncGenerator<Record<string, unknown>> {
    const fields = 'nextPageToken,prefixes,items(name,size,generation)';
    let token = '';
    for (let page = 0; page < listPages; page++) {
      const next = token === '' ? {} : { pageToken: token };
      const answer = await this.#send({ method: 'GET', place: this.#objects(''), query: { fields, ...query, ...next }, signal });
      const listed = recordOf(jsonOf({ bytes: answer.body }));
      yield listed;
      token = typeof listed['nextPageToken'] === 'string' ? listed['nextPageToken'] : '';
      if (token === '') return;
    }
  }

  #objects(service: '' | '/upload'): string {
    return `${service}/storage/v1/b/${encodeURIComponent(this.bucket)}/o`;
  }

  #object(key: string): string {
    return `${this.#objects('')}/${encodeURIComponent(key)}`;
  }

  async #send(request: GoogleRequest): Promise<StoreAnswer> {
    const { method, place, query = {}, headers = {}, body, signal, answerBytes } = request;
    const { endpoint, token, payingProject } = this.access;
    const url = new URL(`${endpoint}${place}`);
    const payer = payingProject === null ? {} : { userProject: payingProject };
    for (const [name, value] of Object.entries({ ...query, ...payer })) url.searchParams.set(name, value);
    const make = async (): Promise<StoreRequest> => {
      const secret = token === null ? null : await token();
      return { method, url, headers: { ...headers, ...(secret === null ? {} : { authorization: `Bearer ${secret}` }) }, body };
    };
    const refusalOf = (status: number, _: unknown, text: string): StoreRefusal => this.#refusalOf(status, text);
    return this.connection.send(make, { signal, answerBytes: answerBytes ?? limits.storeAnswerBytes, refusalOf });
  }

  /** "HTTP status and error codes for JSON": a refusal has a reason and a message; of a download it is text alone, and what stands before the service may answer in XML. */
  #refusalOf(status: number, body: string): StoreRefusal {
    const { error } = parsed(body);
    const { message, errors } = recordOf(error);
    const { reason } = recordOf(Array.isArray(errors) ? errors[0] : undefined);
    const text = body.startsWith('<')
      ? plainText(tagOf(body, 'Message'))
      : body.startsWith('{')
        ? ''
        : (body.split('\n')[0] ?? '');
    const said = typeof message === 'string' ? message : text;
    const login = '`gcloud auth application-default login` gives the login of somebody who may write there';
    const isRefused = status === 401 || status === 403;
    return new StoreRefusal(
      status,
      typeof reason === 'string' ? reason : tagOf(body, 'Code'),
      [...(isRefused && this.access.token === null ? [login] : []), said].filter((part) => part !== '').join(': '),
    );
  }
}

interface GoogleRequest {
  method: StoreRequest['method'];
  /** Behind the host. */
  place: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
  signal: AbortSignal;
  answerBytes?: number;
}

/** @param level 0 for parts of the data, above for what was put together of those below */
function partKey(key: string, level: number, number: number): string {
  return `${parentPath(key)}/.stowage-part-${level}-${String(number).padStart(5, '0')}-${baseName(key)}`;
}

function parsed(body: string): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(body));
  } catch {
    return {};
  }
}

function listOf(page: Readonly<Record<string, unknown>>, name: string): unknown[] {
  return Array.isArray(page[name]) ? page[name] : [];
}

function generationOf({ body }: StoreAnswer): string | null {
  const { generation } = parsed(body.toString('utf8'));
  return typeof generation === 'string' ? generation : null;
}
