/** Findings of the tensors of a model against its config. Facts come from files and are shown as text. */
import { defineFinding } from './defineFinding.js';
import { counted } from '../text/quantities.js';
import { formatCount } from '../text/units.js';

export const modelFindings = {
  'tensor-shapes-differ': defineFinding({
    severity: 'error',
    example: { tensors: 4, tensor: 'model.embed_tokens.weight', config: '32,000 × 4,096', stored: '32,064 × 4,096' },
    words: ({ tensors, tensor, config, stored }) => ({
      message: `${counted(tensors, 'tensor')} of another shape than the config asks for: ${tensor} is ${stored}, the config says ${config}.`,
      effect: 'transformers stops with a size mismatch, unless ignore_mismatched_sizes is set: then these tensors are random.',
      advice: 'Copy config.json from where the weights are from, or the weights of this config.',
    }),
  }),
  'config-vocabulary-differs': defineFinding({
    severity: 'error',
    example: { key: 'vocab_size', config: 32_000, rows: 32_064, tensor: 'model.embed_tokens.weight' },
    words: ({ key, config, rows, tensor }) => ({
      message: `${key} is ${formatCount(config)}, and the weights have ${formatCount(rows)} rows (${tensor}).`,
      effect: 'transformers stops with a size mismatch.',
      advice: `Set ${key} to ${formatCount(rows)}: it counts rows, with added tokens and padding, whatever the tokenizer has.`,
    }),
  }),
  'config-value-refused': defineFinding({
    severity: 'error',
    example: { key: 'num_hidden_layers', value: 'the text “32”', needed: 'a whole number' },
    words: ({ key, value, needed }) => ({
      message: `config.json sets ${key} to ${value}, where ${needed} is needed.`,
      effect: 'transformers stops before it loads any tensor.',
      advice: `Copy config.json from where the weights are from, or correct ${key}.`,
    }),
  }),
  'config-setting-differs': defineFinding({
    severity: 'error',
    example: { key: 'num_key_value_heads', config: 'none', fitting: '8', tensor: 'model.layers.0.self_attn.k_proj.weight' },
    words: ({ key, config, fitting, tensor }) => ({
      message: `The weights would fit with ${key} ${fitting}, and the config has ${config} (first that differs: ${tensor}).`,
      effect: 'Loading the weights by this config fails, or leaves weights out or random.',
      advice: `Copy config.json from where the weights are from. Set ${key} to ${fitting} by hand only where the model was made so.`,
    }),
  }),
  'tensors-unexpected': defineFinding({
    severity: 'warning',
    example: { tensors: 12, tensor: 'model.layers.0.self_attn.q_proj.lora_A.weight' },
    words: ({ tensors, tensor }) => ({
      message: `${counted(tensors, 'tensor')} that the config does not ask for: ${tensor}${tensors === 1 ? '' : ' and others'}.`,
      effect: 'transformers leaves them out with a warning; vLLM and SGLang stop at a name that they do not know.',
      advice: 'Check that config.json is of these weights.',
    }),
  }),
  'tensor-names-wrapped': defineFinding({
    severity: 'error',
    example: { tensors: 291, segment: '_orig_mod', of: 'torch.compile', tensor: '_orig_mod.model.embed_tokens.weight' },
    words: ({ tensors, segment, of, tensor }) => ({
      message: `${counted(tensors, 'tensor')} under the names of a wrapper: ${of} adds ${segment}. (${tensor}).`,
      effect:
        'transformers and PEFT find none of these names: weights are random and an adapter has no effect, with a warning alone. Other loaders stop.',
      advice:
        of === 'PEFT'
          ? 'Load the model in PEFT as it was, call merge_and_unload, and save that.'
          : `Save the model in the wrapper instead, or take ${segment}. off the names.`,
    }),
  }),
  'quantization-of-other-loader': defineFinding({
    severity: 'note',
    example: { method: 'MLX', loader: 'mlx-lm' },
    words: ({ method, loader }) => ({
      message: `The weights are quantized by ${method}, for which transformers 5.24 has no quantizer.`,
      effect: 'transformers takes them for plain weights: it stops at packed ones, and leaves out the scales of others.',
      advice: `Load them with ${loader}.`,
    }),
  }),
  'quantization-method-unknown': defineFinding({
    severity: 'warning',
    example: { method: 'foo' },
    words: ({ method }) => ({
      message: `config.json sets quant_method to ${method}, for which transformers 5.24 has no quantizer.`,
      effect: 'transformers skips the quantization with a warning, and takes the weights for plain ones.',
      advice:
        method === 'bitsandbytes'
          ? 'Set load_in_4bit or load_in_8bit beside it.'
          : 'Load quantized weights with the program that made them; of plain ones remove the quantization_config.',
    }),
  }),
  'quantization-method-missing': defineFinding({
    severity: 'error',
    example: null,
    words: () => ({
      message: 'The quantization_config of config.json names no quant_method.',
      effect: 'transformers raises a ValueError before it loads a weight.',
      advice: 'Add the quant_method of the program that quantized the weights, or remove the quantization_config of plain ones.',
    }),
  }),
  'quantization-form-differs': defineFinding({
    severity: 'error',
    example: { method: 'gptq', tensors: 224, tensor: 'model.layers.0.mlp.down_proj.weight' },
    words: ({ method, tensors, tensor }) => ({
      message: `config.json sets quant_method to ${method}, and ${counted(tensors, 'weight')} ${tensors === 1 ? 'is' : 'are'} in another form: ${tensor}.`,
      effect: 'Loaders make the layers of that method and find none of these weights: they stop, or the model answers at random.',
      advice: 'Set the quantization_config of the program that wrote the weights, or remove it where they are plain.',
    }),
  }),
  'quantization-config-missing': defineFinding({
    severity: 'error',
    example: { tensors: 224, tensor: 'model.layers.0.mlp.down_proj.qweight' },
    words: ({ tensors, tensor }) => ({
      message: `${counted(tensors, 'packed weight')} (${tensor}), and config.json has no quantization_config.`,
      effect:
        'Loaders make plain layers: they find none of their weights, or take them without their scales. They stop, or the model answers at random.',
      advice: 'Add the quantization_config of the model that was quantized.',
    }),
  }),
};
