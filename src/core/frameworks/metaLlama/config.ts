/** Meta's `params.json` (llama_models/datatypes.py, ModelArgs; the feed-forward width as in FeedForward of model.py). */
import type { ConfigKind } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import { llamaShape } from '../../configs/architectures/llamaShape.js';

export const metaParams: ConfigKind = {
  id: 'meta-params',
  match: ({ document, fields }) =>
    document.syntax === 'json' && fields.has('dim') && fields.has('n_layers') && fields.has('n_heads'),
  read({ fields }) {
    const hidden = fields.integer('dim');
    const layers = fields.integer('n_layers');
    const heads = fields.integer('n_heads');
    const vocabulary = fields.integer('vocab_size');
    if (hidden === undefined || layers === undefined || heads === undefined || vocabulary === undefined)
      return { model: null, plan: {} };
    const shape = llamaShape({
      hidden,
      layers,
      heads,
      vocabulary,
      keyValueHeads: fields.integer('n_kv_heads') ?? heads,
      width: fields.integer('hidden_dim') ?? feedForwardWidth(hidden, fields),
    });
    return { model: { kind: 'shape', shape, name: 'Llama' }, plan: {} };
  },
};

/** Two thirds of four times the hidden size, times a factor, rounded up to a multiple. */
export function feedForwardWidth(hidden: number, fields: Fields): number {
  const multiple = Math.max(fields.integer('multiple_of') ?? 256, 1);
  const width = Math.floor(Math.floor((2 * 4 * hidden) / 3) * (fields.number('ffn_dim_multiplier') ?? 1));
  return multiple * Math.ceil(width / multiple);
}
