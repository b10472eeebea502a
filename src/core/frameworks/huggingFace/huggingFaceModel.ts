/** `config.json` of a Hugging Face model: `model_type` names the architecture, the rest its sizes. */
import type { ConfigKind } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';

export const huggingFaceModel: ConfigKind = {
  id: 'huggingface-model',
  match: ({ document, fields }) => document.syntax === 'json' && fields.has('model_type', 'architectures') && hasSizes(fields),
  read: ({ fields }) => ({ model: { kind: 'fields', fields }, plan: {} }),
};

/**
 * Other programs' files have `architectures` too (profiles of seccomp list processors there, mergekit's templates of layers models): a config has a size of its own or of a
 * part.
 */
function hasSizes(fields: Fields): boolean {
  return fields.keys.some((key) => sizeName.test(key) || (partName.test(key) && fields.at(key).keys.length > 0));
}

const sizeName =
  /^(?:\w*_)?(?:hidden_sizes?|d_model|n_embd|n_embed|embed_dims?|dim|d_embed|embedding_size|width|n_layers?|num_layers|num_hidden_layers|num_blocks|depths?|layers|vocab_size|intermediate_size|ffn_dim|n_heads?|num_heads|num_attention_heads|attention_heads)$/;
const partName = /_config$|^(?:encoder|decoder|generator|discriminator|ssm_cfg|attn_config|prior|vae|unet)$/;
