/**
 * YAML for the command line of TRL (`trl sft --config FILE`; trl/scripts, trl/trainer/*_config.py, docs/source/clis.md), and the files of accelerate that come with it.
 * The file has arguments of TRL's dataclasses and of `accelerate launch`, and nothing else: the launch refuses others.
 */
import type { ConfigFile } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import { planOf } from '../../configs/plans/planOf.js';
import type { TrainingPlan } from '../../configs/trainingPlan.js';

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

/** Of ScriptArguments, DatasetMixtureConfig, ModelConfig and the launch: a file of these alone trains with all defaults. */
const ofScripts = words(
  'model_name_or_path model_revision dtype torch_dtype trust_remote_code attn_implementation use_peft use_rslora use_dora',
  'lora_r lora_alpha lora_dropout lora_target_modules lora_target_parameters lora_modules_to_save lora_task_type',
  'load_in_8bit load_in_4bit bnb_4bit_quant_type bnb_4bit_quant_storage use_bnb_nested_quant',
  'dataset_name dataset_config dataset_train_split dataset_test_split dataset_streaming datasets streaming test_split_size',
  'ignore_bias_buffers gradient_checkpointing_use_reentrant reward_model_name_or_path reward_funcs env config',
  'accelerate_config config_file num_processes num_machines machine_rank main_process_ip main_process_port mixed_precision',
  'use_deepspeed use_fsdp zero_stage zero3_init_flag zero3_save_16bit_model gpu_ids multi_gpu dynamo_backend rdzv_backend',
  'same_network output_dir',
);

/** Of trainers, which those have too that only generate or evaluate. */
const ofTrainers = words(
  'chat_template_path chat_template dataset_kwargs dataset_num_proc dataset_text_field dataset_batch_size eos_token pad_token',
  'label_smoothing log_completions log_multimodal log_unique_prompts max_completion_length max_length max_seq_length',
  'max_prompt_length min_p model_init_kwargs ref_model_init_kwargs num_completions_to_print num_generations pad_to_multiple_of',
  'precompute_ref_batch_size repetition_penalty reward_weights shuffle_dataset temperature top_k top_p truncation_mode',
  'use_liger use_liger_loss use_transformers_paged use_vllm generation_kwargs cache_implementation generate_during_eval',
  'do_eval do_predict do_train seed data_seed full_determinism debug disable_tqdm prediction_loss_only bf16 fp16 tf32 bf16_full_eval',
  'fp16_full_eval hub_always_push hub_model_id hub_private_repo hub_revision hub_strategy hub_token push_to_hub label_names',
  'local_rank log_level log_level_replica log_on_each_node neftune_noise_alpha overwrite_output_dir per_device_eval_batch_size',
  'project remove_unused_columns report_to run_name skip_memory_metrics torch_compile torch_compile_backend torch_compile_mode',
  'use_cache use_cpu use_liger_kernel use_mps_device no_cuda include_for_metrics include_inputs_for_metrics',
  'include_num_input_tokens_seen is_encoder_decoder label_pad_token_id padding_value disable_dropout length_column_name',
  'eval_accumulation_steps eval_delay eval_do_concat_batches eval_on_start eval_packing eval_steps eval_strategy',
  'eval_use_gather_object evaluation_strategy batch_eval_metrics auto_find_batch_size average_tokens_across_devices',
  'num_generations_eval chat_template_kwargs transformers_continuous_batching_config use_transformers_continuous_batching',
);

