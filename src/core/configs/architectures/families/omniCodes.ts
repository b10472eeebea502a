/** What makes a waveform of Qwen3-Omni's codes: a transformer, and convolutions that upsample (Qwen3OmniMoeCode2Wav of transformers). */
import type { Fields } from '../../fields.js';
import { readSizes } from '../configSizes.js';
import type { ModelTensors } from '../tensorGroup.js';

const defaults = {
  codebook_size: 2048,
  hidden_size: 1024,
  num_attention_heads: 16,
  num_key_value_heads: 16,
  intermediate_size: 3072,
  num_hidden_layers: 8,
  num_quantizers: 16,
  decoder_dim: 1536,
};
const keys = [
  ...(['codebook_size', 'hidden_size', 'num_attention_heads', 'num_key_value_heads'] as const),
  ...(['intermediate_size', 'num_hidden_layers', 'num_quantizers', 'decoder_dim'] as const),
] as const;

type Sizes = Readonly<Record<(typeof keys)[number], number>>;

/** Lists of stages that are longer than any model's are none. */
const mostStages = 64;

function ratesOf(config: Fields, key: string, usual: readonly number[]): readonly number[] | null {
  const values = config.has(key) ? config.integers(key) : usual;
  return values !== undefined && values.length <= mostStages && values.every((value) => value > 0) ? values : null;
}

/** False where a size is missing. */
export function addCodeDecoder(model: ModelTensors, given: Fields): boolean {
  const config = given.withDefaults(defaults);
  const sizes = readSizes(config, keys);
  const ratios = ratesOf(config, 'upsampling_ratios', [2, 2]);
  const rates = ratesOf(config, 'upsample_rates', [8, 5, 4, 3]);
  if (sizes === null || ratios === null || rates === null || sizes.num_attention_heads === 0) return false;
  model.embedding('code2wav.code_embedding', sizes.codebook_size * sizes.num_quantizers, sizes.hidden_size);
  addTransformer(model, config, sizes);
  for (const ratio of ratios) addUpsampling(model, sizes.hidden_size, ratio);
  addDecoder(model, sizes, rates);
  return true;
}

function addTransformer(model: ModelTensors, config: Fields, sizes: Sizes): void {
  const { hidden_size: hidden, intermediate_size: width, num_hidden_layers: copies } = sizes;
  const headSize = config.integer('head_dim') ?? Math.floor(hidden / sizes.num_attention_heads);
  const layer = 'code2wav.pre_transformer.layers.N';
  const options = { copies, bias: config.flag('attention_bias') ?? false };
  const [queries, keyed] = [sizes.num_attention_heads * headSize, sizes.num_key_value_heads * headSize];
  model
    .linear(`${layer}.self_attn.q_proj`, hidden, queries, options)
    .linear(`${layer}.self_attn.k_proj`, hidden, keyed, options)
    .linear(`${layer}.self_attn.v_proj`, hidden, keyed, options)
    .linear(`${layer}.self_attn.o_proj`, queries, hidden, options)
    .linear(`${layer}.mlp.gate_proj`, hidden, width, { copies })
    .linear(`${layer}.mlp.up_proj`, hidden, width, { copies })
    .linear(`${layer}.mlp.down_proj`, width, hidden, { copies })
    .norm(`${layer}.input_layernorm`, hidden, { copies })
    .norm(`${layer}.post_attention_layernorm`, hidden, { copies })
    .parameter(`${layer}.self_attn_layer_scale.scale`, [hidden], { copies })
    .parameter(`${layer}.mlp_layer_scale.scale`, [hidden], { copies })
    .norm('code2wav.pre_transformer.norm', hidden);
}

/** A transposed convolution, and a block of ConvNeXt (arXiv 2201.03545). */
function addUpsampling(model: ModelTensors, hidden: number, ratio: number): void {
  const block = 'code2wav.upsample.N.N';
  model
    .convolution(`${block}.conv`, [hidden, hidden, ratio], { bias: true })
    .parameter(`${block}.gamma`, [hidden])
    .convolution(`${block}.dwconv.conv`, [hidden, 1, 7], { bias: true })
    .norm(`${block}.norm`, hidden, { bias: true })
    .linear(`${block}.pwconv1`, hidden, 4 * hidden, { bias: true })
    .linear(`${block}.pwconv2`, 4 * hidden, hidden, { bias: true });
}

/** Each stage halves the channels, upsamples by its rate and has three units of two convolutions. */
function addDecoder(model: ModelTensors, { hidden_size: hidden, decoder_dim: first }: Sizes, rates: readonly number[]): void {
  const widthAt = (stage: number): number => Math.floor(first / 2 ** stage);
  const activation = (name: string, width: number, copies = 1): void => {
    for (const part of ['alpha', 'beta']) model.parameter(`code2wav.decoder.N.${name}${part}`, [width], { copies });
  };
  model.convolution('code2wav.decoder.N.conv', [first, hidden, 7], { bias: true });
  for (const [stage, rate] of rates.entries()) {
    const [inputs, outputs] = [widthAt(stage), widthAt(stage + 1)];
    activation('block.N.', inputs);
    model
      .convolution('code2wav.decoder.N.block.N.conv', [inputs, outputs, 2 * rate])
      .parameter('code2wav.decoder.N.block.N.conv.bias', [outputs], { kind: 'bias' });
    activation('block.N.actN.', outputs, 6);
    for (const kernel of [7, 1])
      model.convolution('code2wav.decoder.N.block.N.convN.conv', [outputs, outputs, kernel], { copies: 3, bias: true });
  }
  const last = widthAt(rates.length);
  activation('', last);
  model.convolution('code2wav.decoder.N.conv', [1, last, 7], { bias: true });
}
