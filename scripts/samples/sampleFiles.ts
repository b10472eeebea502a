/**
 * What is in the files of the sample run: headers, pickles and directories as the frameworks write them, and holes where their tensors would be. A file of
 * 12 GB takes a few kilobytes of the disk.
 */
import * as p from '../../test/builders/pickleBuilder.js';
import { layOutTorchZip, type SparseFile } from '../../test/builders/torchZipBuilder.js';
import { torchState } from '../../test/builders/torchStateBuilder.js';

type Content = Pick<SparseFile, 'sizeBytes' | 'segments'>;

const ranks = 8;
const layers = 32;
const config = {
  architectures: ['LlamaForCausalLM'],
  hidden_size: 4096,
  intermediate_size: 14_336,
  max_position_embeddings: 131_072,
  model_type: 'llama',
  num_attention_heads: 32,
  num_hidden_layers: layers,
  num_key_value_heads: 8,
  tie_word_embeddings: false,
  torch_dtype: 'bfloat16',
  vocab_size: 128_256,
};

/** Of Llama 3.1 8B, in the order of its module. */
function shapes(): [name: string, shape: number[]][] {
  const { hidden_size: hidden, intermediate_size: inner, vocab_size: vocabulary } = config;
  const ofLayer = (layer: number): [string, number[]][] => [
    [`model.layers.${layer}.self_attn.q_proj.weight`, [hidden, hidden]],
    [`model.layers.${layer}.self_attn.k_proj.weight`, [1024, hidden]],
    [`model.layers.${layer}.self_attn.v_proj.weight`, [1024, hidden]],
    [`model.layers.${layer}.self_attn.o_proj.weight`, [hidden, hidden]],
    [`model.layers.${layer}.mlp.gate_proj.weight`, [inner, hidden]],
    [`model.layers.${layer}.mlp.up_proj.weight`, [inner, hidden]],
    [`model.layers.${layer}.mlp.down_proj.weight`, [hidden, inner]],
    [`model.layers.${layer}.input_layernorm.weight`, [hidden]],
    [`model.layers.${layer}.post_attention_layernorm.weight`, [hidden]],
  ];
  return [
    ['model.embed_tokens.weight', [vocabulary, hidden]],
    ...Array.from({ length: layers }, (_, layer) => ofLayer(layer)).flat(),
    ['model.norm.weight', [hidden]],
    ['lm_head.weight', [vocabulary, hidden]],
  ];
}

const numberOf = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

/** The files of a checkpoint by their paths in it. */
export function sampleFiles(step: number): Map<string, Content> {
  const { shards, index } = weightFiles();
  const folder = `global_step${step}`;
  const ofRanks = (name: (rank: number) => string, content: (rank: number) => Content): [string, Content][] =>
    Array.from({ length: ranks }, (_, rank) => [name(rank), content(rank)]);
  const optimizer = optimizerState();
  const model = modelState(step);
  const random = whole(torchState((tensor) => ({ python: [3], cpu: tensor([1262]), cuda: tensor([4]) })));
  return new Map([
    ...shards,
    ['model.safetensors.index.json', text(JSON.stringify(index, null, 2))],
    ['config.json', text(`${JSON.stringify(config, null, 2)}\n`)],
    ...ofRanks((rank) => `${folder}/bf16_zero_pp_rank_${rank}_mp_rank_00_optim_states.pt`, () => optimizer),
    ...ofRanks((rank) => `${folder}/zero_pp_rank_${rank}_mp_rank_00_model_states.pt`, () => model),
    ['latest', text(folder)],
    ['zero_to_fp32.py', text('# Written by DeepSpeed beside its shards.\n')],
    ['scheduler.pt', whole(torchState(() => ({ base_lrs: [3e-4], last_epoch: step, _step_count: step + 1 })))],
    ...ofRanks((rank) => `rng_state_${rank}.pth`, () => random),
    ['trainer_state.json', text(JSON.stringify(trainerState(step), null, 2))],
  ]);
}

function whole(bytes: Uint8Array): Content {
  return { sizeBytes: bytes.byteLength, segments: [{ offset: 0, bytes }] };
}

function text(content: string): Content {
  return whole(new TextEncoder().encode(content));
}

const mostShardBytes = 5e9;

