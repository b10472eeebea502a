import { entryOf } from '../../text/entryOf.js';
import type { Sharding, TrainingPlan } from '../trainingPlan.js';

type NamedSharding = Pick<TrainingPlan, 'sharding' | 'isShardedInNode'>;

/** By the number that torch.distributed.fsdp.ShardingStrategy gives each; Lightning and NeMo have short names. */
const strategies: Readonly<Record<string, NamedSharding>> = {
  FULL_SHARD: { sharding: 'weights' },
  SHARD_GRAD_OP: { sharding: 'gradients' },
  NO_SHARD: { sharding: 'none' },
  HYBRID_SHARD: { sharding: 'weights', isShardedInNode: true },
  _HYBRID_SHARD_ZERO2: { sharding: 'gradients', isShardedInNode: true },
};
const aliases: Readonly<Record<string, string>> = {
  1: 'FULL_SHARD',
  2: 'SHARD_GRAD_OP',
  3: 'NO_SHARD',
  4: 'HYBRID_SHARD',
  5: '_HYBRID_SHARD_ZERO2',
  FULL: 'FULL_SHARD',
  GRAD: 'SHARD_GRAD_OP',
  HYBRID: 'HYBRID_SHARD',
  HYBRID_SHARD_ZERO2: '_HYBRID_SHARD_ZERO2',
};

/** What FSDP shares under the name or number of a sharding strategy; empty for one that is unknown. */
export function shardingOfStrategy(strategy: string | number | boolean | undefined): NamedSharding {
  const name = String(strategy ?? '').toUpperCase();
  return entryOf(strategies, entryOf(aliases, name) ?? name) ?? {};
}

/** What a stage of ZeRO shares (Rajbhandari et al. 2020). */
export function shardingOfStage(stage: number | undefined): Sharding | undefined {
  return stage === undefined ? undefined : (['none', 'optimizer', 'gradients', 'weights'] as const)[stage];
}
