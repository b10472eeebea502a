import { FormatError } from '../../../core/bytes/formatError.js';
import type { EnvironmentValues } from '../../environmentValues.js';
import { profileName, readAwsProfile } from '../../objectStore/awsProfile.js';
import { awsPlaceOf, storedAwsKeys } from '../../objectStore/awsSettings.js';
import { StoreAccessError } from '../../objectStore/storeAccessError.js';
import type { HttpSession } from '../httpSession.js';
import type { S3Access } from '../stores/s3Store.js';
import { expiringAwsKeys } from './expiringAwsKeys.js';
import type { RemoteChoices } from './remoteChoices.js';
import { untilExpired } from './untilExpired.js';

/**
 * Region, endpoint and keys as the AWS CLI finds them ("Configuration and credential precedence" of its user guide), without keys where there are none: a
 * public bucket takes requests without a signature. `credential_process` is not run.
 * @throws FormatError `io` for settings that cannot be used
 */
export async function s3Access(environment: EnvironmentValues, session: HttpSession, choices: RemoteChoices): Promise<S3Access> {
  const { profile: chosen, isAnonymous, requesterPays } = choices;
  const profile = await readAwsProfile(profileName(chosen, environment) ?? 'default', environment);
  if (chosen !== null && Object.keys(profile).length === 0)
    throw new FormatError('io', 'there is no such profile in the files config and credentials of ~/.aws');
  try {
    const place = awsPlaceOf({ endpoint: null, region: null }, environment, profile);
    const stored = storedAwsKeys(chosen === null ? environment : {}, profile);
    const expiring = stored === null && !isAnonymous ? await expiringAwsKeys(environment, profile, place.region, session) : null;
    const keys = stored === null ? expiring && untilExpired(expiring) : () => Promise.resolve(stored);
    return { ...place, keys: isAnonymous ? null : keys, requesterPays };
  } catch (error) {
    throw error instanceof StoreAccessError ? new FormatError('io', error.detail) : error;
  }
}
