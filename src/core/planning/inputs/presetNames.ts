/** Models to begin a plan with, by name: all that a menu needs of them. A plan file may name one as `preset`. */
export const presetNames = [
  { id: '7b', name: 'Llama 2 7B', label: '7B (Llama 2 7B) on 32 GPUs' },
  { id: '8b', name: 'Llama 3 8B', label: '8B (Llama 3 8B) on 64 GPUs' },
  { id: '70b', name: 'Llama 3 70B', label: '70B (Llama 3 70B) on 512 GPUs' },
  { id: '405b', name: 'Llama 3 405B', label: '405B (Llama 3 405B) on 16,384 GPUs' },
  { id: '1t-moe', name: '1T mixture of experts', label: '1T mixture of experts (as Kimi K2) on 4,096 GPUs' },
  { id: 'megatron-1t', name: 'Megatron-LM 1T', label: '1T (Megatron-LM 2021) on 3,072 GPUs' },
] as const;

export type PresetId = (typeof presetNames)[number]['id'];
