import type { BandwidthService, StoreAccess } from '../../app/bandwidth/bandwidthService.js';
import { createNodeBandwidthService } from './nodeBandwidthService.js';
import { isObjectStoreAddress } from '../../core/files/remote/remoteScheme.js';
import type { CheckOptions } from './runCheck.js';

/** The service that measures a target: a directory of this machine, or an object store. */
export async function bandwidthServiceAt(
  target: string,
  options: CheckOptions,
  store: StoreAccess = { endpoint: null, region: null, profile: null },
): Promise<BandwidthService> {
  if (!isObjectStoreAddress(target)) return createNodeBandwidthService(options);
  // Loaded when it is needed: each thread of a check loads the file that this is bundled into.
  const { createObjectStoreService } = await import('./objectStore/objectStoreService.js');
  return createObjectStoreService(store);
}
