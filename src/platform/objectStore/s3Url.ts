import type { AwsSettings } from './awsSettings.js';

/** Where a bucket is. */
export type S3Place = Pick<AwsSettings, 'endpoint' | 'region'>;

/** The address of a key of a bucket: Amazon's buckets by their host; other stores know one host, and buckets with dots match no certificate. */
export function s3Url(bucket: string, { endpoint, region }: S3Place, key: string, query: Readonly<Record<string, string>>): URL {
  const isOwnHost = endpoint === null && !bucket.includes('.');
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const amazon = `https://${isOwnHost ? `${bucket}.` : ''}s3.${region}.${domain}`;
  const base = endpoint?.toString().replace(/\/$/, '') ?? amazon;
  const parts = [...(isOwnHost ? [] : [bucket]), ...(key === '' ? [] : key.split('/'))];
  const url = new URL(`${base}/${parts.map(encodePart).join('/')}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/** As the signature has it: all but unreserved characters (RFC 3986). */
function encodePart(part: string): string {
  return encodeURIComponent(part).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
