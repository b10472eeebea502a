/** What frameworks, their layouts and their configs are called: stable ids, as JSON has them, with the names that users know. */

/** Layouts of checkpoints; see docs/report.md. */
export const layoutLabels = {
  'huggingface-model': 'Hugging Face model',
  'huggingface-trainer': 'Hugging Face Trainer',
  'peft-adapter': 'PEFT adapter',
  accelerate: 'Accelerate',
  'torch-distributed': 'PyTorch distributed',
  deepspeed: 'DeepSpeed',
  'deepspeed-universal': 'DeepSpeed universal',
  'megatron-distributed': 'Megatron distributed',
  'megatron-legacy': 'Megatron legacy',
  nemo: 'NeMo',
  lightning: 'Lightning',
  composer: 'Composer',
  olmo: 'OLMo',
  nanotron: 'nanotron',
  verl: 'verl',
  litgpt: 'LitGPT',
  torchsnapshot: 'torchsnapshot',
  orbax: 'Orbax',
  'flax-msgpack': 'Flax msgpack',
  tensorflow: 'TensorFlow',
  keras: 'Keras',
  gguf: 'GGUF',
  'torch-file': 'PyTorch file',
  'safetensors-file': 'safetensors file',
  numpy: 'NumPy',
  onnx: 'ONNX',
  'stable-baselines3': 'Stable-Baselines3',
  run: 'training run',
  unknown: 'layout not recognised',
} as const;

export type LayoutId = keyof typeof layoutLabels;

/** Layouts of directories with several things. */
export const collectionLayoutNames = { 'huggingface-cache': 'Hugging Face cache' } as const;

export type CollectionLayoutId = keyof typeof collectionLayoutNames;

/** Programs whose configs are read; see docs/configs.md. */
export const configLabels = {
  'huggingface-model': 'Hugging Face model',
  'training-arguments': 'Hugging Face Trainer',
  'peft-adapter': 'PEFT adapter',
  deepspeed: 'DeepSpeed',
  accelerate: 'Accelerate',
  axolotl: 'Axolotl',
  'llama-factory': 'LLaMA-Factory',
  'ms-swift': 'ms-swift',
  openrlhf: 'OpenRLHF',
  xtuner: 'XTuner',
  'open-instruct': 'Open Instruct',
  'deepspeed-chat': 'DeepSpeed-Chat',
  slime: 'slime',
  levanter: 'Levanter',
  lingua: 'Meta Lingua',
  torchtune: 'torchtune',
  torchtitan: 'torchtitan',
  lightning: 'Lightning',
  megatron: 'Megatron-LM',
  nemo: 'NeMo',
  'megatron-bridge': 'Megatron-Bridge',
  maxtext: 'MaxText',
  olmo: 'OLMo',
  'olmo-core': 'OLMo-core',
  composer: 'Composer',
  fairseq: 'fairseq',
  nanotron: 'nanotron',
  verl: 'verl',
  mergekit: 'mergekit',
  nanogpt: 'nanoGPT',
  'gpt-neox': 'GPT-NeoX',
  litgpt: 'LitGPT',
  'meta-params': 'Meta Llama',
  'mlperf-storage': 'MLPerf Storage',
  vllm: 'vLLM',
  sglang: 'SGLang',
  'lm-evaluation': 'lm-evaluation-harness',
  'safetensors-index': 'safetensors index',
} as const;

export type ConfigKindId = keyof typeof configLabels;
