/** Scripts over the Trainer that are much copied, by what their own arguments mean: LLaVA (llava/train/train.py), QLoRA (qlora.py), ChatGLM's P-tuning (ptuning/main.py). */
import type { ConfigDocument } from '../../configs/document/configNode.js';
import type { Fields } from '../../configs/fields.js';
import type { AdapterPlan } from '../../configs/trainingPlan.js';
import { givenRank } from '../../configs/plans/adapterPlan.js';
import { positive } from '../../configs/values/positive.js';

/** Both adapt all linear layers with a rank of 64 unless another one is set. */
const usualRank = 64;

/** Undefined where none of them is meant. */
export function adapterOfOtherScripts({ programs }: Pick<ConfigDocument, 'programs'>, fields: Fields): AdapterPlan | undefined {
  if (fields.flag('lora_enable') === true) return onAllLayers(fields);
  if (isQlora(programs)) return fields.flag('full_finetune') === true ? undefined : onAllLayers(fields);
  // A prefix, or the projector between two models: nothing else is trained or saved.
  const isPart = positive(fields.integer('pre_seq_len')) !== undefined || fields.flag('tune_mm_mlp_adapter') === true;
  return isPart ? { kind: 'other', rank: 0, targets: [] } : undefined;
}

function onAllLayers(fields: Fields): AdapterPlan {
  const alpha = fields.number('lora_alpha');
  return {
    kind: 'lora',
    ...givenRank(positive(fields.integer('lora_r')), usualRank),
    targets: ['all-linear'],
    ...(alpha === undefined ? {} : { alpha }),
  };
}

/** Bits of a base model's weights (`--bits 4`), which QLoRA's script has unless another number is set. */
export function bitsOfOtherScripts({ programs }: Pick<ConfigDocument, 'programs'>, fields: Fields): 4 | 8 | undefined {
  if (!isQlora(programs) && !fields.has('lora_enable')) return undefined;
  const bits = fields.integer('bits') ?? (isQlora(programs) && fields.flag('full_finetune') !== true ? 4 : 16);
  return bits === 4 || bits === 8 ? bits : undefined;
}

function isQlora(programs: readonly string[]): boolean {
  return programs.some((program) => /(?:^|\/)qlora\.py$/.test(program));
}

/** Names a file of the layers that Spectrum trains (arXiv 2406.06623), which alone says which they are. */
export const partlyTrainedKey = 'spectrum_config_path';
