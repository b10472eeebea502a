/** Memory: of the host, of a neighbour. Fast, and gone with what holds it. */
import { bandwidthOf, primary, secondary, type StorageSystem, systemOfKind, usualLatency } from './storageSystem.js';

export const memorySystems: readonly StorageSystem[] = [
  systemOfKind('memory', 'host-memory', {
    sustained: bandwidthOf('GPU', 64e9, 64e9),
    latencySeconds: [1e-6, 1e-5],
    survives: ['process'],
    durability: 'none: lost with the node, and with the process unless another one holds it',
    consistency: 'the node’s own',
    limits: ['needs the node’s share of a checkpoint twice: one being drained, one being written'],
    roles: ['burst buffer', 'offload'],
    strengths: ['training goes on as soon as the copy is there', 'a process that dies comes back without any storage'],
    weaknesses: ['competes with data loaders and offloaded state for room'],
    sources: [
      primary('bandwidth', 'PCIe 5.0 x16: 64 GB/s each way, nominal; some 50 are reached', '2025'),
      primary('room', 'MaxText: a RAM disk of twice a shard and 15 % more', '2025'),
      usualLatency,
    ],
  }),
  systemOfKind('memory', 'neighbour-memory', {
    sustained: bandwidthOf('node', 40e9, 40e9),
    latencySeconds: [2e-6, 2e-5],
    survives: ['process', 'node'],
    durability: 'two nodes hold each shard; lost where both fail, or their rack does',
    consistency: 'of the library that copies',
    limits: ['shares the network with training', 'each copy takes a node’s share of a checkpoint more'],
    roles: ['burst buffer'],
    strengths: ['survives the failure that is most common: one node', 'reads back at network speed'],
    weaknesses: ['neighbours of one rack fail together', 'a job that is ended takes it along'],
    sources: [
      primary('bandwidth', '400 Gb/s is 50 GB/s nominal; 80 % is planned with', '2025'),
      secondary('use', 'GEMINI (SOSP 2023): recovery 13 times faster from memory of peers', '2023'),
      primary('use', 'Nebula: memory, then a neighbour, then the object store (Microsoft Learn)', '2024'),
      usualLatency,
    ],
  }),
];
