import { FormatError } from '../../../core/bytes/formatError.js';
import { isSafeFileName, joinPath } from '../../../core/files/paths.js';
import { HttpError } from '../httpError.js';
import type { HttpSession } from '../httpSession.js';
import { changedWords, type RemoteStore, type StoredObject, type StoredPage } from '../remoteStore.js';
import { jsonOf, recordOf } from './jsonAnswer.js';

/** What is looked for beside the index of a model. */
const besideIndex = [
  'config.json',
  'generation_config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'special_tokens_map.json',
  'tokenizer.model',
];
/** Of one index. The largest models have some hundred. */
const mostShards = 1_000;

/** Files of a web server that are named one by one: a server has no listing that all agree on. */
export class WebStore implements RemoteStore {
  readonly id: string;

  /**
   * @param base the address of the folder, with a slash at its end
   * @param query what is behind the question mark of the address, which goes with each request; empty without one
   */
  constructor(
    private readonly session: HttpSession,
    private readonly base: string,
    private readonly query: string,
  ) {
    this.id = base;
  }

  async *list(): AsyncGenerator<StoredPage> {
    // A web server has no folders.
  }

  async look(folder: string, names: ReadonlySet<string>, signal?: AbortSignal): Promise<readonly StoredObject[]> {
    const [first, ...others] = names;
    if (first === undefined) return [];
    const object = await this.#at(joinPath(folder, first), signal);
    if (object === null) throw new FormatError('io', 'there is no such file');
    const more = first.endsWith('.index.json') ? await this.#namesOfIndex(object, signal) : others;
    const found = await Promise.all(more.map((name) => this.#beside(joinPath(folder, name), signal)));
    return [object, ...found.filter((each) => each !== null)];
  }

  async read(
    { path, version, sizeBytes }: StoredObject,
    offset: number,
    length: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    const headers = version === null ? {} : { 'if-match': version };
    try {
      return (await this.session.send({ url: this.#url(path), headers, range: { offset, length, sizeBytes }, signal })).bytes;
    } catch (error) {
      throw error instanceof HttpError ? error.inWords(error.status === 412 ? changedWords : refusalWords(error)) : error;
    }
  }

  /** A file that may be there: what is signed is one file alone, and others are refused. */
  async #beside(path: string, signal: AbortSignal | undefined): Promise<StoredObject | null> {
    try {
      return await this.#at(path, signal);
    } catch (error) {
      if (error instanceof HttpError && [400, 401, 403].includes(error.status)) return null;
      throw error;
    }
  }

  /** The shards that an index names, and what describes their model. */
  async #namesOfIndex(index: StoredObject, signal: AbortSignal | undefined): Promise<string[]> {
    const bytes = await this.read(index, 0, index.sizeBytes, signal);
    const map = Object.values(recordOf(recordOf(jsonOf({ bytes }))['weight_map']));
    const shards = new Set(map.filter((name): name is string => typeof name === 'string' && isSafeFileName(name)));
    return [...[...shards].slice(0, mostShards), ...besideIndex];
  }

  /** Size and version of a file; null where there is none. */
  async #at(path: string, signal: AbortSignal | undefined): Promise<StoredObject | null> {
    try {
      const { headers, sizeBytes } = await this.#facts(path, signal);
      if (sizeBytes === null) throw new FormatError('unsupported', 'the server does not say how large the file is');
      if (/^text\/html\b/i.test(headers.get('content-type') ?? '') && !/\.html?$/i.test(path))
        throw new FormatError('io', 'the server sends a web page, not the file');
      const tag = headers.get('etag');
      const modifiedMs = Date.parse(headers.get('last-modified') ?? '');
      // A weak tag does not say that bytes are equal (RFC 9110, 8.8.1).
      const version = tag === null || tag.startsWith('W/') ? null : tag;
      return { path, sizeBytes, modifiedMs: Number.isNaN(modifiedMs) ? null : modifiedMs, version };
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      if (error.status === 404 || error.status === 410) return null;
      throw error.inWords(refusalWords(error));
    }
  }

  /** By HEAD, or by one byte: an address that is signed for GET takes nothing else. */
  async #facts(path: string, signal: AbortSignal | undefined): Promise<{ headers: Headers; sizeBytes: number | null }> {
    try {
      const { headers } = await this.session.send({ url: this.#url(path), method: 'HEAD', signal });
      return { headers, sizeBytes: wholeNumber(headers.get('content-length')) };
    } catch (error) {
      if (!(error instanceof HttpError) || ![400, 401, 403, 405, 501].includes(error.status)) throw error;
      const { headers } = await this.session.send({ url: this.#url(path), range: { offset: 0, length: 1 }, signal });
      const [, size = null] = /\/(\d{1,16})$/.exec(headers.get('content-range') ?? '') ?? [];
      return { headers, sizeBytes: wholeNumber(size ?? headers.get('content-length')) };
    }
  }

  #url(path: string): string {
    const place = path.split('/').map(encodeURIComponent).join('/');
    return `${this.base}${place}${this.query === '' ? '' : `?${this.query}`}`;
  }
}

function wholeNumber(text: string | null): number | null {
  const value = text === null || text.trim() === '' ? NaN : Number(text);
  return Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function refusalWords({ status }: HttpError): string {
  if (status === 404 || status === 410) return 'there is no such file';
  if (status === 401 || status === 403) return `the server answers ${status}: it asks for a login, or the address has expired`;
  return `the server answers ${status}`;
}
