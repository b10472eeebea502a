/** Object stores and archives. */
import {
  priceOf,
  bandwidthOf,
  type ObjectLimits,
  primary,
  recalled,
  secondary,
  type StorageSystem,
  systemOfKind,
  usualLatency,
} from './storageSystem.js';

const MiB = 2 ** 20;
const GiB = 2 ** 30;
const TiB = 2 ** 40;
const day = 86_400;

/** What stores that keep for long are good for. */
const longTerm = ['milestones', 'golden copies', 'datasets', 'recent checkpoints'] as const;

/** Multipart uploads of S3, which others took over: 10,000 parts of 5 MiB to 5 GiB. */
const s3Parts = { mostParts: 10_000, smallestPartBytes: 5 * MiB, largestPartBytes: 5 * GiB };
/** 10,000 × 5 GiB = 48.8 TiB. */
const s3Object = s3Parts.mostParts * s3Parts.largestPartBytes;

/** Limits of a store whose parts are as S3's. */
function multipart(
  largestObjectBytes: number,
  rateOf: string,
  writesPerSecond: number | null,
  readsPerSecond: number | null,
): ObjectLimits {
  return { largestObjectBytes, ...s3Parts, writesPerSecond, readsPerSecond, rateOf };
}

const billedInGiB = secondary('unit of the bill', 'AWS’s own example divides by 2^30 (S3 FAQ)', '2025');

