import { homedir } from 'node:os';
import path from 'node:path';
import type { StoreAccess } from '../../app/bandwidth/bandwidthService.js';
import { limits } from '../../core/bytes/limits.js';
import { readRegularText } from '../regularFile.js';
import { StoreAccessError } from './storeAccessError.js';

/** How a store is reached and who asks. */
export interface AwsSettings {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string | null;
  region: string;
  /** Null for Amazon's own of the region. */
  endpoint: URL | null;
}

/**
 * Credentials, region and endpoint as the AWS CLI finds them: what was chosen, then the environment, then the shared files of the
 * profile ("Configuration and credential precedence" of its user guide). Nothing is executed (`credential_process`), and nothing is
 * requested over the network (SSO, roles, instance metadata).
 * @throws StoreAccessError `access-denied` without credentials, `bad-setting` for an endpoint that is no URL
 */
export async function readAwsSettings(choices: StoreAccess, environment: Values = process.env): Promise<AwsSettings> {
  const named = choices.profile ?? text(environment['AWS_PROFILE']);
  const profile = await readProfile(named ?? 'default', environment);
  const keys = credentialsOf(choices.profile === null ? environment : {}, profile);
  if (keys === null) throw new StoreAccessError('access-denied', missingWords(named, profile));
  const endpoint =
    choices.endpoint ??
    text(environment['AWS_ENDPOINT_URL_S3']) ??
    text(environment['AWS_ENDPOINT_URL']) ??
    text(profile['endpoint_url']);
  const region =
    choices.region ?? text(environment['AWS_REGION']) ?? text(environment['AWS_DEFAULT_REGION']) ?? text(profile['region']);
  return { ...keys, region: region ?? standardRegion(endpoint), endpoint: endpoint === null ? null : endpointUrl(endpoint) };
}

type Values = Readonly<Record<string, string | undefined>>;
type Keys = Pick<AwsSettings, 'accessKeyId' | 'secretAccessKey' | 'sessionToken'>;

function credentialsOf(environment: Values, profile: Values): Keys | null {
  const own = keysOf(environment['AWS_ACCESS_KEY_ID'], environment['AWS_SECRET_ACCESS_KEY'], environment['AWS_SESSION_TOKEN']);
  return own ?? keysOf(profile['aws_access_key_id'], profile['aws_secret_access_key'], profile['aws_session_token']);
}

function keysOf(id: string | undefined, secret: string | undefined, token: string | undefined): Keys | null {
  const accessKeyId = text(id);
  const secretAccessKey = text(secret);
  return accessKeyId === null || secretAccessKey === null ? null : { accessKeyId, secretAccessKey, sessionToken: text(token) };
}

/** Settings of a profile by which a key would come from elsewhere. */
const indirectSettings = ['credential_process', 'sso_session', 'sso_start_url', 'role_arn', 'source_profile', 'login_session'];

function missingWords(named: string | null, profile: Values): string {
  const indirect = indirectSettings.find((key) => profile[key] !== undefined);
  const which = named === null ? '' : ` of profile ${named}`;
  return indirect === undefined
    ? `there is no access key${which}: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or ~/.aws/credentials`
    : `the access key${which} comes by ${indirect}, which Stowage does not use: eval "$(aws configure export-credentials --format env)" gives it`;
}

/** R2 has no other; other stores take Amazon's first one where none is configured. */
function standardRegion(endpoint: string | null): string {
  return endpoint !== null && endpoint.includes('.r2.cloudflarestorage.com') ? 'auto' : 'us-east-1';
}

function endpointUrl(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new StoreAccessError('bad-setting', `${JSON.stringify(endpoint)} is no endpoint: it takes https://host:port`);
  }
  return url;
}

/** A profile of both files; that of the credentials goes first. Empty where there is none. */
async function readProfile(name: string, environment: Values): Promise<Values> {
  const folder = path.join(homedir(), '.aws');
  const credentials = environment['AWS_SHARED_CREDENTIALS_FILE'] ?? path.join(folder, 'credentials');
  const config = environment['AWS_CONFIG_FILE'] ?? path.join(folder, 'config');
  const sections = name === 'default' ? ['default', 'profile default'] : [`profile ${name}`];
  return { ...(await readSection(config, sections)), ...(await readSection(credentials, [name])) };
}

/** Values of a section of an INI file, those of nested settings (indented lines) left out. */
async function readSection(file: string, names: readonly string[]): Promise<Values> {
  const content = await readRegularText(file, limits.awsProfileBytes).catch(() => '');
  const values = Object.create(null) as Record<string, string>;
  let isIn = false;
  for (const line of content.split(/\r?\n/)) {
    if (line.startsWith('[')) isIn = names.includes(sectionName(line));
    const at = line.indexOf('=');
    if (!isIn || at < 0 || /^[\s#;[]/.test(line)) continue;
    values[line.slice(0, at).trim().toLowerCase()] = line.slice(at + 1).trim();
  }
  return values;
}

/** `[profile my-name]`; a name may be in quotes. */
function sectionName(line: string): string {
  const inner = line.slice(1, Math.max(1, line.indexOf(']')));
  return inner.trim().replace(/\s+/g, ' ').replaceAll('"', '').replaceAll("'", '');
}

function text(value: string | undefined): string | null {
  return value === undefined || value.trim() === '' ? null : value.trim();
}
