import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainText, tagOf, tagsOf } from '../../../../src/platform/objectStore/answerText.js';
import type { StoreAccess } from '../../../../src/app/bandwidth/bandwidthService.js';
import { readAwsSettings } from '../../../../src/platform/objectStore/awsSettings.js';

let folder = '';
let files: Record<string, string> = {};
const nothingChosen: StoreAccess = { endpoint: null, region: null, profile: null };
const environmentKeys = { AWS_ACCESS_KEY_ID: 'AKENV', AWS_SECRET_ACCESS_KEY: 'env' };

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stowage-aws-'));
  files = { AWS_CONFIG_FILE: path.join(folder, 'config'), AWS_SHARED_CREDENTIALS_FILE: path.join(folder, 'credentials') };
  writeFileSync(
    files['AWS_CONFIG_FILE'] ?? '',
    [
      '[default]',
      'region = eu-west-1',
      '# a comment = none',
      's3 =',
      '  endpoint_url = https://nested.example',
      '[profile "other one"]',
      'region=us-west-2',
      'endpoint_url = https://store.example:9000/',
      '[profile sso]',
      'sso_session = corporate',
      '[other one]',
      'region = wrong',
    ].join('\r\n'),
  );
  writeFileSync(
    files['AWS_SHARED_CREDENTIALS_FILE'] ?? '',
    '[default]\naws_access_key_id = AKDEFAULT\naws_secret_access_key = de=fault\n[other one]\naws_access_key_id=AKOTHER\naws_secret_access_key=other\naws_session_token=token\n',
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('what is configured for object stores', () => {
  it.each([
    [
      'the default profile',
      {},
      {},
      { accessKeyId: 'AKDEFAULT', secretAccessKey: 'de=fault', sessionToken: null, region: 'eu-west-1', endpoint: null },
    ],
    ['the environment over it', environmentKeys, {}, { accessKeyId: 'AKENV', secretAccessKey: 'env', region: 'eu-west-1' }],
    [
      'a profile of the environment',
      { AWS_PROFILE: 'other one' },
      {},
      { accessKeyId: 'AKOTHER', sessionToken: 'token', region: 'us-west-2', endpoint: new URL('https://store.example:9000/') },
    ],
    [
      'a profile that was chosen, over keys of the environment',
      environmentKeys,
      { profile: 'other one' },
      { accessKeyId: 'AKOTHER' },
    ],
    ['a region of the environment', { AWS_REGION: 'ap-east-1', AWS_DEFAULT_REGION: 'us-east-2' }, {}, { region: 'ap-east-1' }],
    ['a region that was chosen', { AWS_REGION: 'ap-east-1' }, { region: 'eu-north-1' }, { region: 'eu-north-1' }],
    [
      "the endpoint of S3 over that of all services, and over the profile's",
      { AWS_PROFILE: 'other one', AWS_ENDPOINT_URL: 'https://all.example', AWS_ENDPOINT_URL_S3: 'https://s3.example' },
      {},
      { endpoint: new URL('https://s3.example') },
    ],
    [
      'an endpoint that was chosen',
      { AWS_ENDPOINT_URL: 'https://all.example' },
      { endpoint: 'http://127.0.0.1:9000' },
      { endpoint: new URL('http://127.0.0.1:9000') },
    ],
    [
      'no region of R2 but its own',
      { ...environmentKeys, AWS_CONFIG_FILE: '/nowhere', AWS_ENDPOINT_URL_S3: 'https://account.r2.cloudflarestorage.com' },
      {},
      { region: 'auto' },
    ],
  ])('is %s', async (_, environment, chosen, expected) => {
    expect(await readAwsSettings({ ...nothingChosen, ...chosen }, { ...files, ...environment })).toMatchObject(expected);
  });

  it.each([
    ['nothing', { AWS_SHARED_CREDENTIALS_FILE: '/nowhere' }, {}, 'access-denied', 'AWS_ACCESS_KEY_ID'],
    [
      'half a key',
      { AWS_SHARED_CREDENTIALS_FILE: '/nowhere', AWS_ACCESS_KEY_ID: 'AK' },
      {},
      'access-denied',
      'there is no access key',
    ],
    ['a key that would be asked for over the network', {}, { profile: 'sso' }, 'access-denied', 'sso_session'],
    ['an endpoint that is none', {}, { endpoint: 'store.example' }, 'bad-setting', 'store.example'],
    ['an endpoint of another kind', {}, { endpoint: 'file:///etc' }, 'bad-setting', 'file'],
    ['an endpoint with a password', {}, { endpoint: 'https://me:secret@store.example' }, 'bad-setting', 'endpoint'],
  ])('is refused: %s', async (_, environment, chosen, code, detail) => {
    await expect(readAwsSettings({ ...nothingChosen, ...chosen }, { ...files, ...environment })).rejects.toMatchObject({
      code,
      detail: expect.stringContaining(detail) as string,
    });
  });

  it.each([
    'http://me:hush-hush@store.example',
    'me:hush-hush@store',
    'https://:hush-hush@x/',
    'ftp://a:hush@hush-hush@b',
    'ftp://b?hush-hush',
  ])('is refused without a word of its login: %s', async (endpoint) => {
    const failed: unknown = await readAwsSettings(nothingChosen, { ...files, AWS_ENDPOINT_URL: endpoint }).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ code: 'bad-setting' });
    expect(String(failed)).not.toContain('hush');
  });
});

describe('an answer of a store', () => {
  it('is looked through for elements', () => {
    const answer = '<R><Key>a&amp;b &#x41;&#66; &lt;c&gt;</Key><Size>5</Size><Key>d</Key><Key>never ends';
    expect(tagsOf(answer, 'Key').map(plainText)).toEqual(['a&b AB <c>', 'd']);
    expect(tagOf(answer, 'Size')).toBe('5');
    expect(tagOf(answer, 'Owner')).toBe('');
    expect(plainText('&#x110000; &nbsp; &')).toBe('&#x110000; &nbsp; &');
  });
});