export const objectSystems: readonly StorageSystem[] = [
  systemOfKind('object', 'ceph-rados', {
    latencySeconds: [0.001, 0.01],
    survives: ['process', 'node', 'rack'],
    durability: '3 replicas or erasure code, as its pool is set',
    consistency: 'strong',
    limits: ['objects of up to 128 MiB unless raised: a shard must be cut into many'],
    objects: {
      largestObjectBytes: 128 * MiB,
      mostParts: 1,
      smallestPartBytes: 1,
      largestPartBytes: 128 * MiB,
      writesPerSecond: null,
      readsPerSecond: null,
      rateOf: 'the servers that are installed',
    },
    roles: ['recent checkpoints'],
    strengths: ['what CephFS and the gateway are built on, without their cost'],
    weaknesses: ['no framework writes to it: use CephFS or the gateway'],
    sources: [secondary('object size', 'Ceph, osd_max_object_size: 128 MiB', '2025'), usualLatency],
  }),
  systemOfKind('object', 's3-express', {
    latencySeconds: [0.003, 0.009],
    survives: ['process', 'node', 'rack'],
    durability: 'in one availability zone, available 99.95 % of the time',
    consistency: 'strong',
    limits: [
      '200,000 reads and 100,000 writes a second for a directory bucket; up to 2,000,000 and 200,000 on request',
      'each GB that is uploaded or read is charged as well',
    ],
    objects: multipart(s3Object, 'a directory bucket', 100_000, 200_000),
    roles: ['recent checkpoints', 'burst buffer', 'datasets'],
    price: priceOf(0.11, {
      per1000Writes: 0.00113,
      per1000Reads: 0.00003,
      perGBWritten: 0.0032,
      perGBRead: 0.0006,
      date: '2025',
    }),
    strengths: ['a first byte in milliseconds', 'requests cost less than in S3 Standard'],
    weaknesses: ['one availability zone', 'five times the price of S3 Standard for what is kept'],
    sources: [
      primary('rates and latency', 'AWS, Optimizing S3 Express One Zone performance', '2026'),
      primary('durability', 'AWS, How is S3 Express One Zone different', '2025'),
      secondary('price', 'AWS S3 FAQ, example for us-east-1', '2025'),
      recalled(
        'price of uploads and retrieval',
        'AWS: $0.0032 for each GB uploaded, $0.0006 for each retrieved, of all bytes',
        '2025-04',
      ),
      billedInGiB,
    ],
  }),
  systemOfKind('object', 'gcs-rapid', {
    sustained: bandwidthOf('system', null, 15e12),
    latencySeconds: [0.0003, 0.001],
    survives: ['process', 'node', 'rack'],
    durability: 'in one zone',
    consistency: 'strong; objects can be appended to',
    limits: [
      'one zone; needs a hierarchical namespace',
      'up to 20 million requests a second and 15 TB/s in all; older pages say 6',
    ],
    objects: multipart(5 * TiB, 'a zonal bucket', null, null),
    roles: ['recent checkpoints', 'datasets', 'burst buffer'],
    strengths: ['below a millisecond, and appends', 'bandwidth is not bought with capacity'],
    weaknesses: ['one zone: copy what must stay', 'no price here: ask the calculator'],
    sources: [
      primary('bandwidth, rate and latency', 'cloud.google.com, Rapid Bucket', '2026'),
      recalled('object size and parts', 'as Cloud Storage', '2025'),
    ],
  }),
  systemOfKind('object', 's3-standard', {
    latencySeconds: [0.1, 0.2],
    survives: ['process', 'node', 'rack', 'site'],
    durability: '11 nines a year over three availability zones',
    consistency: 'strong',
    limits: [
      '3,500 writes and 5,500 reads a second for a partitioned prefix; splitting takes 30 to 60 minutes',
      'objects of up to 48.8 TiB in 10,000 parts; 5 TiB in older documentation',
    ],
    objects: multipart(s3Object, 'a partitioned prefix', 3500, 5500),
    roles: [...longTerm],
    price: priceOf(0.023, { per1000Writes: 0.005, per1000Reads: 0.0004, egressPerGB: 0.02 }),
    strengths: ['keeps what it has', 'Object Lock keeps it from being deleted', 'no capacity to plan'],
    weaknesses: [
      'slow to the first byte, and shards must be uploaded in parallel parts',
      'no rename: a checkpoint needs a marker that it is complete',
    ],
    sources: [
      primary('rates', 'AWS re:Post, S3 object key naming pattern', '2025'),
      primary('object size and parts', 'AWS, S3 multipart upload limits', '2026'),
      secondary('price', 'AWS, us-east-1, first 50 TB', '2026-11'),
      secondary('price of requests', '$0.005 for 1,000 writes', '2023'),
      recalled('price of reads', 'AWS, us-east-1: $0.0004 for 1,000', '2025'),
      secondary('egress', 'between regions, from $0.02', '2026'),
      recalled('latency', 'AWS: 100 to 200 ms', '2024'),
      billedInGiB,
    ],
  }),
  systemOfKind('object', 'gcs-standard', {
    latencySeconds: [0.02, 0.1],
    survives: ['process', 'node', 'rack', 'site'],
    durability: '11 nines a year over the zones of a region',
    consistency: 'strong',
    limits: [
      'about 1,000 writes and 5,000 reads a second for a new bucket, then more as it is used',
      'one write a second to one object: `latest` is such a one',
    ],
    objects: multipart(5 * TiB, 'a bucket at first', 1000, 5000),
    roles: [...longTerm],
    price: priceOf(0.02, { per1000Writes: 0.005, per1000Reads: 0.0004, egressPerGB: 0.02 }),
    strengths: ['keeps what it has', 'soft delete gives back what was deleted by mistake'],
    weaknesses: ['the first bursts of a new bucket are throttled', 'soft-deleted objects are billed until they are gone'],
    sources: [
      primary('rates', 'cloud.google.com, Cloud Storage quotas and limits', '2026-09'),
      secondary('object size', 'cloud.google.com, quotas and limits: 5 TiB', '2026'),
      primary('parts', 'multipart uploads are compatible with S3’s (cloud.google.com)', '2025'),
      secondary('price', 'Google, a region in the US', '2026-11'),
      recalled(
        'price of requests',
        'Google, single region: $0.005 for 1,000 class A, $0.0004 for 1,000 class B operations',
        '2025',
      ),
      recalled('egress', 'Google, between regions of North America: $0.02', '2025'),
      recalled('latency', 'tens of milliseconds', '2025'),
    ],
  }),
  systemOfKind('object', 'azure-blob', {
    sustained: bandwidthOf('account', 7.5e9, 25e9),
    latencySeconds: [0.02, 0.1],
    survives: ['process', 'node', 'rack'],
    durability: '11 nines a year in one zone (LRS), more with copies in others',
    consistency: 'strong',
    limits: [
      'an account takes 60 Gb/s in and gives 200 Gb/s out, 25 and 50 in some regions; both can be raised',
      '40,000 requests a second for an account',
      '50,000 blocks of up to 4,000 MiB: 190.7 TiB',
    ],
    objects: {
      largestObjectBytes: 50_000 * 4000 * MiB,
      mostParts: 50_000,
      smallestPartBytes: 1,
      largestPartBytes: 4000 * MiB,
      writesPerSecond: 40_000,
      readsPerSecond: 40_000,
      rateOf: 'an account',
    },
    roles: [...longTerm],
    price: priceOf(0.018, { egressPerGB: 0.02 }),
    strengths: ['keeps what it has', 'immutable blobs under legal hold'],
    weaknesses: ['an account’s bandwidth has a limit that large jobs reach: ask for more, or use several'],
    sources: [
      primary('bandwidth and rates', 'Microsoft Learn, targets for standard storage accounts', '2026'),
      primary('object size and blocks', 'Microsoft Learn, targets for Blob Storage', '2026'),
      secondary('price', 'Azure, hot tier, LRS', '2026-11'),
      recalled('egress', 'Azure, between regions of North America: $0.02', '2025'),
      recalled('latency', 'tens of milliseconds', '2025'),
    ],
  }),
  systemOfKind('object', 'ceph-rgw', {
    latencySeconds: [0.005, 0.05],
    survives: ['process', 'node', 'rack'],
    durability: '3 replicas or erasure code, as its pool is set',
    consistency: 'strong in one zone, later in another site',
    limits: ['10,000 parts of 5 MiB to 5 GiB', 'a bucket’s index is sharded: many small objects slow it down'],
    objects: multipart(s3Object, 'the gateways that are installed', null, null),
    roles: [...longTerm],
    strengths: ['S3 on your own drives, without egress', 'copies to a second site by itself'],
    weaknesses: ['gateways are one more thing to size: all bytes pass through them'],
    sources: [
      primary('parts', 'Ceph, rgw_multipart_part_upload_limit, rgw_multipart_min_part_size, rgw_max_put_size', '2025'),
      usualLatency,
    ],
  }),
  systemOfKind('object', 'minio', {
    latencySeconds: [0.002, 0.02],
    survives: ['process', 'node', 'rack'],
    durability: 'erasure code over drives and servers; half of them must be there to read',
    consistency: 'strong',
    limits: ['objects of up to 50 TiB, 10,000 parts of 5 MiB to 5 GiB'],
    // 10,000 parts of 5 GiB end before the 50 TiB.
    objects: multipart(s3Object, 'the gateways that are installed', null, null),
    roles: ['recent checkpoints', 'milestones', 'golden copies', 'datasets'],
    strengths: ['S3 on your own drives, without egress', 'object locking'],
    weaknesses: ['no file system: frameworks need a library or a mount'],
    sources: [primary('object size and parts', 'docs.min.io, thresholds and limits', '2025'), usualLatency],
  }),
  systemOfKind('archive', 'archive', {
    latencySeconds: [3600, 43_200],
    survives: ['process', 'node', 'rack', 'site'],
    durability: '11 nines a year in Deep Archive, over three availability zones; tape as many copies as are made',
    consistency: 'strong, once it is restored',
    limits: ['hours before the first byte', 'billed for 180 days at least', 'reading back is charged by the GB'],
    objects: multipart(s3Object, 'a partitioned prefix', 3500, null),
    roles: ['golden copies'],
    price: priceOf(0.00099, { per1000Writes: 0.05, per1000Reads: 0.1, perGBRead: 0.02, leastStoredSeconds: 180 * day }),
    strengths: ['a twentieth of the price of an object store'],
    weaknesses: ['nothing can be resumed from it: it must be brought back first', 'deleting early is paid for'],
    sources: [
      secondary('price', 'AWS, S3 Glacier Deep Archive, us-east-1', '2026-11'),
      secondary('price of requests', '$0.05 for 1,000 writes', '2023'),
      recalled(
        'price of retrieval',
        'AWS, us-east-1, standard, within 12 hours: $0.02 for each GB, $0.10 for 1,000 requests',
        '2025',
      ),
      secondary('latency and least time', 'AWS: within 12 hours; 180 days', '2023'),
      primary('object size and parts', 'AWS, S3 multipart upload limits', '2026'),
    ],
  }),
];
