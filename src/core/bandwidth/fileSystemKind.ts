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
  msdos: node('FAT'),
  fat: node('FAT'),
  fat32: node('FAT'),
  exfat: node('exFAT'),
  ntfs: node('NTFS'),
  ntfs3: node('NTFS'),
  refs: node('ReFS'),
  fuseblk: node('a disk through FUSE'),
  apfs: node('APFS'),
  hfs: node('HFS+'),
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
  smbfs: shared('SMB'),
  afpfs: shared('AFP'),
  webdav: shared('WebDAV'),
  // Windows has one form of path for the servers of all its clients.
  unc: shared('a network share, SMB as a rule'),
  afs: shared('AFS'),
  '9p': node('9p, a folder of the host'),
  virtiofs: node('virtiofs, a folder of the host'),
  drvfs: node('a Windows drive through WSL'),
  vboxsf: node('VirtualBox, a folder of the host'),
  'fuse.vmhgfs-fuse': node('VMware, a folder of the host'),
  'fuse.grpcfuse': node('Docker Desktop, a folder of the host'),
  fakeowner: node('Docker Desktop, a folder of the host'),
  prl_fs: node('Parallels, a folder of the host'),
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
  gs: object('Google Cloud Storage'),
  az: object('Azure Blob Storage'),
};

/** Never throws; an unknown type is named as it is. */
export function fileSystemName({ type, source }: Pick<FileSystemFacts, 'type' | 'source'>): FileSystemName {
  // Mountpoint for Amazon S3 sets no subtype: only its source tells.
  const key = type === 'fuse' && source === 'mountpoint-s3' ? 'fuse.mountpoint-s3' : type;
  if (type === '9p' && /^(drvfs|[A-Za-z]:\\?)$/.test(source ?? '')) return node('9p, a Windows drive through WSL');
  if (type === '9p' && source?.startsWith('\\\\') === true) return node('9p, a distribution of WSL');
  return (Object.hasOwn(fileSystems, key) ? fileSystems[key] : undefined) ?? { name: type, kind: 'unknown' };
}

/** Folders of the machine that this one is a guest of, as the workspace of a dev container: the host may cache what this kernel does not. */
const foldersOfHost: ReadonlySet<string> = new Set([
  '9p',
  'virtiofs',
  'drvfs',
  'vboxsf',
  'fuse.vmhgfs-fuse',
  'fuse.grpcfuse',
  'fakeowner',
  'prl_fs',
]);

export function isCachedByHost(type: string): boolean {
  return foldersOfHost.has(type);
}

/** True for a store that is reached by its own requests, not through a file system that a program makes of it. */
export function isObjectStore(type: string): boolean {
  return type === 's3' || type === 'gs' || type === 'az';
}

/** True where other nodes and other people use it as well. */
export function isShared(kind: FileSystemKind): boolean {
  return kind === 'shared' || kind === 'object';
}
