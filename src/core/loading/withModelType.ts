/**
 * A config.json without `model_type`: the Auto classes of transformers raise a ValueError for it (models/auto/configuration_auto.py, 5.24), whatever its
 * directory is called, and a class that is asked for by its name does not look at it.
 */
import { memberOf } from '../formats/text/jsonMember.js';
import type { ModelCheck } from './comparedModel.js';
import { isObject } from './tensors/readConfig.js';

/** The check of a model with what follows where nothing tells the Auto classes its type. */
export function withModelType(model: ModelCheck, config: unknown): ModelCheck {
  const type = memberOf(config, 'model_type');
  if (!isObject(config) || (type !== undefined && type !== null) || isTypedOtherwise(config)) return model;
  const { architecture, verdict } = model;
  if (architecture === null) {
    // Other libraries save a config.json of the same name.
    if (memberOf(config, 'transformers_version') === undefined || model.checked.includes('config')) return model;
    return {
      ...model,
      verdict: 'fails',
      why: 'config.json has neither model_type nor architectures, without which the Auto classes of transformers raise an error.',
      findings: [...model.findings, { code: 'model-type-missing', path: 'config.json', facts: { className: '' } }],
    };
  }
  if (!model.checked.includes('config')) return model;
  return {
    ...model,
    ...(verdict === 'loads'
      ? {
          verdict: 'loads-with-warnings',
          why: `config.json has no model_type: the Auto classes of transformers raise an error, ${architecture}.from_pretrained loads it.`,
        }
      : {}),
    findings: [...model.findings, { code: 'model-type-missing', path: 'config.json', facts: { className: architecture } }],
  };
}

/** By code of its own, or as a model of timm (utils/generic.py: is_timm_config_dict). */
function isTypedOtherwise(config: object): boolean {
  return isObject(memberOf(config, 'auto_map')) || memberOf(config, 'pretrained_cfg') !== undefined;
}
