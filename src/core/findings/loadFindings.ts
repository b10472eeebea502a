/** Findings of what a loader puts together: tokenizer, generation settings, chat template, adapter and the tensors. Facts are shown as text. */
import { defineFinding } from './defineFinding.js';
import { counted } from '../text/quantities.js';
import { formatCount } from '../text/units.js';

const outOfRange = 'The embedding fails with an index out of range, on a GPU with a device-side assert.';
const enlarge = 'Load the tokenizer that was trained with this model, or call resize_token_embeddings and train the new rows.';

export const loadFindings = {
  'tokenizer-refused': defineFinding({
    severity: 'error',
    example: { detail: 'ids are whole numbers from 0 to 4,294,967,295, and one of the vocabulary is -1' },
    words: ({ detail }) => ({
      message: `No tokenizer can be made of the file: ${detail}.`,
      effect: 'transformers raises an error while it makes the tokenizer. The model loads without it.',
      advice: 'Copy the tokenizer of this model again.',
    }),
  }),
  'tokenizer-vocabulary-missing': defineFinding({
    severity: 'error',
    example: { className: 'TokenizersBackend', isRefused: true },
    words: ({ className, isRefused }) => ({
      message: `No vocabulary is here for ${className}: no tokenizer.json, and no file of an older form.`,
      effect: isRefused
        ? 'transformers raises an error for the tokenizer. The model loads without it.'
        : 'transformers makes a tokenizer of special tokens alone, without a warning: no text has ids of words.',
      advice: 'Copy the files of the tokenizer again.',
    }),
  }),
  'tokenizer-vocabulary-empty': defineFinding({
    severity: 'error',
    example: { isRefused: true },
    words: ({ isRefused }) => ({
      message: 'The file has no vocabulary.',
      effect: isRefused
        ? 'transformers raises an error for the tokenizer. The model loads without it.'
        : 'transformers makes a tokenizer of special tokens alone, without a warning: no text has ids of words.',
      advice: 'Copy the files of the tokenizer again.',
    }),
  }),
  'weights-under-other-name': defineFinding({
    severity: 'error',
    example: { isSafetensors: true },
    words: ({ isSafetensors }) => ({
      message: 'transformers does not open files of this name.',
      effect: `from_pretrained raises an OSError: it looks for model.safetensors, pytorch_model.bin and their indexes.${isSafetensors ? ' vLLM reads any *.safetensors.' : ''}`,
      advice: `Rename the file to ${isSafetensors ? 'model.safetensors, or set transformers_weights in config.json to its name' : 'pytorch_model.bin'}.`,
    }),
  }),
  'model-type-missing': defineFinding({
    severity: 'warning',
    example: { className: 'LlamaForCausalLM' },
    words: ({ className }) => ({
      message: 'The config has no model_type.',
      effect: `The Auto classes of transformers raise a ValueError.${className === '' ? '' : ` ${className}.from_pretrained loads the model.`}`,
      advice: 'Set model_type as the config class of the model has it, or save the config with save_pretrained.',
    }),
  }),
  'index-part-missing': defineFinding({
    severity: 'error',
    example: { part: 'metadata' },
    words: ({ part }) => ({
      message: `The index has no ${part}.`,
      effect: `from_pretrained of transformers raises ${part.startsWith('entry') ? 'an IndexError' : 'a KeyError'} before it opens a shard.`,
      advice:
        part === 'metadata'
          ? 'Add "metadata": {} to the index.'
          : 'Write the index again, or save the model with save_pretrained.',
    }),
  }),
  'weights-refused': defineFinding({
    severity: 'error',
    example: { global: 'transformers.models.llama.modeling_llama.LlamaForCausalLM' },
    words: ({ global }) => ({
      message: `Not plain tensors: the pickle names ${global}.`,
      effect: 'torch.load with weights_only=True, as transformers calls it, raises an UnpicklingError.',
      advice: 'Save state_dict() in place of the model, best with save_pretrained. Open this file only where you trust it.',
    }),
  }),
  'weights-of-variant': defineFinding({
    severity: 'warning',
    example: { variant: 'fp16' },
    words: ({ variant }) => ({
      message: `The weights are those of the variant ${variant}, and there are no others.`,
      effect: 'from_pretrained raises an OSError where it is not asked for the variant.',
      advice: `Load the model with variant="${variant}".`,
    }),
  }),
  'tokenizer-beyond-embedding': defineFinding({
    severity: 'error',
    example: { tokens: 128_256, rows: 32_000, tensor: 'model.embed_tokens.weight' },
    words: ({ tokens, rows, tensor }) => ({
      message: `The tokenizer has ${formatCount(tokens)} ids, the embedding ${formatCount(rows)} rows (${tensor}).`,
      effect: `Ordinary text has ids beyond the rows. ${outOfRange}`,
      advice: 'Copy the tokenizer of this model again: this one is of another model.',
    }),
  }),
  'added-tokens-beyond-embedding': defineFinding({
    severity: 'warning',
    example: { tokens: 1, first: '[PAD]', id: 32_000, rows: 32_000 },
    words: ({ tokens, first, id, rows }) => ({
      message: `${counted(tokens, 'added token')} beyond the ${formatCount(rows)} rows of the embedding: ${first} is ${formatCount(id)}.`,
      effect: `Text with ${tokens === 1 ? 'it' : 'one of them'} fails, such as a padded batch. ${outOfRange}`,
      advice: enlarge,
    }),
  }),
  'special-id-beyond-embedding': defineFinding({
    severity: 'warning',
    example: { key: 'eos_token_id', id: 128_009, rows: 128_000 },
    words: ({ key, id, rows }) => ({
      message: `${key} is ${formatCount(id)}, and the embedding has ${formatCount(rows)} rows.`,
      effect: `A sequence with this id fails. ${outOfRange}`,
      advice: `Set ${key} to an id of the tokenizer, or null.`,
    }),
  }),
  'padding-id-refused': defineFinding({
    severity: 'error',
    example: { id: 32_000, vocabulary: 32_000, modelType: 'llama' },
    words: ({ id, vocabulary, modelType }) => ({
      message: `pad_token_id is ${formatCount(id)}, beyond vocab_size (${formatCount(vocabulary)}).`,
      effect: `transformers fails to make the ${modelType} model: "Padding_idx must be within num_embeddings".`,
      advice: 'Set pad_token_id to an id below vocab_size, or to null.',
    }),
  }),
  'generation-settings-refused': defineFinding({
    severity: 'error',
    example: { setting: 'num_return_sequences', value: '3', rule: '1 without do_sample or beams' },
    words: ({ setting, value, rule }) => ({
      message: `${setting} is ${value}, and has to be ${rule}.`,
      effect: 'transformers raises a ValueError while it loads the model.',
      advice: `Correct ${setting} in the file, or remove it.`,
    }),
  }),
  'generation-settings-ignored': defineFinding({
    severity: 'note',
    example: { settings: 'temperature, top_p', needs: 'do_sample' },
    words: ({ settings, needs }) => ({
      message: `Settings without effect: ${settings}. They need ${needs}.`,
      effect: 'transformers ignores them with a warning, and refuses to save the file again.',
      advice: `Set ${needs}, or remove them.`,
    }),
  }),
  'generation-id-differs': defineFinding({
    severity: 'note',
    example: { key: 'eos_token_id', own: '2', other: '32000', source: 'the tokenizer' },
    words: ({ key, own, other, source }) => ({
      message: `${key}: ${own}. Of ${source}: ${other}.`,
      effect:
        key === 'eos_token_id'
          ? 'A model that ends its answers with the other token does not stop before the length limit.'
          : 'generate() takes the value of this file.',
      advice: `Set ${key} to what the model was trained with.`,
    }),
  }),
  'generation-length-beyond-positions': defineFinding({
    severity: 'note',
    example: { length: 8_192, positions: 4_096 },
    words: ({ length, positions }) => ({
      message: `max_length is ${formatCount(length)}, and the model has ${formatCount(positions)} positions.`,
      effect: 'Longer sequences fail where positions are learned, and get worse where they are rotary.',
      advice: `Set max_length to at most ${formatCount(positions)}.`,
    }),
  }),
  'chat-template-invalid': defineFinding({
    severity: 'warning',
    example: { template: 'chat_template', problem: '{% if %} is not closed', line: 3 },
    words: ({ template, problem, line }) => ({
      message: `${template} is no valid Jinja template: ${problem} (line ${formatCount(line)}).`,
      effect: 'The model loads. apply_chat_template and chat servers fail with a TemplateSyntaxError.',
      advice: 'Copy the file of the tokenizer again from the source.',
    }),
  }),
  'chat-template-missing': defineFinding({
    severity: 'note',
    example: { sign: 'its sequences end with <|im_end|>' },
    words: ({ sign }) => ({
      message: `No chat template, and ${sign}.`,
      effect: 'apply_chat_template raises a ValueError; chat servers need a template of their own.',
      advice: 'Copy chat_template.jinja or tokenizer_config.json of the model, if it is a chat model.',
    }),
  }),
  'adapter-settings-refused': defineFinding({
    severity: 'error',
    example: { setting: 'r', value: '0', rule: 'a whole number from 1' },
    words: ({ setting, value, rule }) => ({
      message: `${setting} is ${value}, and has to be ${rule}.`,
      effect: 'PEFT raises an error while it makes the adapter.',
      advice: `Correct ${setting} in the file, or copy the adapter again from the source.`,
    }),
  }),
  'adapter-targets-missing': defineFinding({
    severity: 'error',
    example: { targets: 'q_proj, v_proj', base: 'openai-community/gpt2', usual: 'c_attn' },
    words: ({ targets, base, usual }) => ({
      message: `The base model (${base}) has none of the modules that the adapter targets: ${targets}.`,
      effect: 'PEFT fails: the target modules are not found in the base model.',
      advice: `Load the adapter with the model that it was trained with.${usual === '' ? '' : ` One for this model usually targets ${usual}.`}`,
    }),
  }),
  'adapter-of-other-base': defineFinding({
    severity: 'error',
    example: {
      tensors: 64,
      tensor: 'base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight',
      expected: '16 × 2048',
      found: '16 × 4096',
      base: 'meta-llama/Llama-3.2-1B',
    },
    words: ({ tensors, tensor, expected, found, base }) => ({
      message: `${counted(tensors, 'tensor')} of the adapter ${tensors === 1 ? 'does' : 'do'} not fit the base model (${base}): ${tensor} is ${found}, and has to be ${expected}.`,
      effect: 'PEFT fails with a size mismatch.',
      advice: 'Load the adapter with the model that it was trained with.',
    }),
  }),
  'adapter-vocabulary-differs': defineFinding({
    severity: 'warning',
    example: {
      tensors: 2,
      tensor: 'base_model.model.lm_head.weight',
      expected: '32000 × 4096',
      found: '32002 × 4096',
      base: 'meta-llama/Llama-2-7b-hf',
      isEnlarged: true,
    },
    words: ({ tensors, tensor, expected, found, base, isEnlarged }) => ({
      message: `${counted(tensors, 'tensor')} of the adapter with another vocabulary than the base model (${base}): ${tensor} is ${found}, that of the base ${expected}.`,
      effect: isEnlarged
        ? 'PeftModel.from_pretrained fails with a size mismatch. AutoPeftModel enlarges the embeddings by the tokenizer that is saved here.'
        : 'PeftModel and AutoPeftModel fail with a size mismatch.',
      advice: 'Call resize_token_embeddings on the base model before the adapter is loaded.',
    }),
  }),
  'adapter-modules-unsaved': defineFinding({
    severity: 'error',
    example: { tensors: 1, first: 'base_model.model.lm_head.weight' },
    words: ({ tensors, first }) => ({
      message: `${counted(tensors, 'tensor')} of modules_to_save or trainable_token_indices ${tensors === 1 ? 'is' : 'are'} not in the adapter: ${first}.`,
      effect: 'PEFT fails with a KeyError.',
      advice: 'Copy the adapter again from the source; its config and its weights are of two saves.',
    }),
  }),
  'adapter-tokens-beyond-embedding': defineFinding({
    severity: 'error',
    example: { token: 32_000, rows: 32_000, module: 'model.embed_tokens', base: 'meta-llama/Llama-2-7b-hf' },
    words: ({ token, rows, module, base }) => ({
      message: `trainable_token_indices has ${formatCount(token)}, and ${module} of the base model (${base}) has ${counted(rows, 'row')}.`,
      effect: 'PEFT copies the rows of these tokens, and torch raises an IndexError.',
      advice: 'Load the adapter with the base model as it was trained, its embedding resized to the tokenizer.',
    }),
  }),
  'adapter-tensors-missing': defineFinding({
    severity: 'warning',
    example: { missing: 2, expected: 128, first: 'base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight' },
    words: ({ missing, expected, first }) => ({
      message: `${formatCount(missing)} of ${counted(expected, 'adapter tensor')} missing: ${first}.`,
      effect: 'PEFT warns and goes on with new matrices: these modules do what the base model does, or worse.',
      advice: 'Copy the adapter again from the source, or correct target_modules and rank_pattern in its config.',
    }),
  }),
  'adapter-tensors-unused': defineFinding({
    severity: 'warning',
    example: { unused: 4, stored: 128, first: 'base_model.model.model.layers.31.self_attn.q_proj.lora_A.weight' },
    words: ({ unused, stored, first }) => ({
      message: `${formatCount(unused)} of ${counted(stored, 'adapter tensor')} have no module in the base model: ${first}.`,
      effect: 'PEFT leaves them out without a warning: a part of what was trained has no effect.',
      advice: 'Load the adapter with the model that it was trained with, or correct target_modules in its config.',
    }),
  }),
  'planned-steps-differ': defineFinding({
    severity: 'note',
    example: { what: 'max_steps', saved: 2_000, state: 1_000 },
    words: ({ what, saved, state }) => ({
      message: `${what} is ${formatCount(saved)} in training_args.bin, and ${formatCount(state)} in trainer_state.json.`,
      effect: 'The files are of two runs. A resumed run takes the arguments that it is started with.',
      advice: 'Compare both with the run, and copy the right one from the source.',
    }),
  }),
  'scheduler-ends-early': defineFinding({
    severity: 'warning',
    example: { total: 1_000, steps: 2_000 },
    words: ({ total, steps }) => ({
      message: `The LR scheduler has ${formatCount(total)} steps in total, the run ${formatCount(steps)}.`,
      effect: 'torch fails at the first step beyond (OneCycleLR).',
      advice: 'Resume without scheduler.pt, so that the scheduler is made for the steps of the run.',
    }),
  }),
};
