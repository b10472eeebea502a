import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AzureAddress } from '../../../src/core/files/remote/remoteAddress.js';
import { azureAccess } from '../../../src/platform/remote/access/azureAccess.js';
import { googleAccess } from '../../../src/platform/remote/access/googleAccess.js';
import { hubAccess } from '../../../src/platform/remote/access/hubAccess.js';
import { noChoices } from '../../../src/platform/remote/access/remoteChoices.js';
import { s3Access } from '../../../src/platform/remote/access/s3Access.js';
import { HttpSession } from '../../../src/platform/remote/httpSession.js';
import { nodeHttp } from '../../../src/platform/remote/nodeHttp.js';
import { RequestBudget } from '../../../src/platform/remote/requestBudget.js';

let home = '';
let asked: { url: string; method: string; headers: Record<string, string>; body: string }[] = [];

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'stowage-access-'));
  vi.stubEnv('HOME', home);
  vi.stubEnv('USERPROFILE', home);
  asked = [];
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

/** Requests that are answered by their address. */
function sessionOf(answers: Readonly<Record<string, string | { status: number; body: string }>>): HttpSession {
  const answer = (url: string, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', headers, body } = init;
    asked.push({ url, method, headers: { ...(headers as Record<string, string>) }, body: typeof body === 'string' ? body : '' });
    const found = answers[url];
    if (found === undefined) return Promise.resolve(new Response('', { status: 404 }));
    return Promise.resolve(typeof found === 'string' ? new Response(found) : new Response(found.body, { status: found.status }));
  };
  const environment = { ...nodeHttp, fetch: answer, pause: () => Promise.resolve() };
  return new HttpSession(environment, new RequestBudget(() => Promise.resolve(false), { requests: 100, bytes: 1e6 }));
}

