/**
 * What a request to an account of Azure Storage proves itself by ("Authorize with Shared Key": the string to sign of version 2015-02-21 and later).
 * @param key of the account, as base64
 * @param headers all that are sent, their names in lower case
 */
export async function sharedKeyAuthorization(
  account: string,
  key: string,
  method: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const { pathname, searchParams } = url;
  const usual = ['content-encoding', 'content-language', 'content-length', 'content-md5', 'content-type', 'date'];
  const conditions = ['if-modified-since', 'if-match', 'if-none-match', 'if-unmodified-since', 'range'];
  const special = Object.keys(headers)
    .filter((name) => name.startsWith('x-ms-'))
    .sort()
    .map((name) => `${name}:${headers[name]}`);
  const names = [...new Set(searchParams.keys())].sort();
  const query = names.map((name) => `${name.toLowerCase()}:${searchParams.getAll(name).sort().join(',')}`);
  const text = [
    method,
    ...[...usual, ...conditions].map((name) => headers[name] ?? ''),
    ...special,
    [`/${account}${pathname}`, ...query].join('\n'),
  ].join('\n');
  const secret = Uint8Array.from(atob(key), (sign) => sign.charCodeAt(0));
  const signer = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', signer, new TextEncoder().encode(text)));
  return `SharedKey ${account}:${btoa(String.fromCharCode(...signature))}`;
}