/** Of trainers, and of nothing that trains nothing. */
const ofTraining = words(
  'learning_rate weight_decay adam_beta1 adam_beta2 adam_epsilon max_grad_norm num_train_epochs max_steps lr_scheduler_type',
  'lr_scheduler_kwargs warmup_ratio warmup_steps optim optim_args optim_target_modules per_device_train_batch_size',
  'gradient_accumulation_steps gradient_checkpointing gradient_checkpointing_kwargs save_steps save_strategy save_total_limit',
  'save_only_model save_safetensors save_on_each_node load_best_model_at_end metric_for_best_model greater_is_better',
  'resume_from_checkpoint group_by_length train_sampling_strategy packing packing_strategy padding_free completion_only_loss',
  'assistant_only_loss activation_offloading loss_type loss_weights beta label_smoothing_factor desirable_weight',
  'undesirable_weight center_rewards_coefficient num_iterations steps_per_generation generation_batch_size epsilon epsilon_high',
  'delta scale_rewards importance_sampling_level mask_truncated_completions sync_ref_model ref_model_mixup_alpha',
  'ref_model_sync_steps precompute_ref_log_probs f_divergence_type router_aux_loss_coef num_ppo_epochs num_mini_batches',
  'deepspeed fsdp fsdp_config parallelism_config accelerator_config liger_kernel_config ignore_data_skip',
  'activation_checkpointing activation_checkpointing_kwargs entropy_coef normalize_advantages reward_clip_range rpo_alpha',
  'use_weighting ld_alpha discopop_tau reference_free top_entropy_quantile',
);

/** Families of arguments: of the Trainer, of accelerate, of vLLM under TRL, of losses. */
const families =
  /^(?:logging|dataloader|ddp|torch|trackio|fsdp|deepspeed|dynamo|fp8|megatron_lm|parallelism_config|offload|vllm|sapo|vespo|entropy|tpu)_\w+$/;

/** A model, data, and arguments alone that TRL and its launch have, of which one trains, or which all are those that any run has. */
export function isTrlArguments({ document, fields }: Pick<ConfigFile, 'document' | 'fields'>): boolean {
  if (document.syntax !== 'yaml' || !fields.has('model_name_or_path') || !hasData(fields)) return false;
  const { keys } = fields;
  const isKnown = (key: string): boolean =>
    ofScripts.has(key) || ofTrainers.has(key) || ofTraining.has(key) || families.test(key);
  return keys.every(isKnown) && (keys.some((key) => ofTraining.has(key)) || keys.every((key) => ofScripts.has(key)));
}

/** One dataset of the Hub or a folder, or a mixture of several. */
function hasData(fields: Fields): boolean {
  return fields.has('dataset_name') || fields.items('datasets').some((item) => item.has('path'));
}

/** What of `trl` trains; `vllm-serve` and `env` do not. */
const commands = new Set(['sft', 'dpo', 'grpo', 'kto', 'reward', 'rloo', 'orpo', 'cpo']);

/** `trl sft --model_name_or_path …` or `trl sft --config FILE`, also as a module or a file: `python -m trl.scripts.sft`, `python trl/scripts/sft.py`. */
export function isTrlCommand(programs: readonly string[]): boolean {
  const modules = programs.map(
    (program) =>
      /^trl\.scripts\.(\w+)$|(?:^|\/)trl\/scripts\/(\w+)\.py$/
        .exec(program)
        ?.slice(1)
        .find((name) => name !== undefined) ?? '',
  );
  if (modules.some((name) => commands.has(name))) return true;
  return programs.includes('trl') && programs.some((program) => commands.has(program));
}

/** The files of accelerate by the names that `accelerate_config` takes (trl/accelerate_configs): eight processes of one node but for `single_gpu`. */
export const trlEngines: Readonly<Record<string, TrainingPlan>> = {
  single_gpu: planOf({ precision: 'bf16', worldSize: 1, nodes: 1 }),
  multi_gpu: onNode({}),
  zero1: onNode({ writer: 'deepspeed', zeroStage: 1 }),
  zero2: onNode({ writer: 'deepspeed', zeroStage: 2 }),
  zero3: onNode({ writer: 'deepspeed', zeroStage: 3, gathersWeights: true }),
  fsdp1: onNode({ writer: 'fsdp', sharding: 'weights', gathersWeights: true, parameterDtype: 'f32' }),
  fsdp2: onNode({ writer: 'fsdp', sharding: 'weights', gathersWeights: true, parameterDtype: 'f32' }),
};

function onNode(engine: TrainingPlan): TrainingPlan {
  return { precision: 'bf16', worldSize: 8, nodes: 1, ...engine };
}
