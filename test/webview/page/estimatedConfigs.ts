/** The configs of the scenarios: what is beside them, and what is free where their checkpoints go. */
import { hostileTexts } from '../../builders/hostileReport.js';
import { llamaConfig, type FilesBeside } from '../../builders/estimateText.js';
import type { EstimateScenario } from './estimateScenarios.js';

export interface EstimatedConfigText {
  name: string;
  text: string;
  beside?: FilesBeside;
  freeBytes?: number | null;
}

const trainer = `model_name_or_path: ./llama
per_device_train_batch_size: 4
gradient_accumulation_steps: 2
learning_rate: 1.0e-4
max_steps: 10000
save_steps: 200
bf16: true
optim: adamw_torch
`;
const beside = { 'llama/config.json': llamaConfig() };

/** Null for the scenarios without an estimate. */
export const estimatedConfigs: Readonly<Record<EstimateScenario, EstimatedConfigText | null>> = {
  estimate: { name: 'train.yaml', text: `${trainer}torch_dtype: float32\nsave_total_limit: 3\n`, beside, freeBytes: 900e9 },
  'estimate-full': { name: 'train.yaml', text: `${trainer}torch_dtype: float32\nweight_decay: none\n`, beside, freeBytes: 200e9 },
  'estimate-adapter': {
    name: 'lora.yaml',
    text: `${trainer}finetuning_type: lora\nlora_rank: 16\nlora_target: all\n`,
    beside,
    freeBytes: 900e9,
  },
  'estimate-model': { name: 'config.json', text: llamaConfig() },
  'estimate-serving': {
    name: 'serve.sh',
    text: 'vllm serve ./llama --tensor-parallel-size 2 --max-model-len 32K --max-num-seqs 64 --kv-cache-dtype fp8\n',
    beside,
  },
  'estimate-unknown': { name: 'train.yaml', text: trainer, freeBytes: 900e9 },
  'estimate-hostile': {
    name: `${hostileTexts.script}.yaml`,
    text: `${trainer}save_total_limit: ${JSON.stringify(hostileTexts.bidi)}\nnum_train_epochs: ${JSON.stringify(hostileTexts.script)}\nlogging_steps: ${JSON.stringify(hostileTexts.image)}\n`,
    beside: { 'llama/config.json': llamaConfig({ model_type: hostileTexts.markdown, architectures: [hostileTexts.image] }) },
    freeBytes: 200e9,
  },
  'estimate-none': null,
  'estimate-failed': null,
};
