import type { AttentionShape, DecoderShape } from './decoderShape.js';

export interface LlamaSizes {
  vocabulary: number;
  hidden: number;
  layers: number;
  heads: number;
  keyValueHeads: number;
  /** Of the feed-forward part. */
  width: number;
  /** hidden / heads without it. */
  headSize?: number;
  isTied?: boolean;
}

/** The decoder that most open models are: rotary positions, grouped queries, SwiGLU, RMS norms, no biases. */
export function llamaShape({ headSize, isTied = false, ...sizes }: LlamaSizes): DecoderShape & { attention: AttentionShape } {
  return {
    vocabulary: sizes.vocabulary,
    hidden: sizes.hidden,
    layers: sizes.layers,
    attention: {
      kind: 'grouped',
      heads: sizes.heads,
      keyValueHeads: sizes.keyValueHeads,
      headSize: headSize ?? Math.floor(sizes.hidden / Math.max(sizes.heads, 1)),
      queryKeyValueBias: false,
      outputBias: false,
      queryKeyNorm: null,
      hasSinks: false,
    },
    feedForward: { width: sizes.width, isGated: true, hasBias: false },
    norm: { perLayer: 2, hasWeight: true, hasBias: false, hasFinal: true },
    positions: 0,
    isTied,
    headBias: false,
    experts: null,
  };
}
