/** Commands that convert checkpoints of the frameworks themselves, with their own paths. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Conversion } from '../../../src/core/checkpoints/loadReport.js';
import { createConfigAccess } from '../../../src/core/configs/configAccess.js';
import { countModel } from '../../../src/core/configs/countModel.js';
import { Fields } from '../../../src/core/configs/fields.js';
import { conversions } from '../../../src/core/loading/conversions/conversions.js';
import { loadMemory } from '../../../src/core/loading/loadMemory.js';
import { createNodeFileTree } from '../../../src/platform/nodeFileTree.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree, type MemoryFile } from '../../builders/memoryTree.js';
import { readCheckpoint, readTree } from '../../builders/readCheckpoint.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { json, model } from '../../builders/torchDirectory.js';

const none = (): Promise<null> => Promise.resolve(null);
const fixtures = path.resolve('test/fixtures/frameworks');

async function ofFixture(name: string, place: string): Promise<Conversion[]> {
  const { read } = await readTree(await createNodeFileTree(path.join(fixtures, name, 'data'), null));
  return conversions(read, place);
}
const of = async (files: Record<string, MemoryFile>, place = '/runs/a'): Promise<Conversion[]> =>
  conversions((await readCheckpoint(files)).read, place);
const commands = (found: readonly Conversion[]): string[] => found.map(({ command }) => command);

describe('conversions', () => {
  it('of DeepSpeed are those of its own programs', async () => {
    const found = await ofFixture('deepspeed/zero1-bf16-w2', "/runs/it's here");
    expect(commands(found)).toEqual([
      `python -m deepspeed.utils.zero_to_fp32 '/runs/it'\\''s here' '/runs/it'\\''s here-fp32' --tag global_step6 --safe_serialization`,
      `python -m deepspeed.checkpoint.ds_to_universal --input_folder '/runs/it'\\''s here/global_step6' --output_folder '/runs/it'\\''s here/global_step6_universal' --inject_missing_state`,
    ]);
    const [whole, universal] = found;
    expect(whole?.memoryBytes).toBe(2 * (whole?.diskBytes ?? 0));
    // 49,920 bytes of 32-bit weights on both ranks together, and 99,848 of optimizer state.
    expect(whole?.diskBytes).toBe(49_920);
    expect(universal?.diskBytes).toBe(2 * (49_920 + 99_848));
  });

  it('of torch.distributed hold all tensors', async () => {
    const [found] = await ofFixture('dcp/zstd-2r', '/runs/a/');
    expect(found).toMatchObject({
      to: 'one torch file',
      command: 'python -m torch.distributed.checkpoint.format_utils dcp_to_torch /runs/a /runs/a.pt',
    });
    expect(found?.memoryBytes).toBe(found?.diskBytes);
    expect(found?.memoryBytes).toBeGreaterThan(0);
  });

  it.each([
    ['s3://bucket/run/step-5', 'aws s3 cp --recursive s3://bucket/run/step-5 ./step-5 && ', './step-5'],
    ['gs://bucket/run/step-5', 'gcloud storage rsync --recursive gs://bucket/run/step-5 ./step-5 && ', './step-5'],
    ['hf://org/name@v1.0', 'hf download org/name --revision v1.0 --local-dir ./name && ', './name'],
    ['hf://datasets/org/name', 'hf download org/name --repo-type dataset --local-dir ./name && ', './name'],
    ['hf://org/name/step-5', '', './step-5'],
    ['az://container/step-5', '', './step-5'],
  ])('of %s are of a copy, which they make first', async (place, first, copy) => {
    const [found] = await ofFixture('dcp/zstd-2r', place);
    expect(found?.command).toBe(`${first}python -m torch.distributed.checkpoint.format_utils dcp_to_torch ${copy} ${copy}.pt`);
  });

  it('of Hugging Face models make GGUF where a language model has its tokenizer', async () => {
    const files = {
      'config.json': json({ architectures: ['LlamaForCausalLM'], model_type: 'llama' }),
      'model.safetensors': buildSafetensors({
        tensors: {
          'model.embed_tokens.weight': { dtype: 'BF16', shape: [8, 4] },
          'model.norm.weight': { dtype: 'BF16', shape: [4] },
        },
      }),
    };
    const found = await of({ ...files, 'tokenizer.json': json({ model: { vocab: {} } }) });
    expect(found).toMatchObject([
      {
        command: 'python convert_hf_to_gguf.py /runs/a --outfile /runs/a.gguf --outtype bf16',
        memoryBytes: null,
        diskBytes: 8 * 4 * 2 + 4 * 4,
      },
    ]);
    expect(await of(files)).toEqual([]);
  });

  it('of an adapter merge it into its base', async () => {
    const { read } = await readCheckpoint({
      'adapter_config.json': json({ peft_type: 'LORA', r: 2, task_type: 'CAUSAL_LM', base_model_name_or_path: 'org/base' }),
      'adapter_model.safetensors': buildSafetensors({
        tensors: { 'base_model.model.a.lora_A.weight': { dtype: 'BF16', shape: [2, 4] } },
      }),
    });
    const fields = Fields.fromValues({
      ...{
        model_type: 'llama',
        hidden_size: 4,
        num_hidden_layers: 0,
        num_attention_heads: 1,
        intermediate_size: 8,
        vocab_size: 10,
      },
      dtype: 'bfloat16',
    });
    const { model: base } = await countModel({ kind: 'fields', fields }, createConfigAccess({ read: none, readCached: none }));
    const adapter = { directory: '', tensors: [{ name: 'a.lora_A.weight', shape: [2, 4] }], task: 'CAUSAL_LM', base };
    const parameters = 10 * 4 * 2 + 4;
    expect(conversions(read, "/runs/it's", [adapter])).toMatchObject([
      {
        command: `python -c 'import sys; from peft import AutoPeftModelForCausalLM as Model; Model.from_pretrained(sys.argv[1]).merge_and_unload().save_pretrained(sys.argv[2])' '/runs/it'\\''s' '/runs/it'\\''s-merged'`,
        memoryBytes: 2 * parameters + 4 * 8,
        diskBytes: 2 * parameters,
      },
    ]);
    const tied = { ...adapter, tensors: [{ name: 'base_model.model.lm_head.weight', shape: [10, 4] }] };
    const untied = base?.groups?.map((group) => (group.name === 'lm_head.weight' ? { ...group, isTied: true as const } : group));
    const copied = conversions(read, '/a', [
      { ...tied, labels: 3, base: base === null ? null : { ...base, groups: untied ?? null } },
    ]);
    expect(copied).toMatchObject([
      {
        command: expect.stringContaining('from_pretrained(sys.argv[1], num_labels=3)') as string,
        memoryBytes: 2 * parameters + 2 * 40,
        diskBytes: 2 * parameters + 2 * 40,
      },
    ]);
    expect(conversions(read, '/a', [{ ...adapter, base: null, task: undefined, directory: 'policy' }])).toMatchObject([
      { command: expect.stringContaining('AutoPeftModel as Model') as string, memoryBytes: null, diskBytes: null },
    ]);
    expect(loadMemory(read, [adapter])).toMatchObject([
      { purpose: 'serving', dtype: 'bf16', bytesPerRank: 2 * parameters + 4 * 8 },
    ]);
    expect(loadMemory(read, [{ ...adapter, base: null }])).toEqual([]);
  });

  it('are none where loading fails', async () => {
    const files = {
      'config.json': json({ architectures: ['LlamaForCausalLM'], model_type: 'llama' }),
      'model.safetensors': buildSafetensors({ tensors: { 'model.embed_tokens.weight': { dtype: 'BF16', shape: [8, 4] } } }),
      'tokenizer.json': json({ model: { vocab: { a: 0 } } }),
    };
    const { report: loads } = await inspectCheckpoint(memoryTree('save', files), { path: '/save' });
    expect(loads.load?.conversions).toHaveLength(1);
    const damaged = { ...files, 'tokenizer.json': json({ model: { vocab: { a: -1 } } }) };
    const { report: fails } = await inspectCheckpoint(memoryTree('save', damaged), { path: '/save' });
    expect([fails.load?.verdict, fails.load?.conversions]).toEqual(['fails', undefined]);
  });

  it.each<[what: string, files: Record<string, MemoryFile>, command: string]>([
    [
      'verl',
      {
        'actor/model_world_size_1_rank_0.pt': model,
        'actor/extra_state_world_size_1_rank_0.pt': model,
        'actor/optim_world_size_1_rank_0.pt': model,
      },
      'python -m verl.model_merger merge --backend fsdp --local_dir /runs/a/actor --target_dir /runs/a/actor-huggingface',
    ],
    [
      'Megatron',
      { 'iter_0000005/mp_rank_00/model_optim_rng.pt': model, 'latest_checkpointed_iteration.txt': new TextEncoder().encode('5') },
      'python tools/checkpoint/convert.py --model-type GPT --loader megatron --saver megatron --load-dir /runs/a --save-dir /runs/a-converted --target-tensor-parallel-size 1 --target-pipeline-parallel-size 1',
    ],
    [
      'OLMo',
      { 'model/rank0.pt': model, 'optim/rank0.pt': model, 'train/rank0.pt': model },
      'python scripts/unshard.py /runs/a /runs/a-unsharded',
    ],
    [
      'LitGPT',
      { 'lit_model.pth': model, 'model_config.yaml': new TextEncoder().encode('name: x') },
      'litgpt convert_from_litgpt /runs/a /runs/a-hf',
    ],
    [
      'Composer',
      { 'ep1-ba10-rank0.pt': model },
      'python scripts/inference/convert_composer_to_hf.py --composer_path /runs/a/ep1-ba10-rank0.pt --hf_output_path /runs/a/ep1-ba10-rank0-hf --output_precision bf16',
    ],
  ])('of %s', async (_, files, command) => {
    expect(commands(await of(files))).toEqual([command]);
  });

  it('are none for a path that no command can have, and for one file', async () => {
    expect(await of({ 'ep1-ba10-rank0.pt': model }, '/runs/a\nb')).toEqual([]);
    expect(await of({ 'a.safetensors': buildSafetensors({ tensors: { a: { dtype: 'F32', shape: [2] } } }) })).toEqual([]);
  });
});

/** Bytes of the merged models that PEFT 0.21.2 saved, in copies of the matrix that modules of the base share. */
describe('a merged model whose modules shared a matrix', () => {
  const llama = {
    ...{ model_type: 'llama', hidden_size: 4, num_hidden_layers: 0, num_attention_heads: 1, intermediate_size: 8 },
    ...{ vocab_size: 10, tie_word_embeddings: true, dtype: 'float32' },
  };
  const t5 = {
    ...{ model_type: 't5', d_model: 4, d_ff: 8, d_kv: 4, num_heads: 1, num_layers: 1, vocab_size: 10, dtype: 'float32' },
    architectures: ['T5ForConditionalGeneration'],
  };
  it.each<[base: string, whole: string[], copies: number]>([
    ['llama', [], 1],
    ['llama', ['model.embed_tokens'], 2],
    ['llama', ['lm_head'], 2],
    ['llama', ['model.embed_tokens', 'lm_head'], 2],
    ['t5', [], 1],
    ['t5', ['shared'], 2],
    ['t5', ['lm_head'], 2],
    ['t5', ['shared', 'lm_head'], 3],
  ])('%s with %j whole has %i', async (type, whole, copies) => {
    const { read } = await readCheckpoint({
      'adapter_config.json': json({ peft_type: 'LORA', r: 2 }),
      'adapter_model.safetensors': buildSafetensors({ tensors: { 'a.lora_A.weight': { dtype: 'F32', shape: [2, 4] } } }),
    });
    const fields = Fields.fromValues(type === 'llama' ? llama : t5);
    const { model: base } = await countModel({ kind: 'fields', fields }, createConfigAccess({ read: none, readCached: none }));
    const tensors = whole.map((module) => ({ name: `base_model.model.${module}.weight`, shape: [10, 4] }));
    const [merged] = conversions(read, '/a', [{ directory: '', tensors, task: undefined, base }]);
    const unique = 4 * (base?.counts.unique ?? 0);
    expect(merged).toMatchObject({
      memoryBytes: unique + 4 * 40 * whole.length,
      diskBytes: unique + 4 * 40 * (copies - 1),
    });
  });
});
