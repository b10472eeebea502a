/** BLIP-2's Q-Former: learned questions to what a tower has seen (transformers/models/blip_2/modeling_blip_2.py, Blip2QFormerModel). */
import type { ModelTensors } from '../tensorGroup.js';

interface QuestionerShape {
  hidden: number;
  /** Of the tower. */
  states: number;
  layers: number;
  width: number;
  /** Every so many layers one attends to the tower. */
  frequency: number;
  /** How many of these there are. */
  copies?: number;
}

export function addQuestioner(model: ModelTensors, prefix: string, shape: QuestionerShape): void {
  const { hidden, states, layers, width, frequency, copies: times = 1 } = shape;
  const copies = times * layers;
  const crossed = times * Math.ceil(layers / Math.max(frequency, 1));
  const layer = `${prefix}.encoder.layer.N`;
  model.norm(`${prefix}.layernorm`, hidden, { copies: times, bias: true });
  for (const [module, count, inputs] of [['attention', copies, hidden] as const, ['crossattention', crossed, states] as const])
    model
      .linear(`${layer}.${module}.attention.query`, hidden, hidden, { copies: count, bias: true })
      .linear(`${layer}.${module}.attention.key`, inputs, hidden, { copies: count, bias: true })
      .linear(`${layer}.${module}.attention.value`, inputs, hidden, { copies: count, bias: true })
      .linear(`${layer}.${module}.output.dense`, hidden, hidden, { copies: count, bias: true })
      .norm(`${layer}.${module}.output.LayerNorm`, hidden, { copies: count, bias: true });
  model
    .linear(`${layer}.intermediate_query.dense`, hidden, width, { copies, bias: true })
    .linear(`${layer}.output_query.dense`, width, hidden, { copies, bias: true })
    .norm(`${layer}.output_query.LayerNorm`, hidden, { copies, bias: true });
}
