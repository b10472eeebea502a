import { memorySystems } from './memorySystems.js';
import { nodeSystems } from './nodeSystems.js';
import { objectSystems } from './objectSystems.js';
import { sharedSystems } from './sharedSystems.js';
import type { StorageSystem, SystemId } from './storageSystem.js';

/** All systems that a plan compares, from the fastest and most volatile to the slowest and safest. */
export const storageSystems: readonly StorageSystem[] = [...memorySystems, ...nodeSystems, ...sharedSystems, ...objectSystems];

/** What a checkpoint is safe on while the run goes on. */
export const storeSystemIds = [
  'lustre',
  'weka',
  'storage-scale',
  'daos',
  'vast',
  'beegfs',
  'cephfs',
  'hdfs',
  'nfs',
  'fsx-lustre',
  'gcp-managed-lustre',
  'gcs-rapid',
  's3-express',
  'ebs-gp3',
] as const satisfies readonly SystemId[];

export const objectSystemIds = [
  's3-standard',
  'gcs-standard',
  'azure-blob',
  'ceph-rgw',
  'minio',
  'archive',
] as const satisfies readonly SystemId[];

export type StoreSystemId = (typeof storeSystemIds)[number];
export type ObjectSystemId = (typeof objectSystemIds)[number] | 'none';

/** @throws RangeError for an id without data, which the test of the data excludes */
export function systemOf(id: SystemId): StorageSystem {
  const found = storageSystems.find((system) => system.id === id);
  if (found === undefined) throw new RangeError(`there are no data of ${id}`);
  return found;
}

const nameOf = (id: SystemId): string => storageSystems.find((system) => system.id === id)?.name ?? id;

export const storeSystemChoices: readonly { value: StoreSystemId; label: string }[] = storeSystemIds.map((id) => ({
  value: id,
  label: nameOf(id),
}));

export const objectSystemChoices: readonly { value: ObjectSystemId; label: string }[] = [
  ...objectSystemIds.map((id) => ({ value: id, label: nameOf(id) })),
  { value: 'none', label: 'none' },
];
