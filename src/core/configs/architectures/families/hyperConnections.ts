/** Several streams of hidden states that are mixed before each part (mHC, arXiv 2512.24880). */
import type { DecoderSizes } from '../sizes.js';
import type { ModelTensors } from '../tensorGroup.js';

interface StreamMixes {
  streams: number;
  mixes: number;
  scales: number;
}

export function addStreamMixes(
  model: ModelTensors,
  { hidden, layers: copies }: DecoderSizes,
  { streams, mixes, scales }: StreamMixes,
): void {
  for (const part of ['attn_hc', 'ffn_hc'])
    model
      .parameter(`model.layers.N.${part}.fn`, [mixes, streams * hidden], { copies })
      .parameter(`model.layers.N.${part}.base`, [mixes], { copies })
      .parameter(`model.layers.N.${part}.scale`, [scales], { copies });
}
