import { sharedKeyAuthorization } from './azureSharedKey.js';

/** Who asks a storage account. */
export type AzureProof =
  | { kind: 'signature'; /** A shared access signature, without its question mark. */ query: string }
  | { kind: 'key'; /** Of the account, as base64. */ key: string }
  | { kind: 'token'; token: () => Promise<string> }
  | { kind: 'anonymous' };

/** How a container is reached and who asks. */
export interface AzureAccess {
  account: string;
  /** `https://account.blob.core.windows.net`, without a slash at its end. */
  endpoint: string;
  proof: AzureProof;
}

/** A version of the API that has bearer tokens and names with every character (its list of versions). */
const apiVersion = '2021-12-02';

/** The address of a blob, or of the container itself where the name is empty, with the shared access signature where one proves who asks. */
export function azureUrl(
  { endpoint, proof }: AzureAccess,
  container: string,
  blob: string,
  query: Readonly<Record<string, string>>,
): URL {
  const place = blob === '' ? '' : `/${blob.split('/').map(encodeURIComponent).join('/')}`;
  const url = new URL(`${endpoint}/${container}${place}`);
  if (proof.kind === 'signature') url.search = proof.query;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/**
 * The headers of a request, with what proves who asks.
 * @param bodyBytes 0 for a request without a body, and for an empty one
 */
export async function signedHeaders(
  { account, proof }: AzureAccess,
  method: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
  bodyBytes = 0,
): Promise<Readonly<Record<string, string>>> {
  const dated = { ...headers, 'x-ms-version': apiVersion, 'x-ms-date': new Date().toUTCString() };
  if (proof.kind === 'token') return { ...dated, authorization: `Bearer ${await proof.token()}` };
  if (proof.kind !== 'key') return dated;
  const sent = bodyBytes === 0 ? dated : { ...dated, 'content-length': String(bodyBytes) };
  return { ...dated, authorization: await sharedKeyAuthorization(account, proof.key, method, url, sent) };
}
