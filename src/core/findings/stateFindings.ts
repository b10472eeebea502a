/** Findings of the parts of training state: what is missing, stored twice, or under another name. Facts come from files and are shown as text. */
import { defineFinding } from './defineFinding.js';
import { loadFails } from './commonWords.js';
import { formatCount, formatExactBytes } from '../text/units.js';

export const stateFindings = {
  'weights-missing': defineFinding({
    severity: 'error',
    example: { file: 'model.safetensors' },
    words: ({ file }) => ({
      message: `There are no weights here (${file}).`,
      effect: 'There is nothing to continue from.',
      advice: 'Look for model.safetensors, its shards, or a DeepSpeed or FSDP directory that belongs to it.',
    }),
  }),
  'weights-are-placeholders': defineFinding({
    severity: 'error',
    example: { tensors: 290 },
    words: ({ tensors }) => ({
      message: `${formatCount(tensors)} weights have no elements: they are placeholders.`,
      effect: 'The real weights lie in the optimizer shards; this export holds nothing.',
      advice: 'Convert with zero_to_fp32.py, or save with stage3_gather_16bit_weights_on_model_save.',
    }),
  }),
  'optimizer-missing': defineFinding({
    severity: 'warning',
    example: null,
    words: () => ({
      message: 'There is no optimizer state (optimizer.pt).',
      effect: 'The weights can be loaded, but the optimizer would start again.',
      advice: 'If training is to go on from here, save without save_only_model.',
    }),
  }),
  'scheduler-missing': defineFinding({
    severity: 'warning',
    example: null,
    words: () => ({
      message: 'There is no scheduler state (scheduler.pt).',
      effect: 'The learning rate would start its schedule again.',
      advice: 'Copy scheduler.pt as well.',
    }),
  }),
  'rng-missing': defineFinding({
    severity: 'warning',
    example: null,
    words: () => ({
      message: 'There is no random state (rng_state.pth).',
      effect: 'A resumed run draws other random numbers than an unbroken one would.',
      advice: 'Copy rng_state.pth, or one rng_state file for each rank, as well.',
    }),
  }),
  'trainer-state-missing': defineFinding({
    severity: 'warning',
    example: null,
    words: () => ({
      message: 'There is no trainer_state.json.',
      effect: 'Trainer cannot resume from here: step, epoch and data position are not known.',
      advice: 'Copy trainer_state.json as well.',
    }),
  }),
  'optimizer-unmatched': defineFinding({
    severity: 'note',
    example: { unmatched: 2, total: 290 },
    words: ({ unmatched, total }) => ({
      message: `${formatCount(unmatched)} of ${formatCount(total)} entries of the optimizer state could not be matched to a weight.`,
      effect: 'They are counted, but not named.',
      advice: 'Nothing to do: torch stores numbers instead of names.',
    }),
  }),
  'content-not-its-role': defineFinding({
    severity: 'error',
    example: { role: 'optimizer state', content: 'a scheduler' },
    words: ({ role, content }) => ({
      message: `By its name this is ${role}, but it holds ${content}.`,
      effect: loadFails,
      advice: 'Two files may have been exchanged or renamed: compare with another checkpoint of the run.',
    }),
  }),
  'weights-stored-twice': defineFinding<{ bytes: number; what: string; setting: string | null }>({
    severity: 'note',
    example: { bytes: 16_060_522_496, what: 'weights and optimizer shards', setting: 'save_only_model' },
    words: ({ bytes, what, setting }) => ({
      message: `${formatExactBytes(bytes)} are stored more than once: ${what}.`,
      effect: 'One copy would do.',
      advice:
        setting === null
          ? 'Where both are written on purpose there is nothing to do; else keep the one that your loader uses.'
          : `The framework’s setting for it is ${setting}.`,
    }),
  }),
  'tied-weights-stored-twice': defineFinding({
    severity: 'note',
    example: { tensor: 'lm_head.weight', bytes: 1_050_673_152 },
    words: ({ tensor, bytes }) => ({
      message: `${tensor} is tied to the input embedding by the config, but stored again: ${formatExactBytes(bytes)}.`,
      effect: 'It is overwritten when the model is tied after loading.',
      advice: 'Save with the framework’s own save_pretrained, which drops it.',
    }),
  }),
  'base-model-elsewhere': defineFinding({
    severity: 'note',
    example: { base: 'meta-llama/Llama-3.1-8B' },
    words: ({ base }) => ({
      message: `These are an adapter's weights only; the base model is ${base}.`,
      effect: 'The adapter cannot be used without it.',
      advice: 'Keep the base model, or merge the adapter into it.',
    }),
  }),
};
