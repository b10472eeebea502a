/** Dory: normalised states (nGPT, arXiv 2410.01131), some of whose layers a token passes several times (transformers/models/dory/modeling_dory.py). */
import type { Fields } from '../../fields.js';
import { attentionBias, type DecoderEntry, type DecoderTraits } from '../decoderEntry.js';
import { type DecoderSizes, isOn, layerNames, size } from '../sizes.js';

const layer = 'model.layers.N';

/** Saved configs list attention and the feed-forward part of a layer as two; the class joins them again (configuration_dory.py, to_dict). */
function layersOf(config: Fields): number {
  const listed = size(config, ...layerNames) ?? NaN;
  return config.texts('layer_types')?.includes('mlp') === true ? Math.floor(listed / 2) : listed;
}

/** Learned scales in place of norms. */
function traits(config: Fields, { vocabulary, hidden, layers: copies, heads, headSize, width }: DecoderSizes): DecoderTraits {
  return {
    ...attentionBias(config),
    gate: 'number',
    feedForwardBias: isOn(config, 'mlp_bias'),
    norms: [],
    hasFinalNorm: false,
    add: (model) => {
      for (const name of ['lambda_1', 'lambda_2']) model.parameter(`${layer}.${name}`, [hidden], { copies });
      for (const name of ['sqk', 's_gate']) model.parameter(`${layer}.self_attn.${name}`, [heads * headSize], { copies });
      for (const name of ['suv_gate', 'suv_up']) model.parameter(`${layer}.mlp.${name}`, [width], { copies });
      model.parameter('lm_head.logit_scale', [vocabulary]);
    },
  };
}

export const doryFamily: DecoderEntry = { modelTypes: ['dory'], name: 'Dory', layers: layersOf, traits };
