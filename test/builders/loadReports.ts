import type { LoadReport } from '../../src/core/checkpoints/loadReport.js';

/** A Llama whose config has two layers more than its tensors, and another width of keys. */
export function failingLoad(): LoadReport {
  const layers = [30, 31];
  const modules = [
    'self_attn.q_proj',
    'self_attn.k_proj',
    'self_attn.v_proj',
    'self_attn.o_proj',
    'mlp.gate_proj',
    'mlp.up_proj',
  ];
  return {
    framework: 'transformers',
    architecture: 'LlamaForCausalLM',
    verdict: 'fails',
    why: '60 tensors of another shape: model.layers.0.self_attn.k_proj.weight is 1,024 × 4,096, the config asks for 512 × 4,096. num_key_value_heads of 8 in place of 4 would fit.',
    counts: { expected: 291, found: 273, missing: 18, unexpected: 1, mismatched: 60 },
    missing: layers.flatMap((layer) =>
      modules.map((name) => ({ name: `model.layers.${layer}.${name}.weight`, shape: [4096, 4096] })),
    ),
    unexpected: [{ name: 'model.layers.0.self_attn.rotary_emb.cached_cos', shape: [2048, 128] }],
    mismatched: ['k_proj', 'v_proj'].map((name) => ({
      name: `model.layers.0.self_attn.${name}.weight`,
      expected: [512, 4096],
      found: [1024, 4096],
    })),
    fits: [{ key: 'num_key_value_heads', config: 4, tensors: 8 }],
    checked: ['config', 'tokenizer', 'generation-config'],
    notChecked: [{ what: 'chat-template', detail: 'no file here has one' }],
    memory: [
      {
        purpose: 'serving',
        dtype: 'bf16',
        tensorParallel: 2,
        pipelineParallel: 1,
        dataParallel: 1,
        bytesPerRank: 8_030_261_248,
        source: '291 tensors as stored, half of each matrix; without keys, values and activations.',
      },
    ],
    conversions: [
      {
        to: 'GGUF',
        command: 'python convert_hf_to_gguf.py /data/run/checkpoint-1000 --outfile /data/run/checkpoint-1000.gguf --outtype bf16',
        memoryBytes: null,
        diskBytes: 16_060_522_496,
        source: 'llama.cpp: convert_hf_to_gguf.py',
      },
    ],
  };
}
