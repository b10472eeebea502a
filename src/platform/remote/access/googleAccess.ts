import { createSign } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import { FormatError } from '../../../core/bytes/formatError.js';
import { type EnvironmentValues, givenText } from '../../environmentValues.js';
import { readRegularText } from '../../regularFile.js';
import { HttpError } from '../httpError.js';
import type { HttpSession } from '../httpSession.js';
import type { GoogleAccess } from '../stores/googleStore.js';
import { jsonOf, recordOf } from '../stores/jsonAnswer.js';
import { type Expiring, untilExpired } from './untilExpired.js';

const loginBytes = 64 * 1024;
/** What a service account asks to be allowed ("OAuth 2.0 Scopes for Google APIs", Cloud Storage). */
export type GoogleScope = 'read_only' | 'read_write';
const tokenService = 'https://oauth2.googleapis.com/token';
/** Where a machine of Google's cloud asks who it is. */
const machineToken = 'http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token';

/**
 * The endpoint and the login as Google's libraries find them ("How Application Default Credentials works"): the file that the environment names, the one
 * that `gcloud auth application-default login` writes, the machine's own account. Without one, requests are anonymous.
 * @throws FormatError `io` for a login that cannot be used
 */
export async function googleAccess(
  environment: EnvironmentValues,
  session: HttpSession,
  scope: GoogleScope = 'read_only',
): Promise<GoogleAccess> {
  const emulator = givenText(environment['STORAGE_EMULATOR_HOST']);
  const endpoint =
    emulator === null ? 'https://storage.googleapis.com' : emulator.includes('://') ? emulator : `http://${emulator}`;
  return {
    endpoint: endpoint.replace(/\/+$/, ''),
    // An emulator takes anonymous requests and gets no login.
    token: emulator === null ? await tokenOf(environment, session, scope) : null,
    payingProject: givenText(environment['GOOGLE_CLOUD_QUOTA_PROJECT']),
  };
}

async function tokenOf(
  environment: EnvironmentValues,
  session: HttpSession,
  scope: GoogleScope,
): Promise<(() => Promise<string>) | null> {
  const named = givenText(environment['GOOGLE_APPLICATION_CREDENTIALS']);
  const folder = givenText(environment['CLOUDSDK_CONFIG']) ?? path.join(homedir(), '.config', 'gcloud');
  const file = named ?? path.join(folder, 'application_default_credentials.json');
  const text = await readRegularText(file, loginBytes).catch((error: unknown) => {
    if (named !== null)
      throw new FormatError('io', 'the file that GOOGLE_APPLICATION_CREDENTIALS names cannot be read', { cause: error });
    return null;
  });
  if (text !== null) {
    const login = recordOf(jsonOf({ bytes: new TextEncoder().encode(text) }));
    return untilExpired(() => askFor(login, scope, session));
  }
  const product = await readRegularText('/sys/class/dmi/id/product_name', loginBytes, true).catch(() => '');
  if (!product.startsWith('Google')) return null;
  return untilExpired(() => askForToken(session, { url: machineToken, headers: { 'metadata-flavor': 'Google' } }));
}

/** A token for a login of a user, or of a service with its key. */
function askFor(login: Readonly<Record<string, unknown>>, scope: GoogleScope, session: HttpSession): Promise<Expiring<string>> {
  const text = (name: string): string => (typeof login[name] === 'string' ? login[name] : '');
  const parameters =
    login['type'] === 'authorized_user'
      ? {
          grant_type: 'refresh_token',
          client_id: text('client_id'),
          client_secret: text('client_secret'),
          refresh_token: text('refresh_token'),
        }
      : login['type'] === 'service_account'
        ? { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: assertionOf(text, scope) }
        : null;
  if (parameters === null)
    throw new FormatError(
      'io',
      'the login of Google is of a kind that is not used here: one of a user or of a service account is',
    );
  return askForToken(session, {
    url: tokenService,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(parameters).toString(),
  });
}

/** What a service account proves itself by (RFC 7523). */
function assertionOf(text: (name: string) => string, scope: GoogleScope): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const seconds = Math.floor(Date.now() / 1000);
  const claims = {
    iss: text('client_email'),
    scope: `https://www.googleapis.com/auth/devstorage.${scope}`,
    aud: tokenService,
    iat: seconds,
    exp: seconds + 3600,
  };
  const signed = `${part({ alg: 'RS256', typ: 'JWT', kid: text('private_key_id') })}.${part(claims)}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(text('private_key')).toString('base64url')}`;
}

async function askForToken(session: HttpSession, request: Parameters<HttpSession['send']>[0]): Promise<Expiring<string>> {
  try {
    const answer = recordOf(jsonOf(await session.send({ ...request, mostBytes: loginBytes })));
    const { access_token: token, expires_in: seconds } = answer;
    if (typeof token !== 'string') throw new FormatError('io', 'Google gives no token');
    return { value: token, expiresMs: Date.now() + Number(seconds ?? 0) * 1000 };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw error.inWords('the login of Google has expired: `gcloud auth application-default login` logs in again');
  }
}
