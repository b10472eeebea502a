/** What a node has for itself: its drives, the direct way to them, and volumes that are attached to it. */
import {
  priceOf,
  bandwidthOf,
  primary,
  recalled,
  secondary,
  type StorageSystem,
  systemOfKind,
  usualLatency,
} from './storageSystem.js';

const MiB = 2 ** 20;

export const nodeSystems: readonly StorageSystem[] = [
  systemOfKind('node', 'gpu-direct-storage', {
    sustained: bandwidthOf('node', 26e9, 48e9),
    latencySeconds: [1e-5, 1e-3],
    survives: ['process'],
    durability: 'that of the drives or the file system behind it',
    consistency: 'that of the file system behind it',
    limits: [
      'needs a file system that supports it, and transfers that are aligned',
      'each GPU shares its PCIe switch with a drive or a port',
    ],
    roles: ['offload', 'burst buffer'],
    strengths: ['no copy through host memory, and little work for the CPU'],
    weaknesses: [
      'does not make drives faster',
      'does nothing for state that the CPU updates',
      'training stalls for the drives, not for memory',
    ],
    sources: [
      primary('bandwidth', 'DeepNVMe: 8 PCIe 5 drives, 48 GB/s reading, 26 writing', '2025'),
      primary('way', 'NVIDIA GPUDirect Storage, design guide 1.16', '2025-12'),
      usualLatency,
    ],
  }),
  systemOfKind('node', 'local-nvme', {
    burst: bandwidthOf('node', 26e9, 48e9),
    sustained: bandwidthOf('node', 5e9, 10e9),
    latencySeconds: [5e-5, 2e-4],
    survives: ['process'],
    durability: 'lost to the job with its node; in a cloud, wiped when the machine is given back',
    consistency: 'POSIX on one node',
    limits: ['drives wear: full writes a day', 'a drive’s fast cache is smaller than many shards'],
    roles: ['burst buffer', 'recent checkpoints', 'offload'],
    strengths: ['grows with the job: each node brings its own'],
    weaknesses: ['must be drained to where a checkpoint is safe'],
    sources: [
      primary('bandwidth', 'DeepNVMe: 4 drives of an Azure NC96ads A100, 10 GB/s reading, 5 writing', '2025'),
      primary('burst', 'DeepNVMe: 8 PCIe 5 drives, 48 GB/s reading, 26 writing', '2025'),
      secondary('latency', 'about 0.1 ms', '2025'),
    ],
  }),
  systemOfKind('node', 'neighbour-nvme', {
    sustained: bandwidthOf('node', 5e9, 10e9),
    latencySeconds: [1e-4, 1e-3],
    survives: ['process', 'node'],
    durability: 'two nodes hold each shard on their drives; lost where both fail, or their rack does',
    consistency: 'of the library that copies',
    limits: ['each drive takes two shards: its own and a neighbour’s', 'the copy shares the network with training'],
    roles: ['burst buffer', 'recent checkpoints', 'offload'],
    strengths: ['survives the failure that is most common: one node', 'grows with the job: each node brings its own'],
    weaknesses: ['neighbours of one rack fail together', 'in a cloud, wiped when the machines are given back'],
    sources: [
      primary('bandwidth', 'DeepNVMe: 4 drives of an Azure NC96ads A100, 10 GB/s reading, 5 writing', '2025'),
      primary('use', 'Nebula: memory, then the adjacent node’s SSD, then the object store (Microsoft Learn)', '2024'),
      usualLatency,
    ],
  }),
  systemOfKind('node', 'ebs-gp3', {
    clientBytesPerSecond: 1000 * MiB,
    sustained: bandwidthOf('volume', 1000 * MiB, 1000 * MiB),
    latencySeconds: [5e-4, 2e-3],
    survives: ['process', 'node'],
    durability: '99.8 to 99.9 % a year, in one availability zone',
    consistency: 'a block device; POSIX of the file system on it',
    limits: [
      '3,000 operations and 125 MiB/s unless more is paid for',
      'the instance’s own limit to EBS comes first: 4 fast volumes do not add up on a small instance',
      'one instance mounts it',
    ],
    roles: ['recent checkpoints', 'datasets'],
    // $0.04 for a MiB/s.
    price: priceOf(0.08, { throughput: { includedBytesPerSecond: 125 * MiB, perGBps: 0.04 * (1e9 / MiB) }, date: '2026' }),
    strengths: ['outlives its instance, and attaches to the next one', 'snapshots go to S3'],
    weaknesses: ['no other node sees it: each node restores its own shards only', 'slow and dear beside the node’s drives'],
    sources: [
      primary(
        'bandwidth',
        'AWS Prescriptive Guidance: 1,000 MiB/s and 16,000 operations a volume; 2,000 MiB/s announced in 2025',
        '2024',
      ),
      secondary('limits', 'AWS re:Invent 2025, STG320: 64 TiB and 80,000 operations', '2025-12'),
      primary('durability', 'AWS Prescriptive Guidance, EBS storage types', '2024'),
      secondary('latency', 'AWS: single-digit milliseconds, mostly below 1', '2024'),
      secondary('price', 'AWS, us-east-1', '2026'),
      recalled('price of throughput', 'AWS, us-east-1: $0.04 a month for a MiB/s above 125', '2025'),
    ],
  }),
];
