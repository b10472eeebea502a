/** Which modules PEFT takes for a LoRA adapter where a config leaves it open, and which it takes for others. */

const queryValue = ['q_proj', 'v_proj'];
const fused = ['query_key_value'];
const encoder = ['query', 'value'];

/** By `model_type`; peft/utils/constants.py, TRANSFORMERS_MODELS_TO_LORA_TARGET_MODULES_MAPPING (PEFT 0.21). */
const defaults: ReadonlyMap<string, readonly string[]> = new Map([
  ...group(['t5', 'mt5'], ['q', 'v']),
  ...group(
    ['bart', 'opt', 'gptj', 'gpt_neo', 'llama', 'llama4', 'mistral', 'mixtral', 'stablelm', 'gemma', 'gemma2', 'gemma3_text'],
    queryValue,
  ),
  ...group(['qwen2', 'qwen3'], queryValue),
  ...group(['bloom', 'gpt_neox', 'chatglm', 'RefinedWebModel', 'RefinedWeb', 'falcon'], fused),
  ...group(['bert', 'roberta', 'xlm-roberta', 'electra', 'layoutlm'], encoder),
  ...group(['gpt2', 'gpt_bigcode'], ['c_attn']),
  ['blip-2', ['q', 'v', 'q_proj', 'v_proj']],
  ['deberta-v2', ['query_proj', 'value_proj']],
  ['deberta', ['in_proj']],
  ['mpt', ['Wqkv']],
  ['btlm', ['c_proj', 'c_attn']],
  ['codegen', ['qkv_proj']],
  ['phi', ['q_proj', 'v_proj', 'fc1', 'fc2']],
  ['gemma4', ['.*language_model\\..*\\.(q_proj|v_proj)']],
  ['nemotron_h', ['q_proj', 'k_proj', 'v_proj', 'o_proj']],
  ['rwkv', ['key', 'value', 'receptance', 'output']],
  ['rwkv7', ['r_proj', 'k_proj', 'v_proj', 'o_proj', 'key', 'value']],
]);

function group(modelTypes: readonly string[], targets: readonly string[]): [string, readonly string[]][] {
  return modelTypes.map((modelType) => [modelType, targets]);
}

/** What PEFT adapts in a model of this type when no targets are named; undefined where it asks for them. */
export function defaultAdapterTargets(modelType: string): readonly string[] | undefined {
  return defaults.get(modelType);
}

/** Names that experts had as modules of their own, before transformers 5 stacked them, by what they are now. */
export interface ExpertNames {
  gateAndUp: readonly [string, string];
  down: string;
}

const mixtralExperts: ExpertNames = { gateAndUp: ['w1', 'w3'], down: 'w2' };
const commonExperts: ExpertNames = { gateAndUp: ['gate_proj', 'up_proj'], down: 'down_proj' };

/** peft/utils/transformers_weight_conversion.py and transformers/conversion_mapping.py (5.23). */
const stackedExperts: ReadonlyMap<string, ExpertNames> = new Map([
  ...['mixtral', 'minimax', 'minimax_m2'].map((type): [string, ExpertNames] => [type, mixtralExperts]),
  ...[
    'afmoe',
    'deepseek_v2',
    'deepseek_v3',
    'deepseek_v32',
    'dots1',
    'ernie4_5_moe',
    'glm4_moe',
    'glm4_moe_lite',
    'glm_moe_dsa',
    'glm4v_moe',
    'longcat_flash',
    'solar_open',
    'mellum',
    'qwen3_moe',
    'qwen3_omni_moe',
    'qwen3_omni_moe_thinker',
    'qwen3_omni_moe_text',
    'qwen3_next',
    'hunyuan_v1_moe',
    'flex_olmo',
    'olmoe',
    'exaone_moe',
    'cohere2_moe',
  ].map((type): [string, ExpertNames] => [type, commonExperts]),
]);

/** Where PEFT takes the old names of experts for the parameters that they are stacked in. */
export function stackedExpertNames(modelType: string | undefined): ExpertNames | undefined {
  return modelType === undefined ? undefined : stackedExperts.get(modelType);
}

/**
 * Types whose experts are stacked otherwise than as all experts' matrices [outputs, inputs], or whose module does not tell so: PEFT takes inputs for outputs
 * (Llama 4), or as many experts as there are places (LongCat). Parameters of the modules of transformers 5.24.
 */
const otherStacks: ReadonlySet<string> = new Set(['llama4', 'llama4_text', 'longcat_flash', 'jetmoe', 'nemotron_h']);

/** Whether the sizes of an adapter of all experts follow from those of one. */
export function hasUsualStack(modelType: string | undefined): boolean {
  return !otherStacks.has(modelType ?? '');
}

/** Whether a model's linear layers are those that Megatron has too, one for one but for those that it has fused, and its experts stacked. */
export function hasPlainExperts(modelType: string | undefined): boolean {
  return ['mixtral', 'qwen3_moe', 'deepseek_v2', 'deepseek_v3', 'glm4_moe'].includes(modelType ?? '');
}

/** Whether what chooses experts is a linear layer as others (`class Llama4Router(nn.Linear)`), which PEFT adapts. */
export function hasPlainRouter(modelType: string | undefined): boolean {
  return ['llama4', 'llama4_text', 'phimoe'].includes(modelType ?? '');
}

/** Modules that are trained whole because of the task (peft/peft_model.py). */
export function modulesOfTask(task: string | undefined): readonly string[] {
  if (task === 'SEQ_CLS' || task === 'TOKEN_CLS') return ['classifier', 'score'];
  return task === 'QUESTION_ANS' ? ['qa_outputs'] : [];
}