function write(name: string, text: string): string {
  const file = path.join(home, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const nobody = sessionOf({});

describe('keys of AWS', () => {
  const stsAnswer = (id: string) =>
    `<AssumeRoleResponse><Credentials><AccessKeyId>${id}</AccessKeyId><SecretAccessKey>s+/=</SecretAccessKey><SessionToken>t</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResponse>`;

  it('are none where nothing says who asks: a public bucket takes requests without', async () => {
    expect(await s3Access({}, nobody, noChoices)).toMatchObject({ keys: null, region: 'us-east-1', endpoint: null });
  });

  it('of the environment are used, unless nobody is to be named', async () => {
    const environment = { AWS_ACCESS_KEY_ID: 'AK', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-west-1' };
    const access = await s3Access(environment, nobody, noChoices);
    expect(access.region).toBe('eu-west-1');
    expect(await access.keys?.()).toMatchObject({ accessKeyId: 'AK' });
    expect((await s3Access(environment, nobody, { ...noChoices, isAnonymous: true })).keys).toBeNull();
  });

  it('come by the token of a cluster, and are asked for once', async () => {
    const token = write('token', 'the.token\n');
    const session = sessionOf({ 'https://sts.us-east-1.amazonaws.com/': stsAnswer('AKROLE') });
    const environment = { AWS_WEB_IDENTITY_TOKEN_FILE: token, AWS_ROLE_ARN: 'arn:aws:iam::1:role/r' };
    const { keys } = await s3Access(environment, session, noChoices);
    expect(asked).toEqual([]);
    await keys?.();
    expect(await keys?.()).toEqual({ accessKeyId: 'AKROLE', secretAccessKey: 's+/=', sessionToken: 't' });
    expect(asked).toHaveLength(1);
    expect(Object.fromEntries(new URLSearchParams(asked[0]?.body))).toMatchObject({
      Action: 'AssumeRoleWithWebIdentity',
      WebIdentityToken: 'the.token',
      RoleArn: 'arn:aws:iam::1:role/r',
    });
    expect(asked[0]?.headers).not.toHaveProperty('authorization');
  });

  it('come by a role of the profile, which another profile takes', async () => {
    write(
      '.aws/config',
      '[profile work]\nrole_arn = arn:role\nsource_profile = base\nregion = eu-west-1\n[profile base]\nregion = x\n',
    );
    write('.aws/credentials', '[base]\naws_access_key_id = AKBASE\naws_secret_access_key = secret\n');
    const session = sessionOf({ 'https://sts.eu-west-1.amazonaws.com/': stsAnswer('AKWORK') });
    const { keys } = await s3Access({}, session, { ...noChoices, profile: 'work' });
    expect(await keys?.()).toMatchObject({ accessKeyId: 'AKWORK' });
    expect(asked[0]?.headers['authorization']).toContain('Credential=AKBASE/');
  });

  it('come by a login that is kept, and say how to log in where it has expired', async () => {
    write(
      '.aws/config',
      '[profile sso]\nsso_session = corp\nsso_account_id = 12\nsso_role_name = reader\n[sso-session corp]\nsso_start_url = https://corp\nsso_region = eu-west-1\n',
    );
    const cache = `.aws/sso/cache/${createHash('sha1').update('corp').digest('hex')}.json`;
    write(cache, JSON.stringify({ accessToken: 'login', expiresAt: '2099-01-01T00:00:00Z' }));
    const url = 'https://portal.sso.eu-west-1.amazonaws.com/federation/credentials?role_name=reader&account_id=12';
    const credentials = { accessKeyId: 'AKSSO', secretAccessKey: 's', sessionToken: 't', expiration: Date.now() + 1e9 };
    const session = sessionOf({ [url]: JSON.stringify({ roleCredentials: credentials }) });
    const { keys } = await s3Access({ AWS_PROFILE: 'sso' }, session, noChoices);
    expect(await keys?.()).toMatchObject({ accessKeyId: 'AKSSO' });
    expect(asked[0]?.headers['x-amz-sso_bearer_token']).toBe('login');
    write(cache, JSON.stringify({ accessToken: 'login', expiresAt: '2001-01-01T00:00:00Z' }));
    const late = await s3Access({ AWS_PROFILE: 'sso' }, session, noChoices);
    await expect(late.keys?.()).rejects.toThrow('`aws sso login`');
  });

  it('come from the container, which is no other machine', async () => {
    const url = 'http://169.254.170.2/creds';
    const given = { AccessKeyId: 'AKBOX', SecretAccessKey: 's', Token: 't', Expiration: '2099-01-01T00:00:00Z' };
    const session = sessionOf({ [url]: JSON.stringify(given), 'http://10.0.0.1/creds': JSON.stringify(given) });
    const { keys } = await s3Access({ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/creds' }, session, noChoices);
    expect(await keys?.()).toMatchObject({ accessKeyId: 'AKBOX' });
    const other = await s3Access({ AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://10.0.0.1/creds' }, session, noChoices);
    await expect(other.keys?.()).rejects.toThrow('another machine');
    expect(asked).toHaveLength(1);
  });

  it('that a program would give are not asked for', async () => {
    write('.aws/config', '[default]\ncredential_process = touch /tmp/never\n');
    expect((await s3Access({}, nobody, noChoices)).keys).toBeNull();
  });
});

describe('the token of the Hub', () => {
  it.each<[string, Record<string, string>, string | null]>([
    ['of the environment', { HF_TOKEN: 'hf_env', HUGGING_FACE_HUB_TOKEN: 'hf_old' }, 'hf_env'],
    ['under its old name', { HUGGING_FACE_HUB_TOKEN: ' hf_old\n' }, 'hf_old'],
    ['that was saved', {}, 'hf_saved'],
    ['is not sent unasked', { HF_HUB_DISABLE_IMPLICIT_TOKEN: '1', HF_TOKEN: 'hf_env' }, null],
  ])('%s', async (_, environment, token) => {
    write('.cache/huggingface/token', 'hf_saved\n');
    expect(await hubAccess(environment)).toEqual({ endpoint: 'https://huggingface.co', token });
  });

  it('goes to the Hub that the environment names', async () => {
    expect(await hubAccess({ HF_ENDPOINT: 'https://hub.example/' })).toMatchObject({ endpoint: 'https://hub.example' });
    await expect(hubAccess({ HF_ENDPOINT: 'file:///etc' })).rejects.toThrow('HF_ENDPOINT');
  });
});

describe('the account of Azure', () => {
  const address: AzureAddress = { kind: 'azure', account: 'account1', container: 'c', path: '', signature: null };

  it('is that of the address, and keys of another one stay here', async () => {
    const environment = { AZURE_STORAGE_ACCOUNT: 'account2', AZURE_STORAGE_KEY: 'a2V5' };
    expect(await azureAccess(environment, address)).toMatchObject({ account: 'account1', proof: { kind: 'anonymous' } });
    expect(await azureAccess(environment, { ...address, account: null })).toEqual({
      account: 'account2',
      endpoint: 'https://account2.blob.core.windows.net',
      proof: { kind: 'key', key: 'a2V5' },
    });
    await expect(azureAccess({}, { ...address, account: null })).rejects.toThrow('AZURE_STORAGE_ACCOUNT');
  });

  it('is proved by a signature of the address first, then by one of the environment, then by a login that is kept', async () => {
    expect((await azureAccess({ AZURE_STORAGE_KEY: 'a2V5' }, { ...address, signature: 'sig=1' })).proof).toEqual({
      kind: 'signature',
      query: 'sig=1',
    });
    expect((await azureAccess({ AZURE_STORAGE_SAS_TOKEN: '?sig=2' }, address)).proof).toEqual({
      kind: 'signature',
      query: 'sig=2',
    });
    const token = { target: 'https://storage.azure.com/user_impersonation', expires_on: '4000000000', secret: 'login' };
    write('.azure/msal_token_cache.json', JSON.stringify({ AccessToken: { a: token } }));
    const { proof } = await azureAccess({}, address);
    expect(proof.kind === 'token' ? await proof.token() : proof).toBe('login');
    write('.azure/msal_token_cache.json', JSON.stringify({ AccessToken: { a: { ...token, expires_on: '5' } } }));
    expect((await azureAccess({}, address)).proof).toEqual({ kind: 'anonymous' });
  });
});

describe('the login of Google', () => {
  const tokenService = 'https://oauth2.googleapis.com/token';
  const session = () => sessionOf({ [tokenService]: JSON.stringify({ access_token: 'ya29.token', expires_in: 3600 }) });

  it('of a user is refreshed', async () => {
    const login = { type: 'authorized_user', client_id: 'c', client_secret: 's', refresh_token: 'r' };
    write('.config/gcloud/application_default_credentials.json', JSON.stringify(login));
    const { token } = await googleAccess({}, session());
    expect(await token?.()).toBe('ya29.token');
    expect(await token?.()).toBe('ya29.token');
    expect(asked.map(({ body }) => body)).toEqual(['grant_type=refresh_token&client_id=c&client_secret=s&refresh_token=r']);
  });

  it.each(['read_only', 'read_write'] as const)('of a service account is signed with its key, to %s', async (scope) => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const login = { type: 'service_account', client_email: 'a@b', private_key_id: 'k', private_key: key };
    const file = write('service.json', JSON.stringify(login));
    const { token } = await googleAccess({ GOOGLE_APPLICATION_CREDENTIALS: file }, session(), scope);
    expect(await token?.()).toBe('ya29.token');
    const [head = '', claims = '', signature = ''] = (new URLSearchParams(asked[0]?.body).get('assertion') ?? '').split('.');
    expect(verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: 'a@b',
      scope: `https://www.googleapis.com/auth/devstorage.${scope}`,
    });
  });

  it('that cannot be used is said', async () => {
    await expect(googleAccess({ GOOGLE_APPLICATION_CREDENTIALS: '/nowhere.json' }, nobody)).rejects.toThrow('cannot be read');
    write('.config/gcloud/application_default_credentials.json', JSON.stringify({ type: 'external_account' }));
    const { token } = await googleAccess({}, session());
    await expect(token?.()).rejects.toThrow('of a kind');
    write('.config/gcloud/application_default_credentials.json', JSON.stringify({ type: 'authorized_user' }));
    const expired = await googleAccess({}, sessionOf({ [tokenService]: { status: 400, body: '{"error":"invalid_grant"}' } }));
    await expect(expired.token?.()).rejects.toThrow('`gcloud auth application-default login`');
  });

  it('goes to no emulator', async () => {
    expect(await googleAccess({ STORAGE_EMULATOR_HOST: '127.0.0.1:4443' }, nobody)).toMatchObject({
      endpoint: 'http://127.0.0.1:4443',
      token: null,
    });
  });
});
