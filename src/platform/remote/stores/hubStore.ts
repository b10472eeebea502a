import { FormatError } from '../../../core/bytes/formatError.js';
import type { StatedDigest } from '../../../core/files/fileTree.js';
import type { HubAddress } from '../../../core/files/remote/remoteAddress.js';
import { HttpError } from '../httpError.js';
import type { HttpAnswer, HttpRequest, HttpSession } from '../httpSession.js';
import { changedWords, type RemoteStore, type StoredObject, type StoredPage } from '../remoteStore.js';
import { jsonOf, recordOf } from './jsonAnswer.js';

/** Which Hub, and who asks. */
export interface HubAccess {
  /** `https://huggingface.co`, without a slash at its end. */
  endpoint: string;
  /** Null for whoever it is. */
  token: string | null;
}

type HubRepository = Pick<HubAddress, 'repository' | 'id' | 'revision'>;

/**
 * A repository or a bucket of a Hub, by its public API: `tree` lists, `resolve` leads to the bytes. A branch is pinned to the commit that it is at.
 * Files with large content are behind a redirect to another host, where no token goes.
 */
export class HubStore implements RemoteStore {
  readonly id: string;
  #commit: Promise<string> | undefined;
  /** Where the content of a file was last, by its path. */
  readonly #places = new Map<string, string>();

  constructor(
    private readonly session: HttpSession,
    private readonly repository: HubRepository,
    private readonly access: HubAccess,
  ) {
    this.id = [access.endpoint, repository.repository, repository.id].join(' ');
  }

  async read(object: StoredObject, offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    const range = { offset, length, sizeBytes: object.sizeBytes };
    const known = this.#places.get(object.path);
    if (known !== undefined) {
      try {
        return (await this.session.send({ url: known, range, signal })).bytes;
      } catch (error) {
        // An address is signed for some time only.
        if (!(error instanceof HttpError)) throw error;
        this.#places.delete(object.path);
      }
    }
    const { endpoint } = this.access;
    const place = encodedPath(object.path);
    const url = this.#isBucket
      ? `${endpoint}/buckets/${this.repository.id}/resolve/${place}`
      : `${endpoint}/${this.#room}${this.repository.id}/resolve/${await this.#pinned(signal)}/${place}`;
    const answer = await this.#send({ url, range, signal }, true);
    const content = answer.firstHeaders.get('x-xet-hash');
    if (this.#isBucket && content !== null && object.version !== null && content !== object.version)
      throw new FormatError('io', changedWords);
    this.#remember(object.path, answer.url);
    return answer.bytes;
  }

  /** Some addresses are signed for a range alone. */
  #remember(path: string, url: string): void {
    if (url !== '' && new URL(url).origin !== new URL(this.access.endpoint).origin && !/[?&][^=&]*range/i.test(url))
      this.#places.set(path, url);
  }

  get #isBucket(): boolean {
    return this.repository.repository === 'bucket';
  }

  /** What the addresses of files have before the name of a repository. */
  get #room(): string {
    const { repository } = this.repository;
    return repository === 'model' ? '' : `${repository}s/`;
  }

  get #api(): string {
    return `${this.access.endpoint}/api/${this.repository.repository}s/${this.repository.id}`;
  }

  /** The commit of the revision, so that all that is read is of one save. */
  #pinned(signal: AbortSignal | undefined): Promise<string> {
    this.#commit ??= this.#readCommit(signal).catch((error: unknown) => {
      this.#commit = undefined;
      throw error;
    });
    return this.#commit;
  }

  async #readCommit(signal: AbortSignal | undefined): Promise<string> {
    const { revision } = this.repository;
    if (revision !== null && /^[0-9a-f]{40}$/.test(revision)) return revision;
    const url = `${this.#api}/revision/${encodeURIComponent(revision ?? 'main')}?expand=sha`;
    const { sha } = recordOf(jsonOf(await this.#send({ url, signal })));
    if (typeof sha !== 'string' || !/^[0-9a-f]{40}$/.test(sha))
      throw new FormatError('io', 'the Hub names no commit of this revision');
    return sha;
  }

  async *list(folder: string, isDeep: boolean, signal?: AbortSignal): AsyncGenerator<StoredPage> {
    const commit = this.#isBucket ? '' : `/${await this.#pinned(signal)}`;
    const below = folder === '' ? '' : `/${encodeURIComponent(folder)}`;
    let url: string | null = `${this.#api}/tree${commit}${below}?recursive=${isDeep}&expand=false`;
    while (url !== null) {
      const answer: HttpAnswer | null = await this.#page(url, signal);
      if (answer === null) return;
      const prefix = folder === '' ? '' : `${folder}/`;
      const { files, folders } = pageOf(jsonOf(answer));
      yield {
        files: files.filter(({ path }) => path.startsWith(prefix)),
        folders: isDeep ? [] : folders.filter((path) => path.startsWith(prefix)),
      };
      url = this.#nextPage(answer.headers.get('link'));
    }
  }

  /** Null where there is no such folder. */
  async #page(url: string, signal: AbortSignal | undefined): Promise<HttpAnswer | null> {
    try {
      return await this.#send({ url, signal });
    } catch (error) {
      if (error instanceof HttpError && error.status === 404 && error.headers.get('x-error-code') === 'EntryNotFound')
        return null;
      throw error;
    }
  }

  /** The next page as a header names it, of this Hub alone: the token goes with it. */
  #nextPage(links: string | null): string | null {
    const [, target] = /<([^<>]{1,4000})>;\s*rel="next"/.exec(links ?? '') ?? [];
    if (target === undefined) return null;
    if (
      !URL.canParse(target, this.access.endpoint) ||
      new URL(target, this.access.endpoint).origin !== new URL(this.access.endpoint).origin
    )
      throw new FormatError('io', 'the Hub continues its list on another host, which is not followed');
    return new URL(target, this.access.endpoint).toString();
  }

  /** @param isFile of a file that was listed */
  async #send(request: HttpRequest, isFile = false): Promise<HttpAnswer> {
    const { token } = this.access;
    try {
      return await this.session.send({ ...request, headers: token === null ? {} : { authorization: `Bearer ${token}` } });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const isGone = isFile && error.status === 404 && error.headers.get('x-error-code') === null;
      throw error.inWords(isGone ? 'there is no such file any more' : refusalWords(error, this.repository, token !== null));
    }
  }
}

