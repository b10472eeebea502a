import { FormatError } from '../../bytes/formatError.js';
import { isSafeFileName } from '../paths.js';
import { isRemoteAddress, remoteScheme } from './remoteScheme.js';

/** What a Hugging Face Hub keeps. */
export type HubRepository = 'model' | 'dataset' | 'space' | 'kernel' | 'bucket';

/** A repository of a Hugging Face Hub, or a folder or file in it. */
export interface HubAddress {
  kind: 'hub';
  repository: HubRepository;
  /** `org/name`, or one of the first models by its name alone. */
  id: string;
  /** A branch, tag, commit or `refs/pr/1`; null for the default branch, and for buckets, which have none. */
  revision: string | null;
  /** Empty for all of it. */
  path: string;
}

/** A prefix of a bucket that speaks S3, or of Google Cloud Storage. */
export interface BucketAddress {
  kind: 's3' | 'gs';
  bucket: string;
  /** Without slashes at its ends; empty for the whole bucket. */
  path: string;
}

/** A prefix of a container of Azure Blob Storage. */
export interface AzureAddress {
  kind: 'azure';
  /** Null where only the settings of the caller say which. */
  account: string | null;
  container: string;
  path: string;
  /** A shared access signature that came with the address, without its question mark: a secret. */
  signature: string | null;
}

/** A file of a web server, or the index of several. */
export interface WebAddress {
  kind: 'web';
  /** Without fragment. What is behind the question mark may be a secret. */
  url: string;
}

export type RemoteAddress = HubAddress | BucketAddress | AzureAddress | WebAddress;

/**
 * What an address names, in the spelling of fsspec and its stores (`hf://org/name@revision/path`, `s3://bucket/prefix`, `gs://`, `az://container/prefix`,
 * `abfs://container@account.dfs.core.windows.net/prefix`), or as it stands in a browser's bar on huggingface.co or a storage account.
 * @throws FormatError `unsupported` for an address that names nothing, with how it should look
 */
export function parseRemoteAddress(text: string): RemoteAddress {
  const scheme = remoteScheme(text.trim()) ?? '';
  const rest = text.trim().slice(scheme.length + 3);
  switch (scheme.toLowerCase()) {
    case 'hf':
      return hubAddress(rest);
    case 's3':
    case 's3a':
    case 's3n':
      return bucketAddress('s3', rest);
    case 'gs':
    case 'gcs':
      return bucketAddress('gs', rest);
    case 'az':
    case 'azure':
    case 'abfs':
    case 'abfss':
      return azureAddress(rest);
    case 'http':
    case 'https':
      return webAddress(scheme.toLowerCase(), rest);
    default:
      throw new FormatError('unsupported', 'it has none of the schemes hf, s3, gs, az, abfs and https');
  }
}

/** The address as users write it, without what is secret in it. */
export function remoteAddressText(address: RemoteAddress): string {
  const below = (path: string): string => (path === '' ? '' : `/${path}`);
  switch (address.kind) {
    case 'hub': {
      const { revision: mark } = address;
      const revision = mark === null ? '' : `@${reference.test(mark) ? mark : mark.replaceAll('/', '%2F')}`;
      const room = address.repository === 'model' ? '' : `${address.repository}s/`;
      return `hf://${room}${address.id}${revision}${below(address.path)}`;
    }
    case 'azure': {
      const { account, container, path } = address;
      return account === null
        ? `az://${container}${below(path)}`
        : `abfs://${container}@${account}.dfs.core.windows.net${below(path)}`;
    }
    case 'web':
      return address.url.split('?')[0] as string;
    default:
      return `${address.kind}://${address.bucket}${below(address.path)}`;
  }
}

