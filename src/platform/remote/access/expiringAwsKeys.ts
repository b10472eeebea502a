import { createHash } from 'node:crypto';
import path from 'node:path';
import { AwsV4Signer } from 'aws4fetch';
import { FormatError } from '../../../core/bytes/formatError.js';
import { plainText, tagOf } from '../../objectStore/answerText.js';
import { type EnvironmentValues, givenText } from '../../environmentValues.js';
import { awsFolder, readAwsProfile, readAwsSection } from '../../objectStore/awsProfile.js';
import { type AwsKeys, storedAwsKeys } from '../../objectStore/awsSettings.js';
import { readRegularText } from '../../regularFile.js';
import { HttpError } from '../httpError.js';
import type { HttpSession } from '../httpSession.js';
import { jsonOf, recordOf } from '../stores/jsonAnswer.js';
import type { Expiring } from './untilExpired.js';

type AskedKeys = () => Promise<Expiring<AwsKeys>>;

/** Of a token or a login that a program keeps. */
const loginBytes = 64 * 1024;
/** What a session is called in the logs of the account. */
const sessionName = 'stowage';
/** Roles that are taken one by the other. */
const mostRoles = 4;
/** Where a container of ECS or EKS, and a machine of EC2, ask who they are (AWS SDKs, "container credential provider" and "IMDS"). */
const containerHost = 'http://169.254.170.2';
const machineHost = 'http://169.254.169.254';

/**
 * How keys are had that somebody gives for some time: a role by a token of the cluster, a login by SSO, a role of a profile, that of a container or machine.
 * Null where nothing says so.
 * @throws FormatError `io` for settings that cannot be used
 */
export async function expiringAwsKeys(
  environment: EnvironmentValues,
  profile: EnvironmentValues,
  region: string,
  session: HttpSession,
): Promise<AskedKeys | null> {
  const sources = new KeySources(environment, region, session);
  return (
    sources.webIdentity(environment['AWS_WEB_IDENTITY_TOKEN_FILE'], environment['AWS_ROLE_ARN']) ??
    (await sources.ofProfile(profile)) ??
    sources.container() ??
    (await sources.machine())
  );
}

class KeySources {
  constructor(
    private readonly environment: EnvironmentValues,
    private readonly region: string,
    private readonly session: HttpSession,
  ) {}

  async ofProfile(profile: EnvironmentValues, roles = 0): Promise<AskedKeys | null> {
    const role = givenText(profile['role_arn']);
    if (role === null) return this.#login(profile);
    const byToken = this.webIdentity(profile['web_identity_token_file'], role);
    if (byToken !== null) return byToken;
    if (roles >= mostRoles) throw new FormatError('io', 'the roles of the profile lead in a circle');
    const source = await this.#sourceOf(profile, roles);
    if (source === null) throw new FormatError('io', 'the profile sets role_arn without source_profile or credential_source');
    return async () => this.#takeRole(role, profile, (await source()).value);
  }

