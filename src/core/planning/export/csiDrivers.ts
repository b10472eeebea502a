/** How Kubernetes comes to a storage system: the name under which its driver (Container Storage Interface) registers. */
import type { StoreSystemId } from '../systems/systemNames.js';

export interface CsiDriver {
  /** Provisioner of a storage class; null where no driver of the system is known. */
  name: string | null;
  /** `static`: the driver makes no volumes, it mounts what there is. */
  provisioning: 'dynamic' | 'static';
  /** False for storage that one node has: each node that writes needs a volume of its own. */
  isShared: boolean;
}

const shared = (name: string | null): CsiDriver => ({ name, provisioning: 'dynamic', isShared: true });
const bucket = (name: string): CsiDriver => ({ name, provisioning: 'static', isShared: true });
const ofOneNode = (name: string): CsiDriver => ({ name, provisioning: 'dynamic', isShared: false });

/** Names as the drivers’ documentation has them. */
const drivers: Readonly<Partial<Record<StoreSystemId, CsiDriver>>> = {
  weka: shared('csi.weka.io'),
  'storage-scale': shared('spectrumscale.csi.ibm.com'),
  vast: shared('csi.vastdata.com'),
  beegfs: shared('beegfs.csi.netapp.com'),
  cephfs: shared('cephfs.csi.ceph.com'),
  nfs: shared('nfs.csi.k8s.io'),
  'fsx-lustre': shared('fsx.csi.aws.com'),
  'gcp-managed-lustre': shared('lustre.csi.storage.gke.io'),
  'gcs-rapid': bucket('gcsfuse.csi.storage.gke.io'),
  'gcs-standard': bucket('gcsfuse.csi.storage.gke.io'),
  's3-express': bucket('s3.csi.aws.com'),
  's3-standard': bucket('s3.csi.aws.com'),
  'azure-blob': shared('blob.csi.azure.com'),
  'ebs-gp3': ofOneNode('ebs.csi.aws.com'),
  'local-nvme': ofOneNode('kubernetes.io/no-provisioner'),
};

/** Of a system without a row any class that the cluster has may be the one. */
export function csiDriverOf(store: StoreSystemId): CsiDriver {
  return drivers[store] ?? shared(null);
}
