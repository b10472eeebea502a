import { expect, it } from 'vitest';
import { S3Client } from '../../../../src/platform/objectStore/s3Client.js';

const keys = { accessKeyId: 'id', secretAccessKey: 'key', sessionToken: null, region: 'us-east-1' };

it.each([
  [null, false],
  ['https://store.example', false],
  ['http://store.example:9000', true],
  ['http://10.0.0.7', true],
  ['http://127.0.0.1:9000', false],
  ['http://127.0.0.2:9000', false],
  ['http://localhost:9000', false],
  ['http://[::1]:9000', false],
  ['http://localhost.example', true],
])('requests to %s go over a network without encryption: %s', (endpoint, isPlain) => {
  const client = new S3Client('bucket', { ...keys, endpoint: endpoint === null ? null : new URL(endpoint) });
  expect(client.connection.isPlain).toBe(isPlain);
  client.connection.dispose();
});