/** Last part of an address: what the root is called. */
export function remoteRootName(address: RemoteAddress): string {
  const path = address.kind === 'web' ? decoded((address.url.split('?')[0] as string).replace(/^[a-z]+:\/\//, '')) : address.path;
  const last = path.split('/').findLast((part) => part !== '');
  if (last !== undefined) return last;
  if (address.kind === 'hub') return address.id.split('/').at(-1) as string;
  if (address.kind === 'azure') return address.container;
  return address.kind === 'web' ? address.url : address.bucket;
}

const repositories = { models: 'model', datasets: 'dataset', spaces: 'space', kernels: 'kernel', buckets: 'bucket' } as const;

/** Revisions whose slashes are written as such: pull requests, and what the Hub converted. */
const reference = /^refs\/(?:pr\/\d+|convert\/[\w.-]+)$/;

/** Of a name on the Hub (its rules for repositories: letters, digits, `-`, `_` and points). */
const hubName = /^[A-Za-z0-9][\w.-]{0,95}$/;

function hubAddress(rest: string): HubAddress {
  const parts = pathParts(rest);
  const room = Object.hasOwn(repositories, parts[0] ?? '') ? (parts.shift() as keyof typeof repositories) : 'models';
  const at = parts.slice(0, 2).findIndex((part) => part.includes('@'));
  const count = at >= 0 ? at + 1 : Math.min(2, parts.length);
  const named = parts.splice(0, count);
  const [last = '', ...marks] = (named.pop() ?? '').split('@');
  const id = [...named, last];
  const repository = repositories[room];
  if (!id.every((part) => hubName.test(part)) || marks.length > 1 || (repository === 'bucket' && marks.length + 2 > id.length))
    throw new FormatError('unsupported', 'it names no repository: it takes hf://org/name[@revision][/path]');
  return {
    kind: 'hub',
    repository,
    id: id.join('/'),
    revision: marks.length === 0 ? null : revisionOf(marks[0] as string, parts),
    path: safePath(parts),
  };
}

/** `@refs/pr/1` has slashes of its own, as `huggingface_hub` takes them; of other branches they are written `%2F`. */
function revisionOf(mark: string, parts: string[]): string {
  const isReference = reference.test([mark, ...parts.slice(0, 2)].join('/'));
  const revision = isReference ? [mark, ...parts.splice(0, 2)].join('/') : decoded(mark);
  if (!/^[\w.][\w./-]{0,249}$/.test(revision) || revision.split('/').some((part) => part === '' || part === '.' || part === '..'))
    throw new FormatError('unsupported', 'what is behind the @ is no branch, tag or commit');
  return revision;
}

/** What proves who asks, behind a question mark. Keys may have question marks too. */
const signedQuery =
  /\?(?:.*&)?(?:X-Amz-(?:Signature|Credential|Security-Token)|X-Goog-(?:Signature|Credential)|AWSAccessKeyId|GoogleAccessId|Signature|sig|token)=/i;

function bucketAddress(kind: 's3' | 'gs', rest: string): BucketAddress {
  const [bucket = '', ...parts] = rest.split('/');
  // Older stores allow capitals and underscores (Amazon S3, "general purpose bucket naming rules", before 2018).
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/.test(bucket) || bucket.includes('..'))
    throw new FormatError('unsupported', `it names no bucket: it takes ${kind}://bucket/prefix`);
  if (signedQuery.test(rest))
    throw new FormatError('unsupported', 'it has a signature: what is signed is read by its https:// address, as it was given');
  return { kind, bucket, path: safePath(trimmed(parts)) };
}

/** Of a storage account (Azure, "naming rules": 3 to 24 lower-case letters and digits). */
const accountName = /^[a-z0-9]{3,24}$/;
const azureHost = /^([a-z0-9]{3,24})\.(?:blob|dfs)\.core\.(?:windows\.net|usgovcloudapi\.net|chinacloudapi\.cn)$/;

function azureAddress(rest: string): AzureAddress {
  const mark = signedQuery.test(rest) ? rest.indexOf('?') : -1;
  const signature = mark < 0 ? null : rest.slice(mark + 1);
  const [first = '', ...parts] = (mark < 0 ? rest : rest.slice(0, mark)).split('/');
  const [container = '', host] = first.split('@');
  const account = host === undefined ? null : (azureHost.exec(host)?.[1] ?? (accountName.test(host) ? host : ''));
  if (!isContainer(container) || account === '')
    throw new FormatError(
      'unsupported',
      'it names no container: it takes az://container/prefix or abfs://container@account.dfs.core.windows.net/prefix',
    );
  return { kind: 'azure', account, container, path: safePath(trimmed(parts)), signature };
}

function isContainer(name: string): boolean {
  return /^(?:\$root|\$web|\$logs|[a-z0-9](?:-?[a-z0-9]){2,62})$/.test(name);
}

function webAddress(scheme: string, rest: string): RemoteAddress {
  const [place = ''] = rest.split('#');
  const [path = '', ...query] = place.split('?');
  const [host = '', ...parts] = path.split('/');
  if (host === '' || host.includes('@') || !/^[\w.\-[\]:]+$/.test(host))
    throw new FormatError('unsupported', 'it names no host, or has a user in it');
  const lower = host.toLowerCase();
  if (scheme === 'https' && (lower === 'huggingface.co' || lower === 'hf.co')) {
    const hub = hubPage(parts);
    if (hub !== null) return hub;
  }
  const account = azureHost.exec(lower)?.[1];
  const [container = '', ...blob] = parts.map(decoded);
  if (account !== undefined && isContainer(container))
    return { kind: 'azure', account, container, path: safePath(trimmed(blob)), signature: query.join('?') || null };
  return { kind: 'web', url: `${scheme}://${lower}/${parts.join('/')}${query.length > 0 ? `?${query.join('?')}` : ''}` };
}

/** A page of a repository: `org/name`, `datasets/org/name/tree/main/data`, `org/name/blob/main/config.json`. Null for other pages. */
function hubPage(segments: readonly string[]): HubAddress | null {
  const parts = trimmed(segments).map(decoded);
  const room = Object.hasOwn(repositories, parts[0] ?? '') ? (parts.shift() as keyof typeof repositories) : 'models';
  const view = parts.findIndex((part, at) => at >= 1 && ['tree', 'blob', 'blame', 'resolve', 'raw'].includes(part));
  const id = view === -1 ? parts : parts.slice(0, view);
  if (id.length < 1 || id.length > 2 || !id.every((part) => hubName.test(part))) return null;
  const below = view === -1 ? [] : parts.slice(view + 1);
  const repository = repositories[room];
  const mark = repository === 'bucket' ? undefined : below.shift();
  return {
    kind: 'hub',
    repository,
    id: id.join('/'),
    revision: mark === undefined ? null : revisionOf(mark, below),
    path: safePath(below),
  };
}

function pathParts(rest: string): string[] {
  return trimmed(rest.split('/'));
}

function trimmed(parts: readonly string[]): string[] {
  const first = parts.findIndex((part) => part !== '');
  return first === -1 ? [] : parts.slice(first, parts.findLastIndex((part) => part !== '') + 1);
}

/** @throws FormatError for parts that a client or a server would resolve, so that another object was asked for */
function safePath(parts: readonly string[]): string {
  const path = parts.join('/');
  if (path !== '' && !isSafeFileName(path))
    throw new FormatError('unsupported', 'its path has an empty part, ".", ".." or a backslash');
  return path;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A path or address as reports and errors show it: without what is secret in it. */
export function shownPath(path: string): string {
  if (!isRemoteAddress(path)) return path;
  try {
    return remoteAddressText(parseRemoteAddress(path));
  } catch {
    const shown = path.split(/[?#]/)[0] as string;
    // A login may stand before the host of a web server; before that of a storage account its container does.
    return /^https?:/i.test(shown) ? shown.replace(/\/\/[^/]*@/, '//') : shown.replace(/\/\/[^/]*:[^/]*@/, '//');
  }
}
