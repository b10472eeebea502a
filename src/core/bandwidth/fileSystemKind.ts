/** File systems by the names that the kernel and FUSE give them, and what each is as a place for checkpoints. */
import type { FileSystemFacts } from './targetFacts.js';

/** `overlay`: a container's own layer, which ends with it. */
export type FileSystemKind = 'memory' | 'overlay' | 'node' | 'shared' | 'object' | 'unknown';

export interface FileSystemName {
  /** `ext4`, `Lustre`, `Google Cloud Storage through gcsfuse`. */
  name: string;
  kind: FileSystemKind;
}

const node = (name: string): FileSystemName => ({ name, kind: 'node' });
const shared = (name: string): FileSystemName => ({ name, kind: 'shared' });
const object = (name: string): FileSystemName => ({ name, kind: 'object' });

/** Types as /proc/self/mountinfo has them; those of FUSE with their subtype (libfuse, mount option `subtype`). */
const fileSystems: Readonly<Record<string, FileSystemName>> = {
  tmpfs: { name: 'tmpfs, memory', kind: 'memory' },
  ramfs: { name: 'ramfs, memory', kind: 'memory' },
  devtmpfs: { name: 'devtmpfs, memory', kind: 'memory' },
  hugetlbfs: { name: 'hugetlbfs, memory', kind: 'memory' },
  overlay: { name: 'overlay', kind: 'overlay' },
  aufs: { name: 'aufs', kind: 'overlay' },
  'fuse.fuse-overlayfs': { name: 'overlay through FUSE', kind: 'overlay' },
  ext2: node('ext2'),
  ext3: node('ext3'),
  ext4: node('ext4'),
  xfs: node('XFS'),
  btrfs: node('Btrfs'),
  zfs: node('ZFS'),
  f2fs: node('F2FS'),
  bcachefs: node('bcachefs'),
  vfat: node('FAT'),
  exfat: node('exFAT'),
  ntfs3: node('NTFS'),
  fuseblk: node('a disk through FUSE'),
  apfs: node('APFS'),
  nfs: shared('NFS'),
  nfs4: shared('NFS 4'),
  lustre: shared('Lustre'),
  gpfs: shared('IBM Storage Scale (GPFS)'),
  beegfs: shared('BeeGFS'),
  wekafs: shared('WEKA'),
  ceph: shared('CephFS'),
  'fuse.ceph': shared('CephFS through FUSE'),
  'fuse.ceph-fuse': shared('CephFS through FUSE'),
  'fuse.glusterfs': shared('GlusterFS'),
  pvfs2: shared('OrangeFS'),
  panfs: shared('PanFS'),
  cifs: shared('SMB'),
  smb3: shared('SMB'),
  afs: shared('AFS'),
  // Folders of the machine that this one is a guest of: a dev container's workspace.
  '9p': node('9p, a folder of the host'),
  virtiofs: node('virtiofs, a folder of the host'),
  'fuse.daos': shared('DAOS'),
  'fuse.dfuse': shared('DAOS through dfuse'),
  'fuse.juicefs': shared('JuiceFS, files in an object store'),
  'fuse.alluxio-fuse': shared('Alluxio'),
  'fuse.sshfs': shared('SSHFS'),
  'fuse.mergerfs': node('mergerfs'),
  'fuse.s3fs': object('S3 through s3fs'),
  'fuse.mountpoint-s3': object('S3 through Mountpoint'),
  'fuse.goofys': object('S3 through goofys'),
  'fuse.geesefs': object('S3 through GeeseFS'),
  'fuse.gcsfuse': object('Google Cloud Storage through gcsfuse'),
  'fuse.blobfuse': object('Azure Blob Storage through BlobFuse'),
  'fuse.blobfuse2': object('Azure Blob Storage through BlobFuse'),
  'fuse.rclone': object('a remote through rclone'),
  s3: object('S3'),
};

/** Never throws; an unknown type is named as it is. */
export function fileSystemName({ type, source }: Pick<FileSystemFacts, 'type' | 'source'>): FileSystemName {
  // Mountpoint for Amazon S3 sets no subtype: only its source tells.
  const key = type === 'fuse' && source === 'mountpoint-s3' ? 'fuse.mountpoint-s3' : type;
  return (Object.hasOwn(fileSystems, key) ? fileSystems[key] : undefined) ?? { name: type, kind: 'unknown' };
}

/** True where other nodes and other people use it as well. */
export function isShared(kind: FileSystemKind): boolean {
  return kind === 'shared' || kind === 'object';
}
