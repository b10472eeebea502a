/** Storage systems by name: all that choosing one needs. What is known of each is in the files beside this one. */
export const systemNames = {
  hbm: 'GPU memory (HBM)',
  'gpu-direct-storage': 'GPU-direct storage',
  'host-memory': 'Host memory',
  'neighbour-memory': 'Neighbour’s memory',
  'local-nvme': 'Node-local NVMe',
  lustre: 'Lustre',
  weka: 'WEKA',
  'storage-scale': 'IBM Storage Scale (GPFS)',
  daos: 'DAOS',
  vast: 'VAST',
  beegfs: 'BeeGFS',
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
  'ebs-gp3': 'Amazon EBS gp3',
  nfs: 'NFS',
  archive: 'Archive (S3 Glacier Deep Archive, tape)',
} as const;

export type SystemId = keyof typeof systemNames;

/** From the fastest and most volatile to the slowest and safest. */
export const systemIds = Object.keys(systemNames) as SystemId[];

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
  'local-nvme',
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

export const storeSystemChoices: readonly { value: StoreSystemId; label: string }[] = storeSystemIds.map((id) => ({
  value: id,
  label: systemNames[id],
}));

export const objectSystemChoices: readonly { value: ObjectSystemId; label: string }[] = [
  ...objectSystemIds.map((id) => ({ value: id, label: systemNames[id] })),
  { value: 'none', label: 'none' },
];
