/** Findings of what a loader puts together: tokenizer, generation settings, chat template, adapter and the tensors. Facts are shown as text. */
import { defineFinding } from './defineFinding.js';
import { counted } from '../text/quantities.js';
import { formatCount } from '../text/units.js';

const outOfRange = 'The embedding fails with an index out of range, on a GPU with a device-side assert.';
const enlarge = 'Load the tokenizer that was trained with this model, or call resize_token_embeddings and train the new rows.';

export const loadFindings = {
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
};
