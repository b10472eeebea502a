import { homedir } from 'node:os';
import path from 'node:path';
import { FormatError } from '../../../core/bytes/formatError.js';
import type { AzureAddress } from '../../../core/files/remote/remoteAddress.js';
import { type EnvironmentValues, givenText } from '../../environmentValues.js';
import { readRegularText } from '../../regularFile.js';
import type { AzureAccess, AzureProof } from '../stores/azureRequest.js';
import { recordOf } from '../stores/jsonAnswer.js';

/** Of the logins that the Azure CLI keeps. */
const loginsBytes = 4 * 1024 * 1024;

/**
 * The account and who asks: a signature of the address itself, then the variables of the Azure CLI and of fsspec's `adlfs`, then the login that
 * `az login` keeps. Nothing is run.
 * @throws FormatError `io` where no account is known, and for an endpoint that is no address
 */
export async function azureAccess(environment: EnvironmentValues, address: AzureAddress): Promise<AzureAccess> {
  const connection = connectionOf(givenText(environment['AZURE_STORAGE_CONNECTION_STRING']) ?? '');
  const ownAccount =
    givenText(environment['AZURE_STORAGE_ACCOUNT']) ??
    givenText(environment['AZURE_STORAGE_ACCOUNT_NAME']) ??
    connection.get('accountname') ??
    null;
  const account = address.account ?? ownAccount;
  if (account === null)
    throw new FormatError(
      'io',
      'no storage account is named: AZURE_STORAGE_ACCOUNT, or abfs://container@account.dfs.core.windows.net/…',
    );
  // Keys of one account are not sent to another.
  const isOwn = ownAccount === null || ownAccount === account;
  const endpoint =
    (isOwn ? (givenText(environment['AZURE_STORAGE_BLOB_ENDPOINT']) ?? connection.get('blobendpoint')) : undefined) ??
    `https://${account}.blob.core.windows.net`;
  const isAddress = URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol);
  if (!isAddress || new URL(endpoint).username !== '' || new URL(endpoint).search !== '')
    throw new FormatError('io', 'AZURE_STORAGE_BLOB_ENDPOINT or BlobEndpoint of the connection string is no address of a store');
  return { account, endpoint: endpoint.replace(/\/+$/, ''), proof: await proofOf(environment, connection, address, isOwn) };
}

async function proofOf(
  environment: EnvironmentValues,
  connection: ReadonlyMap<string, string>,
  { signature }: AzureAddress,
  isOwn: boolean,
): Promise<AzureProof> {
  if (signature !== null) return { kind: 'signature', query: signature };
  if (isOwn) {
    const key =
      givenText(environment['AZURE_STORAGE_KEY']) ??
      givenText(environment['AZURE_STORAGE_ACCOUNT_KEY']) ??
      connection.get('accountkey');
    if (key !== undefined) return { kind: 'key', key };
    const shared = givenText(environment['AZURE_STORAGE_SAS_TOKEN']) ?? connection.get('sharedaccesssignature');
    if (shared !== undefined) return { kind: 'signature', query: shared.replace(/^\?/, '') };
  }
  const token = await keptToken(environment);
  return token === null ? { kind: 'anonymous' } : { kind: 'token', token: () => Promise.resolve(token) };
}

/** `AccountName=…;AccountKey=…`, by the names in lower case. */
function connectionOf(text: string): Map<string, string> {
  return new Map(
    text
      .split(';')
      .filter((part) => part.includes('='))
      .map((part) => [part.slice(0, part.indexOf('=')).trim().toLowerCase(), part.slice(part.indexOf('=') + 1).trim()]),
  );
}

/** A token for storage that the Azure CLI has had lately (its cache of logins, which is plain text on Linux); null without one. */
async function keptToken(environment: EnvironmentValues): Promise<string | null> {
  const folder = givenText(environment['AZURE_CONFIG_DIR']) ?? path.join(homedir(), '.azure');
  const text = await readRegularText(path.join(folder, 'msal_token_cache.json'), loginsBytes).catch(() => '{}');
  try {
    const tokens = Object.values(recordOf(recordOf(JSON.parse(text))['AccessToken'])).map(recordOf);
    const valid = tokens.find(
      ({ target, expires_on: expires }) =>
        typeof target === 'string' &&
        target.includes('https://storage.azure.com/') &&
        Number(expires) * 1000 > Date.now() + 60_000,
    );
    return typeof valid?.['secret'] === 'string' ? valid['secret'] : null;
  } catch {
    return null;
  }
}
