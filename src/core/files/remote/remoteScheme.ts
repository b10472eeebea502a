const schemes = /^(hf|s3|s3a|s3n|gs|gcs|az|azure|abfs|abfss|https?):\/\//i;

/** The scheme of a remote place; null for a path. */
export function remoteScheme(text: string): string | null {
  return schemes.exec(text)?.[1] ?? null;
}

/** Whether a text names a remote place by its scheme, whatever follows. */
export function isRemoteAddress(text: string): boolean {
  return schemes.test(text);
}

/** Whether a text names a place in an object store by its scheme: `s3://`, `gs://`, `az://`, `abfs://`. */
export function isObjectStoreAddress(text: string): boolean {
  const scheme = remoteScheme(text)?.toLowerCase();
  return scheme !== undefined && !['hf', 'http', 'https'].includes(scheme);
}