/** Codes of the Hub's answers, as `huggingface_hub` reads them (`hf_raise_for_status`). */
function refusalWords({ status, headers }: HttpError, { repository, id, revision }: HubRepository, hasToken: boolean): string {
  const login = hasToken
    ? 'the token that is used may not read it'
    : '`hf auth login`, HF_TOKEN, or Set Hugging Face Token… of VS Code gives the token of somebody who may read it';
  switch (headers.get('x-error-code')) {
    case 'GatedRepo':
      return `${id} is gated: its page asks to accept its terms; then ${hasToken ? 'the same token will do' : login}`;
    case 'RevisionNotFound':
      return `${id} has no revision ${revision ?? 'main'}`;
    case 'EntryNotFound':
      return `${id} has no such file`;
    case 'RepoNotFound':
      return `there is no ${repository} ${id}, or it is private: ${login}`;
    default:
  }
  if (status === 401)
    return `there is no ${repository} ${id}, or it is private: ${hasToken ? 'the token that is used is not valid' : login}`;
  if (status === 403) return `${id} may not be read: ${login}`;
  if (status === 404) return `there is no ${repository} ${id}`;
  if (status === 429) return 'the Hub limits requests, and the limit is reached: try again later';
  return `the Hub answers ${status}`;
}

function pageOf(page: unknown): { files: StoredObject[]; folders: string[] } {
  if (!Array.isArray(page)) throw new FormatError('io', 'the Hub sends something other than a list of files');
  const items = page.map(recordOf);
  const folders = items.flatMap(({ type, path }) => (type === 'directory' && typeof path === 'string' ? [path] : []));
  return { files: items.flatMap(fileOf), folders };
}

function fileOf({ type, path, size, xetHash, oid, lfs, mtime }: Record<string, unknown>): StoredObject[] {
  if (type !== 'file' || typeof path !== 'string' || !Number.isSafeInteger(size) || (size as number) < 0) return [];
  const version = typeof xetHash === 'string' ? xetHash : typeof oid === 'string' ? oid : null;
  const modifiedMs = typeof mtime === 'string' ? Date.parse(mtime) : Number.NaN;
  return [
    {
      path,
      sizeBytes: size as number,
      modifiedMs: Number.isNaN(modifiedMs) ? null : modifiedMs,
      version,
      digest: digestOf(oid, lfs),
    },
  ];
}

/** The SHA-256 of what LFS stores; of all other files the id of the Git blob. */
function digestOf(oid: unknown, lfs: unknown): StatedDigest | undefined {
  const source = 'the list of the Hub';
  if (typeof lfs === 'object' && lfs !== null) {
    const { oid: digest } = recordOf(lfs);
    return typeof digest === 'string' && /^[0-9a-f]{64}$/.test(digest) ? { algorithm: 'sha256', digest, source } : undefined;
  }
  return typeof oid === 'string' && /^[0-9a-f]{40}$/.test(oid) ? { algorithm: 'git-blob', digest: oid, source } : undefined;
}

function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
