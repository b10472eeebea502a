/** Launches of DeepSpeed-Chat (DeepSpeedExamples, applications/DeepSpeed-Chat/training/step1 to step3, main.py): nothing is saved until training ends, then the model alone. */
import type { ConfigKind } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { launchPlan } from '../../configs/plans/launchPlan.js';
import { planOf } from '../../configs/plans/planOf.js';
import { positive } from '../../configs/values/positive.js';
import { precisionOf } from '../../configs/values/precisionNames.js';

export const deepspeedChat: ConfigKind = {
  id: 'deepspeed-chat',
  match: ({ document, fields }) =>
    document.syntax === 'shell' &&
    fields.has('data_split') &&
    fields.has('zero_stage', 'actor_zero_stage') &&
    fields.has('model_name_or_path', 'actor_model_name_or_path'),
  read({ fields }) {
    const isPpo = fields.has('actor_model_name_or_path');
    const key = isPpo ? 'actor_model_name_or_path' : 'model_name_or_path';
    const name = fields.text(key);
    const notes: PlanNote[] = ['saves-model-at-end', 'default-optimizer', ...(isPpo ? ['critic-not-counted' as const] : [])];
    return {
      model: name === undefined ? null : { kind: 'named', name, key },
      plan: completePlan(planOf({ ...launchPlan(fields), ...planFrom(fields, isPpo, notes) })),
    };
  },
};

/** Adapters are merged before the model is saved (convert_lora_to_linear_layer), and shards of stage 3 gathered (save_zero_three_model). */
function planFrom(fields: Fields, isPpo: boolean, notes: PlanNote[]): TrainingPlan {
  const precision = precisionOf(fields.text('dtype') ?? 'fp16');
  const epochs = positive(fields.number('num_train_epochs'));
  if (epochs === undefined) notes.push('default-epochs');
  return planOf({
    writer: 'deepspeed',
    epochs: epochs ?? 1,
    endFolder: 'weights',
    sequenceLength: isPpo
      ? sumOf(fields, 'max_prompt_seq_len', 'max_answer_seq_len')
      : (positive(fields.integer('max_seq_len')) ?? 512),
    microBatch: positive(fields.integer(isPpo ? 'per_device_training_batch_size' : 'per_device_train_batch_size')) ?? 16,
    accumulation: positive(fields.integer('gradient_accumulation_steps')) ?? 1,
    precision,
    parameterDtype: precision,
    savesOptimizer: false,
    optimizer: 'adam',
    optimizerName: 'AdamW',
    outputFolder: fields.text('output_dir'),
    notes,
  });
}

function sumOf(fields: Fields, ...keys: readonly string[]): number {
  return keys.reduce((sum, key) => sum + (positive(fields.integer(key)) ?? 256), 0);
}
