/** Types of file systems as the kernel has them, by the storage that they are of. */
import type { StoreSystemId } from './systemNames.js';

const storesByType: Readonly<Record<string, StoreSystemId>> = {
  lustre: 'lustre',
  gpfs: 'storage-scale',
  beegfs: 'beegfs',
  wekafs: 'weka',
  ceph: 'cephfs',
  'fuse.ceph': 'cephfs',
  'fuse.ceph-fuse': 'cephfs',
  'fuse.daos': 'daos',
  'fuse.dfuse': 'daos',
  nfs: 'nfs',
  nfs4: 'nfs',
};

/** Null for a type that is no shared storage that plans know. */
export function storeOfType(type: string): StoreSystemId | null {
  return (Object.hasOwn(storesByType, type) ? storesByType[type] : undefined) ?? null;
}