/** The weights in bfloat16, cut as `save_pretrained` cuts them. */
function weightFiles(): { shards: [string, Content][]; index: object } {
  const files: [string, number[]][][] = [[]];
  let fileBytes = 0;
  for (const [name, shape] of shapes()) {
    const bytes = numberOf(shape) * 2;
    if (fileBytes + bytes > mostShardBytes) files.push([]);
    fileBytes = fileBytes + bytes > mostShardBytes ? bytes : fileBytes + bytes;
    files.at(-1)?.push([name, shape]);
  }
  const nameOf = (index: number): string => `model-0000${index + 1}-of-0000${files.length}.safetensors`;
  const shards = files.map((tensors, index): [string, Content] => [nameOf(index), safetensors(tensors)]);
  const map = Object.fromEntries(files.flatMap((tensors, index) => tensors.map(([name]) => [name, nameOf(index)])));
  const total = shapes().reduce((sum, [, shape]) => sum + numberOf(shape) * 2, 0);
  return { shards, index: { metadata: { total_size: total }, weight_map: map } };
}

function safetensors(tensors: readonly [string, number[]][]): Content {
  let at = 0;
  const entries = tensors.map(([name, shape]) => {
    const from = at;
    at += numberOf(shape) * 2;
    return [name, { dtype: 'BF16', shape, data_offsets: [from, at] }];
  });
  const json = JSON.stringify({ __metadata__: { format: 'pt' }, ...Object.fromEntries(entries) });
  const header = new TextEncoder().encode(json.padEnd(Math.ceil(json.length / 8) * 8));
  const bytes = new Uint8Array(8 + header.byteLength);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(header.byteLength), true);
  bytes.set(header, 8);
  return { sizeBytes: bytes.byteLength + at, segments: [{ offset: 0, bytes }] };
}

/** A rank's part: float32 weights and both moments of AdamW, flat. */
function optimizerState(): Content {
  const flat = shapes().reduce((sum, [, shape]) => sum + Math.ceil(numberOf(shape) / ranks), 0);
  const tensor = (key: string): Uint8Array => p.torchTensor({ storageType: 'FloatStorage', key, shape: [flat] });
  const state = p.dict(
    [p.str('state'), p.dict([p.int(0), p.dict([p.str('exp_avg'), tensor('0')], [p.str('exp_avg_sq'), tensor('1')])])],
    [p.str('param_groups'), p.list(p.dict([p.str('lr'), p.float(3e-4)], [p.str('params'), p.list(p.int(0))]))],
  );
  const zero = p.dict(
    [p.str('zero_stage'), p.int(3)],
    [p.str('partition_count'), p.int(ranks)],
    [p.str('optimizer_state_dict'), state],
    [p.str('fp32_flat_groups'), p.list(tensor('2'))],
  );
  const pickle = p.pickle(p.dict([p.str('optimizer_state_dict'), zero], [p.str('ds_version'), p.str('0.17.2')]));
  return layOutTorchZip({ pickle, storages: { '0': flat * 4, '1': flat * 4, '2': flat * 4 } });
}

/** Names and shapes alone: in stage 3 the weights are in the optimizer's files. */
function modelState(step: number): Content {
  const empty = p.torchTensor({ storageType: 'BFloat16Storage', key: '0', shape: [0] });
  const size = (shape: readonly number[]): Uint8Array =>
    p.reduce(p.global('torch', 'Size'), p.tuple(p.tuple(...shape.map((one) => p.int(one)))));
  const pickle = p.pickle(
    p.dict(
      [p.str('module'), p.orderedDict(...shapes().map(([name]): p.Pair => [p.str(name), empty]))],
      [p.str('param_shapes'), p.list(p.orderedDict(...shapes().map(([name, shape]): p.Pair => [p.str(name), size(shape)])))],
      [p.str('global_steps'), p.int(step)],
      [p.str('dp_world_size'), p.int(ranks)],
      [p.str('mp_world_size'), p.int(1)],
      [p.str('ds_version'), p.str('0.17.2')],
    ),
  );
  return layOutTorchZip({ pickle, storages: { '0': 0 } });
}

/** With a loss that rises after step 4,000. */
function trainerState(step: number): object {
  const evaluated = Array.from({ length: Math.floor(step / 100) }, (_, index) => (index + 1) * 100);
  const lossAt = (at: number): number => Number((2 + 3 / Math.sqrt(at / 100) + (at > 4000 && step > 4400 ? 0.2 : 0)).toFixed(4));
  return {
    best_metric: null,
    best_model_checkpoint: null,
    global_step: step,
    log_history: evaluated.map((at) =>
      at % 500 === 0 ? { step: at, eval_loss: lossAt(at) } : { step: at, loss: lossAt(at), learning_rate: 3e-4 },
    ),
    save_steps: 500,
  };
}
