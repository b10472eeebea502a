/** Shorter pieces are words that a message may need. */
const leastLetters = 4;

/**
 * What of a request proves who asks, whole and in its parts, the longest first: a store that repeats the request in its answer repeats these.
 * Amazon S3's "Authenticating Requests: Using the Authorization Header", Azure's "Authorize with Shared Key" and "Create a service SAS", RFC 6750.
 */
export function sentSecrets(url: URL, headers: Readonly<Record<string, string>>): string[] {
  const found = Object.entries(headers).flatMap(([name, value]) => {
    if (name.toLowerCase() === 'authorization') return ofAuthorization(value);
    return name.toLowerCase() === 'x-amz-security-token' ? [value] : [];
  });
  for (const [name, value] of url.searchParams) {
    if (/^sig$|signature$|credential$|token$/i.test(name)) found.push(value, encodeURIComponent(value));
  }
  return found.filter(({ length }) => length >= leastLetters).sort((a, b) => b.length - a.length);
}

/** `AWS4-HMAC-SHA256 Credential=KEY/date/…, SignedHeaders=…, Signature=x`, `SharedKey account:x`, `Bearer x`. */
function ofAuthorization(value: string): string[] {
  const proof = value.slice(value.indexOf(' ') + 1);
  const signature = /\bSignature=([^,\s]+)/.exec(proof)?.[1];
  const credential = /\bCredential=([^,\s]+)/.exec(proof)?.[1];
  const shared = /^SharedKey(?:Lite)? [^:]+:(.+)$/.exec(value)?.[1];
  const parts = [signature, credential, credential?.split('/')[0], shared].filter((part) => part !== undefined);
  return [value, proof, ...parts];
}
