/** Which engine trains under Open Instruct: DeepSpeed's file or accelerate's that a launch names, or what its own launches name. */
import type { ConfigAccess, ConfigFile } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { planOf } from '../../configs/plans/planOf.js';
import { openBeside } from '../../configs/values/openBeside.js';
import { accelerate, acceleratePlan } from '../accelerate/config.js';
import { deepspeedPlan } from '../deepspeed/config.js';

/**
 * The stage decides what is saved: accelerate's `save_state` calls the engine's `save_checkpoint` alone, which under stage 3 writes the optimizer's shards
 * and no 16-bit weights, whatever `stage3_gather_16bit_weights_on_model_save` says (deepspeed/runtime/engine.py).
 */
export async function engineOf(fields: Fields, access: ConfigAccess, notes: PlanNote[]): Promise<TrainingPlan> {
  const named = await namedEngine(fields, access);
  // All launches of finetune.py and dpo_tune_cache.py in its scripts and docs but two.
  if (named === null) notes.push('zero3-of-launcher');
  return { ...(named ?? { zeroStage: 3 }), gathersWeights: false };
}

/** By `zero_stage` (dpo_utils.py), which makes the engine's config itself, or by a file. Null where nothing is named, or a file that is not here. */
async function namedEngine(fields: Fields, access: ConfigAccess): Promise<TrainingPlan | null> {
  const zeroStage = fields.integer('zero_stage');
  if (zeroStage !== undefined && zeroStage <= 3) return { zeroStage };
  for (const key of ['deepspeed_config_file', 'config_file']) {
    const path = fields.text(key);
    const engine = path === undefined ? null : ((await engineOfFile(path, access)) ?? knownEngine(path));
    if (engine !== null) return engine;
  }
  return null;
}

async function engineOfFile(path: string, access: ConfigAccess): Promise<TrainingPlan | null> {
  const file: ConfigFile | null = await openBeside(path, access);
  if (file === null) return null;
  return accelerate.match(file) ? acceleratePlan(file.fields, access) : deepspeedPlan(file.fields);
}

/** Its own files, by their names (configs/ds_configs): `stage3_no_offloading_accelerate.conf`, `deepspeed_zero2.yaml`. */
function knownEngine(path: string): TrainingPlan | null {
  const stage = /(?:^|\/)(?:deepspeed_zero|stage)([0-3])[\w.]*$/.exec(path)?.[1];
  return stage === undefined ? null : planOf({ zeroStage: Number(stage) });
}
