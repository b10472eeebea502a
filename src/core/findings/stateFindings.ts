/** Findings of the parts of training state: what is missing, stored twice, or under another name. Facts come from files and are shown as text. */
import { defineFinding } from './defineFinding.js';
import { loadFails } from './commonWords.js';
import { counted } from '../text/quantities.js';
import { formatBytes, formatCount } from '../text/units.js';

export const stateFindings = {
  'weights-missing': defineFinding({
    severity: 'error',
    example: { file: 'model.safetensors' },
    words: ({ file }) => ({
      message: `No weights found (${file}).`,
      effect: 'There is nothing to resume from.',
      advice: 'Look for model.safetensors, its shards, or a matching DeepSpeed or FSDP directory.',
    }),
  }),
  'weights-are-placeholders': defineFinding({
    severity: 'error',
    example: { tensors: 290, tensor: 'model.layers.0.self_attn.q_proj.weight' },
    words: ({ tensors, tensor }) => ({
      message: `${counted(tensors, 'weight')} without elements, placeholders only: ${tensor}.`,
      effect:
        'Loading stops with a size mismatch. Under DeepSpeed ZeRO-3 the weights are in the optimizer shards, not in this export.',
      advice: 'Convert with zero_to_fp32.py, or save with stage3_gather_16bit_weights_on_model_save.',
    }),
  }),
  'weights-only-in-optimizer': defineFinding({
    severity: 'note',
    example: { files: 8 },
    words: ({ files }) => ({
      message: `${counted(files, 'file')} of optimizer state ${files === 1 ? 'holds' : 'hold'} the only copy of the trained weights.`,
      effect: 'Without them the model is lost: no other file has its weights.',
      advice: 'Keep them, or consolidate the model first (zero_to_fp32.py for ZeRO).',
    }),
  }),
  'zero-shards-missing': defineFinding({
    severity: 'warning',
    example: { files: 8, stage: 2 },
    words: ({ files, stage }) => ({
      message: `No optimizer state: ${files === 1 ? 'the file' : `all ${formatCount(files)} files`} of ZeRO-${stage} missing.`,
      effect: `${stage === 3 ? 'The gathered weights are the only copy, and load' : 'The weights of the model states are whole and load'}; the optimizer and its master weights restart.`,
      advice: 'To resume with the optimizer, keep the files *_optim_states.pt.',
    }),
  }),
  'zero-weights-missing': defineFinding({
    severity: 'error',
    example: { files: 8 },
    words: ({ files }) => ({
      message: `No weights: ${files === 1 ? 'the optimizer file' : `all ${formatCount(files)} optimizer files`} of ZeRO-3 missing, which held the only copy.`,
      effect: 'The model states hold placeholders. Nothing can be loaded or converted.',
      advice: 'Copy the files *_optim_states.pt from the source, or use another checkpoint.',
    }),
  }),
  'universal-files-missing': defineFinding({
    severity: 'error',
    example: { files: 1, parameters: 290, first: 'global_step500_universal/zero/lm_head.weight/fp32.pt' },
    words: ({ files, parameters, first }) => ({
      message: `${counted(files, 'file')} of the universal checkpoint (${counted(parameters, 'parameter')}) missing: ${first}.`,
      effect: 'DeepSpeed fails to load it, or leaves the parameters without a file at their initial values.',
      advice: 'Convert the source checkpoint again with ds_to_universal.py.',
    }),
  }),
  'universal-moments-missing': defineFinding({
    severity: 'warning',
    example: { files: 580, parameters: 290, first: 'global_step500_universal/zero/lm_head.weight/exp_avg.pt' },
    words: ({ files, parameters, first }) => ({
      message: `${counted(files, 'file')} of optimizer moments (${counted(parameters, 'parameter')}) missing: ${first}.`,
      effect:
        'The moments of these parameters restart at zero, or loading them fails (ZeRO-3). Parameters that never had a gradient have none.',
      advice: 'Convert the source checkpoint again with ds_to_universal.py, or load without the optimizer.',
    }),
  }),
  'distributed-optimizer-missing': defineFinding({
    severity: 'warning',
    example: { files: 8 },
    words: ({ files }) => ({
      message: `No optimizer state: ${files === 1 ? 'distrib_optim.pt is' : `all ${formatCount(files)} files distrib_optim.pt are`} missing.`,
      effect:
        'Megatron fails to load the optimizer. The weights load with --no-load-optim; the optimizer and its master weights restart.',
      advice: 'To resume with the optimizer, copy distrib_optim.pt of each rank directory.',
    }),
  }),
  'saved-optimizer-missing': defineFinding({
    severity: 'warning',
    example: { argument: 'no_save_optim' },
    words: ({ argument }) => ({
      message: `No optimizer state, although the saved arguments do not set ${argument}.`,
      effect:
        'It was removed, or lost. Megatron fails to load the optimizer. The weights load with --no-load-optim; the optimizer and its master weights restart.',
      advice: 'Copy the optimizer state from the source, or use another checkpoint.',
    }),
  }),
  'optimizer-missing': defineFinding({
    severity: 'warning',
    example: null,
    words: () => ({
      message: 'No optimizer state (optimizer.pt).',
      effect: 'The optimizer restarts.',
      advice: 'To resume from later checkpoints, save without save_only_model.',
    }),
  }),
  'optimizer-lost': defineFinding({
    severity: 'warning',
    example: { other: 'step-500' },
    words: ({ other }) => ({
      message: `No optimizer state, which ${other} has.`,
      effect: 'A job that resumes here has the weights alone: the optimizer restarts, or loading fails.',
      advice: `Copy the state from the source, or resume from ${other}.`,
    }),
  }),
  'scheduler-missing': defineFinding({
    severity: 'warning',
    example: null,
    words: () => ({
      message: 'No LR scheduler state (scheduler.pt).',
      effect: 'The learning-rate schedule restarts.',
      advice: 'Copy scheduler.pt to this directory.',
    }),
  }),
  'rng-missing': defineFinding({
    severity: 'warning',
    example: null,
    words: () => ({
      message: 'No RNG state (rng_state.pth).',
      effect: 'A resumed run draws other random numbers than an uninterrupted one.',
      advice: 'Copy rng_state.pth, or one rng_state file per rank, to this directory.',
    }),
  }),
  'rng-rank-missing': defineFinding({
    severity: 'warning',
    example: { files: 1, worldSize: 8, first: 'rng_state_3.pth' },
    words: ({ files, worldSize, first }) => ({
      message: `RNG state of ${formatCount(files)} of ${counted(worldSize, 'rank')} missing: ${first}.`,
      effect: 'These ranks draw other random numbers after a restart than an uninterrupted run. All else resumes.',
      advice: 'Copy the file from the node that saved it, if each node saves to its own disk.',
    }),
  }),
  'trainer-state-missing': defineFinding({
    severity: 'warning',
    example: null,
    words: () => ({
      message: 'No trainer_state.json.',
      effect: 'Trainer cannot resume: step, epoch and data position are unknown.',
      advice: 'Copy trainer_state.json to this directory.',
    }),
  }),
  'trainer-state-lost': defineFinding({
    severity: 'error',
    example: null,
    words: () => ({
      message: 'No trainer_state.json beside the optimizer state.',
      effect: 'Trainer reads it first and fails without it. The weights load by themselves.',
      advice: 'Copy trainer_state.json from where the checkpoint was saved.',
    }),
  }),
  'optimizer-unmatched': defineFinding({
    severity: 'note',
    example: { unmatched: 2, total: 290 },
    words: ({ unmatched, total }) => ({
      message: `${formatCount(unmatched)} of ${formatCount(total)} optimizer entries match no weight.`,
      effect: 'They are counted, but not named.',
      advice: 'No action needed: torch stores numbers instead of names.',
    }),
  }),
  'moments-missing': defineFinding({
    severity: 'warning',
    example: { without: 3, parameters: 21 },
    words: ({ without, parameters }) => ({
      message: `${formatCount(without)} of ${counted(parameters, 'parameter')} of the optimizer have no moments.`,
      effect: 'Their moments restart at zero on resume. Parameters that never had a gradient have none either.',
      advice: 'Compare with another checkpoint of the run: the optimizer state may have been cut.',
    }),
  }),
  'weights-without-moments': defineFinding({
    severity: 'note',
    example: { without: 3, weights: 21 },
    words: ({ without, weights }) => ({
      message: `${formatCount(without)} of ${counted(weights, 'weight')} have no moments.`,
      effect: 'They were frozen, or their moments are not here and restart at zero.',
      advice: 'Compare with the parameters that the run trains.',
    }),
  }),
  'optimizer-of-other-model': defineFinding({
    severity: 'error',
    example: { other: 280, total: 290, shape: '4096 × 4096' },
    words: ({ other, total, shape }) => ({
      message: `Optimizer state of another model: ${formatCount(other)} of ${counted(total, 'moment')} have shapes that no weight here is left for (${shape}).`,
      effect: 'Loading the optimizer, or the first step after it, fails. The weights load by themselves.',
      advice:
        'Compare with another checkpoint of the run: the weights or the optimizer state were replaced, or a model is missing.',
    }),
  }),
  'config-sizes-differ': defineFinding({
    severity: 'error',
    example: { what: 'hidden size', config: 4_096, stored: 2_048 },
    words: ({ what, config, stored }) => ({
      message: `The config is of another model: its ${what} is ${formatCount(config)}, that of the weights ${formatCount(stored)}.`,
      effect: 'Loading the weights by this config fails, or leaves weights out or random.',
      advice: 'Copy config.json from where the weights are from, or the weights of this config.',
    }),
  }),
  'tensors-absent': defineFinding({
    severity: 'error',
    example: { absent: 1, tensor: 'model.layers.1.mlp.up_proj.weight' },
    words: ({ absent, tensor }) => ({
      message: `${absent === 1 ? 'A tensor of the model is' : `${formatCount(absent)} tensors of the model are`} in no file: ${tensor}${absent === 1 ? '' : ' and others'}.`,
      effect:
        'transformers fills it with random numbers and only logs a warning; other loaders stop. What was trained in it is lost: the model loads, but a run does not go on from where it was.',
      advice: 'Save or convert the model again, or copy the file that has it.',
    }),
  }),
  'task-head-absent': defineFinding({
    severity: 'warning',
    example: { absent: 1, tensor: 'score.weight', architecture: 'LlamaForSequenceClassification' },
    words: ({ absent, tensor, architecture }) => ({
      message: `The output layer of ${architecture} is in no file: ${counted(absent, 'tensor')} (${tensor}).`,
      effect:
        'transformers makes a new one with random numbers, and logs a warning: its answers mean nothing until it is trained.',
      advice: 'Train it, as where a base model is the beginning; else save the model again with its output layer.',
    }),
  }),
  'deepspeed-of-other-model': defineFinding({
    severity: 'error',
    example: { other: 280, total: 290, name: 'model.embed_tokens.weight', shape: '32000 × 4096' },
    words: ({ other, total, name, shape }) => ({
      message: `DeepSpeed’s state is of another model: ${formatCount(other)} of ${counted(total, 'parameter')} have names and shapes that no weight here has (${name}, ${shape}).`,
      effect: 'Resuming loads DeepSpeed’s state in place of the weights: it fails, or continues another model.',
      advice: 'Compare with another checkpoint of the run, and copy the directory of the tag or the weights from there.',
    }),
  }),
  'prompt-encoder-unsaved': defineFinding({
    severity: 'warning',
    example: { kind: 'P_TUNING' },
    words: ({ kind }) => ({
      message: `The adapter (${kind}) has the output of its encoder, not the weights that are trained.`,
      effect: 'Inference needs no more. A resumed run starts with a new encoder, and its optimizer state is of the old one.',
      advice: 'Save the state of the whole model if the run is to be resumed.',
    }),
  }),
  'content-not-its-role': defineFinding({
    severity: 'error',
    example: { role: 'optimizer state', content: 'a scheduler' },
    words: ({ role, content }) => ({
      message: `The file name means ${role}, the file contains ${content}.`,
      effect: loadFails,
      advice: 'Compare with another checkpoint of the run: two files may have been swapped, or one copied over the other.',
    }),
  }),
  'weights-differ': defineFinding({
    severity: 'note',
    example: { first: 'model.safetensors', second: 'pytorch_model.bin', differing: 8, compared: 8 },
    words: ({ first, second, differing, compared }) => ({
      message: `${first} and ${second} have tensors of the same names and shapes with different values: ${formatCount(differing)} of ${formatCount(compared)} compared tensors differ.`,
      effect: 'They are two models or two saves. A loader takes one of them, which may not be the one that is meant.',
      advice: 'Keep models in directories of their own.',
    }),
  }),
  'checkpoint-copied': defineFinding({
    severity: 'note',
    example: { original: 'checkpoint-1000', bytes: 16_060_522_496, files: 8, compared: 8 },
    words: ({ original, bytes, files, compared }) => ({
      message: `This is a copy of ${original}: ${counted(files, 'file')} of the same names, with the same bytes at some places of ${compared === files ? 'each' : formatCount(compared)}.`,
      effect: `It takes ${formatBytes(bytes)} beside the original, and has nothing that the original does not have.`,
      advice:
        bytes === 0
          ? 'It shares the files of the original: nothing to do.'
          : `Compare the two by checksum. If they are equal, removing the copy frees ${formatBytes(bytes)}.`,
    }),
  }),
  'weights-stored-twice': defineFinding<{
    bytes: number;
    what: string;
    setting: string | null;
    compared: number;
    tensors: number;
  }>({
    severity: 'note',
    example: {
      bytes: 16_060_522_496,
      what: 'weights and optimizer shards',
      setting: 'save_only_model',
      compared: 8,
      tensors: 291,
    },
    words: ({ bytes, what, setting, compared, tensors }) => ({
      message:
        compared === 0
          ? `${formatBytes(bytes)} duplicated by name: ${what}. Values were not compared.`
          : `${formatBytes(bytes)} duplicated: ${what}. ${formatCount(compared)} of ${formatCount(tensors)} tensors compared by sampled bytes: all equal.`,
      effect:
        compared === 0
          ? 'If their values agree, one copy is enough.'
          : compared < tensors
            ? 'If the other tensors are equal as well, one copy is enough.'
            : 'One copy is enough.',
      advice:
        setting === null
          ? 'No action needed if both are intended. Otherwise keep the copy that your loader uses.'
          : `Change the framework’s setting: ${setting}.`,
    }),
  }),
  'tied-weights-stored-twice': defineFinding({
    severity: 'note',
    example: { tensor: 'lm_head.weight', bytes: 1_050_673_152 },
    words: ({ tensor, bytes }) => ({
      message: `${formatBytes(bytes)} of ${tensor}, which the config ties to the input embedding. Values were not compared.`,
      effect: 'Loaders that follow the config overwrite it with the embedding, whatever it holds.',
      advice:
        'Save with the framework’s save_pretrained, which omits it. If it was trained apart, set tie_word_embeddings to false.',
    }),
  }),
  'model-beside-adapter': defineFinding<{ adapter: string; modelBytes: number; adapterBytes: number; base: string | null }>({
    severity: 'warning',
    example: {
      adapter: 'adapter_model.safetensors',
      modelBytes: 16_060_522_496,
      adapterBytes: 167_832_240,
      base: 'meta-llama/Llama-3.1-8B',
    },
    words: ({ adapter, modelBytes, adapterBytes, base }) => ({
      message: `A model of ${formatBytes(modelBytes)} beside an adapter of ${formatBytes(adapterBytes)} (${adapter}).`,
      effect: `Loaders take one of them: with peft installed, transformers applies the adapter to ${base ?? 'the base model that adapter_config.json names'}, not to these weights. The totals count both.`,
      advice: 'Keep the model and the adapter in directories of their own.',
    }),
  }),
  'other-model-beside': defineFinding<
    { of: string } & ({ what: 'embedding'; own: string; other: string } | { what: 'elements'; own: number; other: number })
  >({
    severity: 'note',
    example: { of: 'model.safetensors', what: 'embedding', own: '50257 × 768', other: '32000 × 4096' },
    words: (difference) => ({
      message:
        difference.what === 'embedding'
          ? `Another model than ${difference.of}: its token embedding is ${difference.other}, not ${difference.own}.`
          : `Another model than ${difference.of}: ${counted(difference.other, 'element')} of weights, not ${formatCount(difference.own)}.`,
      effect: 'Its parameters are not counted with those of the model.',
      advice: 'Keep the two models in directories of their own.',
    }),
  }),
  'base-model-elsewhere': defineFinding({
    severity: 'note',
    example: { base: 'meta-llama/Llama-3.1-8B' },
    words: ({ base }) => ({
      message: `Adapter weights only; the base model is ${base}.`,
      effect: 'The adapter cannot be used without the base model.',
      advice: 'Keep the base model, or merge the adapter into it.',
    }),
  }),
};
