/** Parts of a multimodal model that ms-swift freezes: what reads images, and its projector, unless that is set (swift/arguments/tuner_args.py, swift/megatron/arguments/megatron_args.py). */
import type { ModelPart } from '../../configs/architectures/modelParts.js';
import type { Fields } from '../../configs/fields.js';

export function frozenParts(fields: Fields): ModelPart[] {
  return [
    ...(fields.flag('freeze_llm') === true ? (['language'] as const) : []),
    ...(fields.flag('freeze_vit') === false ? [] : (['tower'] as const)),
    ...(fields.flag('freeze_aligner') === false ? [] : (['projector'] as const)),
  ];
}
