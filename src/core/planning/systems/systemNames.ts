/** Storage systems by name: all that choosing one needs. What is known of each is in the files beside this one. */
export const systemNames = {
  'gpu-direct-storage': 'GPU-direct storage',
  'host-memory': 'Host memory',
  'neighbour-memory': 'Neighbour’s memory',
  'local-nvme': 'Node-local NVMe',
  'neighbour-nvme': 'Neighbour’s NVMe',
  lustre: 'Lustre',
  exascaler: 'DDN EXAScaler',
  weka: 'WEKA',
  'storage-scale': 'IBM Storage Scale (GPFS)',
  daos: 'DAOS',
  vast: 'VAST',
  powerscale: 'Dell PowerScale',
  flashblade: 'Pure Storage FlashBlade',
  beegfs: 'BeeGFS',
  '3fs': '3FS',
  hdfs: 'HDFS',
  'ceph-rados': 'Ceph RADOS',
  cephfs: 'CephFS',
  'ceph-rgw': 'Ceph Object Gateway (RGW)',
  minio: 'MinIO',
  's3-standard': 'S3 Standard',
  's3-express': 'S3 Express One Zone',
  'gcs-standard': 'Google Cloud Storage',
  'gcs-rapid': 'Google Cloud Storage Rapid',
  'azure-blob': 'Azure Blob Storage',
  'fsx-lustre': 'Amazon FSx for Lustre',
  'gcp-managed-lustre': 'Google Cloud Managed Lustre',
  'azure-managed-lustre': 'Azure Managed Lustre',
  'ebs-gp3': 'Amazon EBS gp3',
  nfs: 'NFS',
  efs: 'Amazon EFS',
  filestore: 'Google Cloud Filestore',
  archive: 'Archive (S3 Glacier Deep Archive, tape)',
} as const;

export type SystemId = keyof typeof systemNames;

/** From the fastest and most volatile to the slowest and safest. */
export const systemIds = Object.keys(systemNames) as SystemId[];

/** What can be where a plan saves to: file systems that all nodes mount, object stores, and what the nodes have themselves. */
export const storeSystemIds = [
  'lustre',
  'exascaler',
  'weka',
  'storage-scale',
  'daos',
  'vast',
  'powerscale',
  'flashblade',
  'beegfs',
  '3fs',
  'cephfs',
  'hdfs',
  'nfs',
  'fsx-lustre',
  'efs',
  'gcp-managed-lustre',
  'filestore',
  'azure-managed-lustre',
  'gcs-rapid',
  's3-express',
  's3-standard',
  'gcs-standard',
  'azure-blob',
  'ceph-rgw',
  'minio',
  'ebs-gp3',
  'neighbour-nvme',
  'local-nvme',
] as const satisfies readonly SystemId[];

/** What holds bytes and is no place to save to, each with why. */
export const refusedStores: Readonly<Record<string, string>> = {
  archive: 'nothing can be resumed from it for hours. Set objectStore to it for what stays',
  'host-memory': 'it is lost with its node. Set saveMode to multi-level, which saves to it first',
  'neighbour-memory': 'it is lost with the job. Set saveMode to multi-level, which saves to it before the storage',
  'gpu-direct-storage': 'it is a way to drives. Set local-nvme or the file system behind it',
  'ceph-rados': 'no framework writes to it. Set cephfs or ceph-rgw',
};

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

export const storeSystemChoices: readonly { value: StoreSystemId; label: string }[] = storeSystemIds.map((id) => ({
  value: id,
  label: systemNames[id],
}));

export const objectSystemChoices: readonly { value: ObjectSystemId; label: string }[] = [
  ...objectSystemIds.map((id) => ({ value: id, label: systemNames[id] })),
  { value: 'none', label: 'none' },
];
