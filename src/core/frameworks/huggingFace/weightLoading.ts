/** What decides the dtype of the weights that a program on top of transformers loads without one. */
import type { ConfigDocument } from '../../configs/document/configNode.js';
import { modelClassKey } from '../../configs/document/pythonTrainer.js';
import type { Fields } from '../../configs/fields.js';
import type { TrainingPlan } from '../../configs/trainingPlan.js';
import { isTrlArguments } from './trlArguments.js';

/** Of programs, of `from_pretrained`, and of what TRL gives it. */
export const dtypeKeys = ['torch_dtype', 'dtype', 'model_dtype'] as const;

/** Undefined where a dtype is set, an engine casts the weights, or the program loads them in 32 bits. */
export function weightLoading(document: ConfigDocument, fields: Fields, trainer: TrainingPlan): TrainingPlan['loadedDtype'] {
  const isCast = trainer.zeroStage !== undefined || (trainer.writer !== 'huggingface-trainer' && trainer.writer !== 'fsdp');
  if (trainer.parameterDtype !== undefined || isCast) return undefined;
  const written = fields.scalar(...dtypeKeys) ?? fields.at('model_init_kwargs').scalar(...dtypeKeys);
  if (fields.isOpen(...dtypeKeys)) return undefined;
  if (written !== undefined) return written === 'auto' ? 'of-model' : undefined;
  return loadsIn32Bits(document, fields) || needsRelease4(fields) ? undefined : 'of-release';
}

/** Scripts of TRL, and of the projects whose recipes are written for it. */
const scriptsOfTrl =
  /^trl$|^trl\.scripts\.\w+$|(?:^|\/)(?:trl\/scripts|examples\/scripts(?:\/\w+)?|(?:src\/)?open_r1|alignment-handbook\/scripts)\/\w+\.py$/;

/** Keys of TRL's own arguments, by which its recipes are recognised. */
const keysOfTrl = [
  ...['use_peft', 'packing', 'max_length', 'max_seq_length', 'dataset_text_field', 'dataset_num_proc', 'completion_only_loss'],
  ...['assistant_only_loss', 'max_prompt_length', 'max_completion_length', 'num_generations', 'chat_template_path', 'beta'],
] as const;

/**
 * TRL loads a model that it gets by name in 32 bits unless a dtype is set (trl/trainer/utils.py, create_model_from_path; model_config.py), and so does PEFT's
 * script over it (examples/sft/utils.py).
 */
function loadsIn32Bits(document: ConfigDocument, fields: Fields): boolean {
  const { syntax, programs } = document;
  if (syntax === 'python') return programs.some((name) => !/TrainingArguments$/.test(name)) && !fields.has(modelClassKey);
  if (programs.some((program) => scriptsOfTrl.test(program)) || fields.has('use_peft_lora')) return true;
  return syntax !== 'shell' && (fields.has(...keysOfTrl) || isTrlArguments({ document, fields }));
}

/** Arguments of the Trainer that transformers 5 has no more (training_args.py), so that a run with one of them is on a release before it. */
const keysOfRelease4 = [
  ...['evaluation_strategy', 'overwrite_output_dir', 'save_safetensors', 'no_cuda', 'use_mps_device', 'use_ipex', 'adafactor'],
  ...['per_gpu_train_batch_size', 'per_gpu_eval_batch_size', 'fp16_backend', 'fp16_opt_level', 'half_precision_backend'],
  ...['fsdp_min_num_params', 'fsdp_transformer_layer_cls_to_wrap', 'push_to_hub_token', 'push_to_hub_model_id'],
  ...['push_to_hub_organization', 'include_inputs_for_metrics', 'past_index', 'jit_mode_eval', 'tpu_num_cores', 'torchdynamo'],
] as const;

function needsRelease4(fields: Fields): boolean {
  return fields.has(...keysOfRelease4);
}
