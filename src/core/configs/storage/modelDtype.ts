import type { Fields } from '../fields.js';
import type { Precision } from '../trainingPlan.js';
import { precisionOf } from '../values/precisionNames.js';

/** The dtype that the config of a model sets for its weights; of a multimodal one, that of its language model. */
export function modelDtype(fields: Fields): Precision | undefined {
  return precisionOf(fields.text('torch_dtype', 'dtype') ?? fields.at('text_config').text('torch_dtype', 'dtype'));
}
