import type { StoreAccess } from '../../app/bandwidth/bandwidthService.js';
import { maskedText, withoutSecrets } from '../../core/text/secrets.js';
import { type EnvironmentValues, givenText } from '../environmentValues.js';
import { profileName, readAwsProfile } from './awsProfile.js';
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
export async function readAwsSettings(choices: StoreAccess, environment: EnvironmentValues = process.env): Promise<AwsSettings> {
  const named = profileName(choices.profile, environment);
  const profile = await readAwsProfile(named ?? 'default', environment);
  const keys = storedAwsKeys(choices.profile === null ? environment : {}, profile);
  if (keys === null) throw new StoreAccessError('access-denied', missingWords(named, profile));
  return { ...keys, ...awsPlaceOf(choices, environment, profile) };
}

/**
 * The region and the endpoint as the AWS CLI finds them.
 * @throws StoreAccessError `bad-setting` for an endpoint that is no URL
 */
export function awsPlaceOf(
  choices: Pick<StoreAccess, 'endpoint' | 'region'>,
  environment: EnvironmentValues,
  profile: EnvironmentValues,
): Pick<AwsSettings, 'region' | 'endpoint'> {
  const endpoint =
    choices.endpoint ??
    givenText(environment['AWS_ENDPOINT_URL_S3']) ??
    givenText(environment['AWS_ENDPOINT_URL']) ??
    givenText(profile['endpoint_url']);
  const region =
    choices.region ??
    givenText(environment['AWS_REGION']) ??
    givenText(environment['AWS_DEFAULT_REGION']) ??
    givenText(profile['region']);
  return { region: region ?? standardRegion(endpoint), endpoint: endpoint === null ? null : endpointUrl(endpoint) };
}

export type AwsKeys = Pick<AwsSettings, 'accessKeyId' | 'secretAccessKey' | 'sessionToken'>;

/** Keys that stand in the environment or in a profile; those of the environment go first. */
export function storedAwsKeys(environment: EnvironmentValues, profile: EnvironmentValues): AwsKeys | null {
  const own = keysOf(environment['AWS_ACCESS_KEY_ID'], environment['AWS_SECRET_ACCESS_KEY'], environment['AWS_SESSION_TOKEN']);
  return own ?? keysOf(profile['aws_access_key_id'], profile['aws_secret_access_key'], profile['aws_session_token']);
}

function keysOf(id: string | undefined, secret: string | undefined, token: string | undefined): AwsKeys | null {
  const accessKeyId = givenText(id);
  const secretAccessKey = givenText(secret);
  return accessKeyId === null || secretAccessKey === null
    ? null
    : { accessKeyId, secretAccessKey, sessionToken: givenText(token) };
}

/** Settings of a profile by which a key would come from elsewhere. */
const indirectSettings = ['credential_process', 'sso_session', 'sso_start_url', 'role_arn', 'source_profile', 'login_session'];

function missingWords(named: string | null, profile: EnvironmentValues): string {
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
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw new StoreAccessError(
      'bad-setting',
      `${JSON.stringify(shownEndpoint(endpoint))} is no endpoint: it takes https://host:port`,
    );
  }
  return url;
}

/** Without what may be a login: whatever is in front of an `@`, and behind the path. */
function shownEndpoint(endpoint: string): string {
  return withoutSecrets(endpoint.replace(/^([a-z]+:\/\/)?.*@/is, `$1${maskedText}@`).replace(/[?#].*$/s, ''));
}
