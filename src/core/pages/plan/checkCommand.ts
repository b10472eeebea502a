/** The check of bandwidth that fits a plan, as a command. */
import { standardInputs } from '../../planning/inputs/planInputs.js';
import type { StoragePlan } from '../../planning/storagePlan.js';
import { systemOf } from '../../planning/systems/storageSystems.js';
import type { StoreSystemId } from '../../planning/systems/systemNames.js';
import { formatBytes } from '../../text/units.js';
import type { CodeLines } from './planSection.js';

/** Of object stores, what a check names the place by, and the flag that it needs besides; others are not checked. */
const placeOf: Partial<Readonly<Record<StoreSystemId, { address: string; endpoint?: string }>>> = {
  's3-standard': { address: 's3://BUCKET/PREFIX' },
  's3-express': { address: 's3://BUCKET/PREFIX' },
  'gcs-standard': { address: 'gs://BUCKET/PREFIX' },
  'azure-blob': { address: 'abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/PREFIX' },
  minio: { address: 's3://BUCKET/PREFIX', endpoint: ' --endpoint URL' },
  'ceph-rgw': { address: 's3://BUCKET/PREFIX', endpoint: ' --endpoint URL' },
};

/** Nothing where no check reaches the storage. */
export function checkCode(plan: StoragePlan): { code?: CodeLines } {
  const { inputs, size, save } = plan;
  const { writingNodes, largestNodeBytes } = save.writers;
  if (systemOf(inputs.store).kind !== 'object')
    return bash(`DIRECTORY --size ${bytesOf(size.checkpointBytes)}${writingNodes > 1 ? ` --nodes ${writingNodes}` : ''}`, plan);
  const place = placeOf[inputs.store];
  // From one node, its share.
  return place === undefined ? {} : bash(`${place.address} --size ${bytesOf(largestNodeBytes)}${place.endpoint ?? ''}`, plan);
}

/** Why a check is given a longer interval than the plan has; empty where it has that. */
export function checkRule(plan: StoragePlan): string {
  const { save, retention } = plan;
  const isLonger = save.saveSeconds / standardInputs.overlapTarget > retention.storeIntervalSeconds;
  return isLonger && 'code' in checkCode(plan)
    ? ' The check allows a save a tenth of its interval, which is longer here for that.'
    : '';
}

function bash(what: string, plan: StoragePlan): { code: CodeLines } {
  return { code: { language: 'bash', text: `stowage bandwidth ${what} --interval ${intervalOf(plan)}` } };
}

function bytesOf(bytes: number): string {
  return formatBytes(bytes).replace(' ', '');
}

/** Of saves to the storage, rounded down. A check finds enough what leaves a save a tenth of the interval: a plan that takes more has a longer one. */
function intervalOf({ save, retention }: StoragePlan): string {
  const seconds = Math.max(
    1,
    Math.floor(Math.max(retention.storeIntervalSeconds, save.saveSeconds / standardInputs.overlapTarget)),
  );
  return seconds < 600 ? `${seconds}s` : `${Math.floor(seconds / 60)}min`;
}
