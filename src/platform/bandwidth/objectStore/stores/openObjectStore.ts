import type { StoreAccess } from '../../../../app/bandwidth/bandwidthService.js';
import type { ObjectStoreTarget } from '../../../../core/bandwidth/objectStoreTarget.js';
import { FormatError } from '../../../../core/bytes/formatError.js';
import { readAwsSettings } from '../../../objectStore/awsSettings.js';
import { StoreAccessError } from '../../../objectStore/storeAccessError.js';
import { azureAccess } from '../../../remote/access/azureAccess.js';
import { googleAccess } from '../../../remote/access/googleAccess.js';
import { HttpSession } from '../../../remote/httpSession.js';
import { proxiedHttp } from '../../../remote/proxiedHttp.js';
import { RequestBudget } from '../../../remote/requestBudget.js';
import { AzureObjects } from './azureObjects.js';
import { GoogleObjects } from './googleObjects.js';
import type { ObjectStore } from './objectStore.js';
import { S3Objects } from './s3Objects.js';

/**
 * The store of a target, with the login that inspections of addresses use; of S3, with the endpoint, region and profile that were chosen.
 * @param silenceMs after which a request without a byte in either direction is ended
 * @throws StoreAccessError `access-denied` without a login, `bad-setting` for choices that the store does not have
 */
export async function openObjectStore(place: ObjectStoreTarget, choices: StoreAccess, silenceMs: number): Promise<ObjectStore> {
  if (place.kind === 's3') return new S3Objects(place.bucket, await readAwsSettings(choices), silenceMs);
  const idle = (['endpoint', 'region', 'profile'] as const).find((name) => choices[name] !== null);
  if (idle !== undefined) throw new StoreAccessError('bad-setting', `--${idle} goes with s3://bucket/prefix`);
  try {
    return place.kind === 'azure'
      ? new AzureObjects(place.container, await azureAccess(process.env, place), silenceMs)
      : new GoogleObjects(place.bucket, await googleAccess(process.env, loginSession(), 'read_write'), silenceMs);
  } catch (error) {
    throw FormatError.is(error) ? new StoreAccessError('access-denied', error.detail) : error;
  }
}

/** Requests by which a login gives a token: one an hour, within the usual bounds. */
function loginSession(): HttpSession {
  return new HttpSession(proxiedHttp, new RequestBudget(() => Promise.resolve(true)));
}
