/** `model.safetensors.index.json` (huggingface_hub/serialization): which tensor is in which file, and sums that may be there. */
import type { ConfigAccess, ConfigFile, ConfigKind, ModelSource } from '../../configs/configKind.js';

export const safetensorsIndex: ConfigKind = {
  id: 'safetensors-index',
  match: ({ document, fields }) =>
    document.syntax === 'json' && fields.has('weight_map') && fields.at('weight_map').keys.length > 0,
  read: async (file, access) => ({ model: await modelOf(file, access), plan: { savesOptimizer: false } }),
};

/** The config beside it tells more than the sum; sums of some writers count a tied head twice. */
async function modelOf({ fields }: ConfigFile, access: ConfigAccess): Promise<ModelSource | null> {
  const beside = await access.open('config.json');
  if (beside?.fields.has('model_type') === true)
    return { kind: 'fields', fields: beside.fields, origin: { kind: 'file', path: beside.path } };
  const parameters = fields.at('metadata').integer('total_parameters');
  return parameters === undefined || parameters === 0 ? null : { kind: 'counted', parameters, name: 'safetensors' };
}
