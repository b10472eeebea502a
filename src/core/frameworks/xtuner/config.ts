/** Configs of xtuner by mmengine (xtuner/configs/*, xtuner/model/sft.py at b934f46; mmengine/hooks/checkpoint_hook.py): names at the top level, and calls within `dict(…)`. */
import { adapterOf } from '../../configs/plans/adapterPlan.js';
import type { ConfigKind, ModelSource } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import { completePlan } from '../../configs/plans/completePlan.js';
import { planOf } from '../../configs/plans/planOf.js';
import type { AdapterPlan, PlanNote, TrainingPlan } from '../../configs/trainingPlan.js';
import { optimizerPlan } from '../../configs/values/optimizerNames.js';
import { positive } from '../../configs/values/positive.js';

export const xtuner: ConfigKind = {
  id: 'xtuner',
  match: ({ document }) => document.syntax === 'python' && document.programs.includes('xtuner'),
  read({ fields }) {
    const notes: PlanNote[] = [];
    return { model: modelOf(fields), plan: completePlan(planFrom(fields, notes)) };
  },
};

/** Classes that save the language model that is named, and nothing beside it. DPO's has the reference too, unless an adapter is trained; a reward model has another head. */
function modelOf(fields: Fields): ModelSource | null {
  const name = fields.text('pretrained_model_name_or_path');
  const type = fields.text('model_class') ?? 'SupervisedFinetune';
  const isPlain = ['SupervisedFinetune', 'ORPO'].includes(type) || (type === 'DPO' && fields.has('lora'));
  return name === undefined || !isPlain ? null : { kind: 'named', name, key: 'pretrained_model_name_or_path' };
}

/** A step of the plan is an iteration, a batch of each rank, as the interval counts these: several are one step of the optimizer. */
function planFrom(fields: Fields, notes: PlanNote[]): TrainingPlan {
  const interval = positive(fields.signedInteger('save_steps'));
  const kept = fields.signedInteger('save_total_limit');
  if (interval === undefined) notes.push('saves-at-end');
  notes.push('engine-of-launcher');
  return planOf({
    // `xtuner train CONFIG --deepspeed deepspeed_zero2` in all of its documentation; without a choice its trainer warns.
    writer: 'deepspeed',
    steps: positive(fields.integer('max_iters')),
    epochs: positive(fields.number('max_epochs')),
    saveIntervalSteps: interval,
    keep: kept !== undefined && kept > 0 ? kept : null,
    // `save_last` of the hook.
    lastSave: 'all',
    sequenceLength: positive(fields.integer('max_length')),
    microBatch: positive(fields.integer('batch_size')),
    precision: 'bf16',
    ...optimizerPlan(fields.text('optim_type') ?? 'AdamW'),
    adapter: adapterFrom(fields),
    loadBits: loadBitsOf(fields.at('quantization_config')),
    notes,
  });
}

/** All linear modules but heads of two names where none are named, so that InternLM2's `output` is one (find_all_linear_names in xtuner/model/utils.py). */
function adapterFrom(fields: Fields): AdapterPlan | undefined {
  if (!fields.has('lora')) return undefined;
  const keys = {
    rank: ['r'],
    alpha: ['lora_alpha'],
    targets: ['target_modules'],
    saved: ['modules_to_save'],
    dora: ['use_dora'],
  };
  const adapter = adapterOf(fields.at('lora'), keys, { rank: 8, targets: ['all-linear'] });
  return adapter.targets.includes('all-linear') ? { ...adapter, sparedHeads: ['lm_head', 'output_layer'] } : adapter;
}

function loadBitsOf(quantization: Fields): 4 | 8 | undefined {
  if (quantization.flag('load_in_4bit') === true) return 4;
  return quantization.flag('load_in_8bit') === true ? 8 : undefined;
}
