import type { Fields } from '../../configs/fields.js';

/**
 * Whether a config of LLaMA-Factory, known by its own keys, trains nothing: it predicts or evaluates without `do_train` (llamafactory/train/*\/workflow.py), answers
 * (llamafactory-cli chat and api), or is one of a benchmark, whose `task` no training has (llamafactory/hparams/evaluation_args.py). Other programs on top of the Trainer train whatever `do_eval` says.
 */
export function trainsNothing(fields: Fields): boolean {
  if (!fields.has('finetuning_type', 'stage', 'template') || asksToTrain(fields)) return false;
  if (fields.flag('do_predict') === true || fields.flag('do_eval') === true) return true;
  return fields.has('task', 'infer_backend') && !fields.has('dataset', 'output_dir');
}

/** Whether a program that trains with `do_train` alone is asked to; also where a placeholder decides. */
export function asksToTrain(fields: Fields): boolean {
  return fields.has('do_train') && fields.flag('do_train') !== false;
}