  /** Whose keys take a role. */
  async #sourceOf(profile: EnvironmentValues, roles: number): Promise<AskedKeys | null> {
    const name = givenText(profile['source_profile']);
    if (name !== null) {
      const source = await readAwsProfile(name, this.environment);
      const stored = storedAwsKeys({}, source);
      return stored === null ? this.ofProfile(source, roles + 1) : () => Promise.resolve({ value: stored, expiresMs: null });
    }
    const stored = storedAwsKeys(this.environment, {});
    switch (profile['credential_source']) {
      case 'Environment':
        return stored && (() => Promise.resolve({ value: stored, expiresMs: null }));
      case 'EcsContainer':
        return this.container();
      case 'Ec2InstanceMetadata':
        return () => this.#askMachine();
      default:
        return null;
    }
  }

  /** A role by a token that the cluster writes into a file (EKS, GitHub). */
  webIdentity(tokenFile: string | undefined, role: string | undefined): AskedKeys | null {
    const file = givenText(tokenFile);
    const arn = givenText(role);
    if (file === null || arn === null) return null;
    return async () => {
      const token = (await readRegularText(file, loginBytes)).trim();
      return this.#askSts({ Action: 'AssumeRoleWithWebIdentity', RoleArn: arn, WebIdentityToken: token }, null);
    };
  }

  #takeRole(role: string, profile: EnvironmentValues, keys: AwsKeys): Promise<Expiring<AwsKeys>> {
    if (givenText(profile['mfa_serial']) !== null)
      throw new FormatError(
        'io',
        'the role asks for a code of a device: `aws configure export-credentials --format env` asks for it',
      );
    const external = givenText(profile['external_id']);
    return this.#askSts({ Action: 'AssumeRole', RoleArn: role, ...(external !== null && { ExternalId: external }) }, keys);
  }

  async #askSts(parameters: Readonly<Record<string, string>>, keys: AwsKeys | null): Promise<Expiring<AwsKeys>> {
    const domain = this.region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
    const own = givenText(this.environment['AWS_ENDPOINT_URL_STS']);
    const url = own ?? `https://sts.${this.region}.${domain}/`;
    const body = new URLSearchParams({ Version: '2011-06-15', RoleSessionName: sessionName, ...parameters }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await this.#send('the token service of AWS', {
      url,
      method: 'POST',
      headers,
      body,
      sign: async (signed, all) => {
        if (keys === null) return all;
        const { accessKeyId, secretAccessKey, sessionToken } = keys;
        const token = sessionToken === null ? {} : { sessionToken };
        const { region } = this;
        const signer = new AwsV4Signer({
          method: 'POST',
          url: signed,
          headers: all,
          body,
          accessKeyId,
          secretAccessKey,
          ...token,
          service: 'sts',
          region,
        });
        return Object.fromEntries((await signer.sign()).headers);
      },
    });
    const text = new TextDecoder().decode(answer.bytes);
    const part = (name: string): string => plainText(tagOf(text, name));
    return keysOf(part('AccessKeyId'), part('SecretAccessKey'), part('SessionToken'), part('Expiration'));
  }

  /** A login by SSO, as `aws sso login` keeps it. */
  async #login(profile: EnvironmentValues): Promise<AskedKeys | null> {
    const name = givenText(profile['sso_session']);
    const login = name === null ? profile : { ...profile, ...(await readAwsSection([`sso-session ${name}`], this.environment)) };
    const start = givenText(login['sso_start_url']);
    const [account, role] = [givenText(profile['sso_account_id']), givenText(profile['sso_role_name'])];
    const region = givenText(login['sso_region']);
    if (start === null || account === null || role === null || region === null) return null;
    const key = createHash('sha1')
      .update(name ?? start)
      .digest('hex');
    return async () => {
      const file = path.join(awsFolder(), 'sso', 'cache', `${key}.json`);
      const text = await readRegularText(file, loginBytes).catch(() => '{}');
      const kept = recordOf(jsonOf({ bytes: new TextEncoder().encode(text) }));
      const token = kept['accessToken'];
      const expiresMs = Date.parse(String(kept['expiresAt']).replace(/UTC$/, 'Z'));
      if (typeof token !== 'string' || !(expiresMs > Date.now()))
        throw new FormatError('io', 'the login of AWS has expired: `aws sso login` logs in again');
      const query = new URLSearchParams({ role_name: role, account_id: account });
      const answer = await this.#send('the login service of AWS', {
        url: `https://portal.sso.${region}.amazonaws.com/federation/credentials?${query.toString()}`,
        headers: { 'x-amz-sso_bearer_token': token },
      });
      const found = recordOf(recordOf(jsonOf(answer))['roleCredentials']);
      return keysOf(found['accessKeyId'], found['secretAccessKey'], found['sessionToken'], found['expiration']);
    };
  }

  container(): AskedKeys | null {
    const relative = givenText(this.environment['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI']);
    const full = givenText(this.environment['AWS_CONTAINER_CREDENTIALS_FULL_URI']);
    const url = relative === null ? full : `${containerHost}${relative}`;
    if (url === null) return null;
    return async () => {
      if (!isOwnHost(url))
        throw new FormatError('io', 'AWS_CONTAINER_CREDENTIALS_FULL_URI leads to another machine, which is not asked');
      const file = givenText(this.environment['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE']);
      const token =
        file === null
          ? givenText(this.environment['AWS_CONTAINER_AUTHORIZATION_TOKEN'])
          : await readRegularText(file, loginBytes);
      const headers: Record<string, string> = token === null ? {} : { authorization: token.trim() };
      return givenKeys(jsonOf(await this.#send('the container', { url, headers })));
    };
  }

  /** The role of a machine of EC2: only there is anybody to ask. */
  async machine(): Promise<AskedKeys | null> {
    if (/^true$/i.test(this.environment['AWS_EC2_METADATA_DISABLED'] ?? '')) return null;
    const vendor = await readRegularText('/sys/class/dmi/id/sys_vendor', loginBytes, true).catch(() => '');
    return vendor.trim() === 'Amazon EC2' ? () => this.#askMachine() : null;
  }

  /** By a token, which a request that was led astray has not (IMDS, version 2). */
  async #askMachine(): Promise<Expiring<AwsKeys>> {
    const who = 'the machine';
    const base = `${machineHost}/latest`;
    const ttl = { 'x-aws-ec2-metadata-token-ttl-seconds': '300' };
    const token = await this.#send(who, { url: `${base}/api/token`, method: 'PUT', headers: ttl });
    const headers = { 'x-aws-ec2-metadata-token': new TextDecoder().decode(token.bytes).trim() };
    const roles = `${base}/meta-data/iam/security-credentials/`;
    const name =
      new TextDecoder()
        .decode((await this.#send(who, { url: roles, headers })).bytes)
        .split('\n')[0]
        ?.trim() ?? '';
    return givenKeys(jsonOf(await this.#send(who, { url: `${roles}${encodeURIComponent(name)}`, headers })));
  }

  async #send(who: string, request: Parameters<HttpSession['send']>[0]): ReturnType<HttpSession['send']> {
    try {
      return await this.session.send({ ...request, mostBytes: loginBytes });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const code = tagOf(error.body, 'Code');
      throw error.inWords(`${who} gives no keys: it answers ${error.status}${/^[A-Za-z]{1,60}$/.test(code) ? ` ${code}` : ''}`);
    }
  }
}

/** Hosts that AWS_CONTAINER_CREDENTIALS_FULL_URI may name: this machine, and the two of AWS (AWS SDKs, "container credential provider"). */
function isOwnHost(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  const isNear = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|169\.254\.170\.2|169\.254\.170\.23|\[fd00:ec2::23\])$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isNear);
}

/** As containers and machines write them. */
function givenKeys(answer: unknown): Expiring<AwsKeys> {
  const found = recordOf(answer);
  return keysOf(found['AccessKeyId'], found['SecretAccessKey'], found['Token'], found['Expiration']);
}

function keysOf(id: unknown, secret: unknown, token: unknown, expires: unknown): Expiring<AwsKeys> {
  if (typeof id !== 'string' || id === '' || typeof secret !== 'string' || secret === '')
    throw new FormatError('io', 'what should give keys gives none');
  const expiresMs = typeof expires === 'number' ? expires : Date.parse(String(expires));
  return {
    value: { accessKeyId: id, secretAccessKey: secret, sessionToken: typeof token === 'string' && token !== '' ? token : null },
    expiresMs: Number.isNaN(expiresMs) ? null : expiresMs,
  };
}
