/** XLNet: attention over relative positions, its matrices with the heads as a dimension (transformers/models/xlnet/modeling_xlnet.py). */
import type { Fields } from '../../fields.js';
import type { Architecture } from '../architecture.js';
import { readSizes } from '../configSizes.js';
import { addClassifier, headOf, labelCount } from '../modelHead.js';
import { ModelTensors } from '../tensorGroup.js';

export const xlnetFamily: Architecture = {
  modelTypes: ['xlnet'],
  name: 'XLNet',
  tensors(given) {
    const config = given.withDefaults({ vocab_size: 32_000, d_model: 1024, n_layer: 24, n_head: 16, d_inner: 4096 });
    const sizes = readSizes(config, ['vocab_size', 'd_model', 'n_layer', 'n_head', 'd_inner']);
    if (sizes === null) return null;
    const { d_model: hidden, n_layer: copies, n_head: heads } = sizes;
    const headSize = hidden / Math.max(heads, 1);
    const head = headOf(config, 'CausalLM');
    const prefix = head === 'Model' ? '' : 'transformer.';
    const layer = `${prefix}layer.N`;
    const model = new ModelTensors();
    model.parameter(`${prefix}mask_emb`, [1, 1, hidden]).embedding(`${prefix}word_embedding`, sizes.vocab_size, hidden);
    for (const name of ['q', 'k', 'v', 'o', 'r'])
      model.parameter(`${layer}.rel_attn.${name}`, [hidden, heads, headSize], { copies, kind: 'linear' });
    for (const name of ['r_r_bias', 'r_s_bias', 'r_w_bias'])
      model.parameter(`${layer}.rel_attn.${name}`, [heads, headSize], { copies, kind: 'bias' });
    model
      .parameter(`${layer}.rel_attn.seg_embed`, [2, heads, headSize], { copies })
      .norm(`${layer}.rel_attn.layer_norm`, hidden, { copies, bias: true })
      .norm(`${layer}.ff.layer_norm`, hidden, { copies, bias: true })
      .linear(`${layer}.ff.layer_1`, hidden, sizes.d_inner, { copies, bias: true })
      .linear(`${layer}.ff.layer_2`, sizes.d_inner, hidden, { copies, bias: true });
    return addHead(model, head, config, { hidden, vocabulary: sizes.vocab_size }) ? model : null;
  },
};

function addHead(
  model: ModelTensors,
  head: string,
  config: Fields,
  { hidden, vocabulary }: { hidden: number; vocabulary: number },
): boolean {
  switch (head) {
    case 'Model':
      return true;
    case 'CausalLM':
      model.head('lm_loss', vocabulary, hidden, { isTied: config.flag('tie_word_embeddings') ?? true, bias: true });
      return true;
    case 'SequenceClassification':
    case 'MultipleChoice':
      // A summary that is as wide as there are labels is none of the class's own configs.
      if (config.flag('summary_proj_to_labels') === true) return false;
      if (config.flag('summary_use_proj') ?? true) model.linear('sequence_summary.summary', hidden, hidden, { bias: true });
      addClassifier(model, head === 'MultipleChoice' ? 1 : labelCount(config), hidden, 'logits_proj');
      return true;
    case 'TokenClassification':
      addClassifier(model, labelCount(config), hidden);
      return true;
    case 'QuestionAnsweringSimple':
      addClassifier(model, labelCount(config), hidden, 'qa_outputs');
      return true;
    default:
      return false;
  }
}
