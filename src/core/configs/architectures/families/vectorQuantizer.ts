/** Encoders and decoders of images as tokens: VQGAN's convolutions, with attention where the image is smallest (arXiv 2012.09841). */
import type { ModelTensors } from '../tensorGroup.js';

/** Stages, and blocks of each, that a model may have. */
export const mostStages = 64;

/** Two convolutions beside what comes in, which a third makes as wide as what comes out. */
function addResidual(model: ModelTensors, prefix: string, inputs: number, outputs: number): void {
  model
    .norm(`${prefix}.norm1`, inputs, { bias: true })
    .convolution(`${prefix}.conv1`, [outputs, inputs, 3, 3], { bias: true })
    .norm(`${prefix}.norm2`, outputs, { bias: true })
    .convolution(`${prefix}.conv2`, [outputs, outputs, 3, 3], { bias: true });
  if (inputs !== outputs) model.convolution(`${prefix}.nin_shortcut`, [outputs, inputs, 1, 1], { bias: true });
}

function addAttention(model: ModelTensors, prefix: string, width: number): void {
  model.norm(`${prefix}.norm`, width, { bias: true });
  for (const part of ['q', 'k', 'v', 'proj_out']) model.convolution(`${prefix}.${part}`, [width, width, 1, 1], { bias: true });
}

function addMiddle(model: ModelTensors, prefix: string, width: number): void {
  for (const block of ['block_1', 'block_2']) addResidual(model, `${prefix}.mid.${block}`, width, width);
  addAttention(model, `${prefix}.mid.attn_1`, width);
}

/** Names of modules, and which stages have attention. */
export interface QuantizerStages {
  residual: (stage: number, block: number) => string;
  attention: (stage: number, block: number) => string;
  /** Between stages, where the image becomes smaller or larger. */
  between: (stage: number) => string;
  hasAttention: (stage: number) => boolean;
}

export interface QuantizerShape {
  channels: number;
  base: number;
  /** How much wider each stage is than the base. */
  multipliers: readonly number[];
  blocks: number;
  /** Of what the encoder answers, or the decoder takes. */
  latent: number;
  stages: QuantizerStages;
}

export function addQuantizerEncoder(model: ModelTensors, prefix: string, shape: QuantizerShape): void {
  const { base, multipliers } = shape;
  model.convolution(`${prefix}.conv_in`, [base, shape.channels, 3, 3], { bias: true });
  const last = addStages(model, prefix, shape, multipliers, base);
  addMiddle(model, prefix, last);
  model
    .norm(`${prefix}.norm_out`, last, { bias: true })
    .convolution(`${prefix}.conv_out`, [shape.latent, last, 3, 3], { bias: true });
}

export function addQuantizerDecoder(model: ModelTensors, prefix: string, shape: QuantizerShape): void {
  const { base, multipliers, blocks } = shape;
  const first = base * (multipliers.at(-1) ?? 0);
  model.convolution(`${prefix}.conv_in`, [first, shape.latent, 3, 3], { bias: true });
  addMiddle(model, prefix, first);
  // One block more a stage than the encoder has.
  const last = addStages(model, prefix, { ...shape, blocks: blocks + 1 }, multipliers.toReversed(), first);
  model
    .norm(`${prefix}.norm_out`, last, { bias: true })
    .convolution(`${prefix}.conv_out`, [shape.channels, last, 3, 3], { bias: true });
}

/** Answers the width of the last one. */
function addStages(
  model: ModelTensors,
  prefix: string,
  { base, blocks, stages }: QuantizerShape,
  multipliers: readonly number[],
  first: number,
): number {
  let width = first;
  for (const [stage, multiplier] of multipliers.entries()) {
    const output = base * multiplier;
    for (let block = 0; block < blocks; block += 1) {
      addResidual(model, `${prefix}.${stages.residual(stage, block)}`, width, output);
      if (stages.hasAttention(stage)) addAttention(model, `${prefix}.${stages.attention(stage, block)}`, output);
      width = output;
    }
    if (stage < multipliers.length - 1)
      model.convolution(`${prefix}.${stages.between(stage)}.conv`, [width, width, 3, 3], { bias: true });
  }
  return width;
}
