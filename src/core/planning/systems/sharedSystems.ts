/** File systems that all nodes mount. */
import type { StorageSystem } from './storageSystem.js';

export const sharedSystems: readonly StorageSystem[] = [
  {
    id: 'lustre',
    name: 'Lustre',
    kind: 'shared',
    burst: null,
    sustained: null,
    latencySeconds: [0.0005, 0.005],
    survives: ['process', 'node', 'rack'],
    durability: 'as its arrays are built',
    consistency: 'POSIX',
    limits: [],
    objects: null,
    roles: ['recent checkpoints'],
    price: null,
    strengths: [],
    weaknesses: [],
    sources: [],
  },
];
