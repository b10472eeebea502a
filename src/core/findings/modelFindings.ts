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
  'tensors-unexpected': defineFinding({
    severity: 'warning',
    example: { tensors: 12, tensor: 'model.layers.0.self_attn.q_proj.lora_A.weight' },
    words: ({ tensors, tensor }) => ({
      message: `${counted(tensors, 'tensor')} that the config does not ask for: ${tensor}${tensors === 1 ? '' : ' and others'}.`,
      effect: 'transformers leaves them out with a warning; vLLM and SGLang stop at a name that they do not know.',
      advice:
        'Check that config.json is of these weights. Names with a prefix of a wrapper (module., _orig_mod.) have to be renamed.',
    }),
  }),
  'quantization-config-missing': defineFinding({
    severity: 'error',
    example: { tensors: 224, tensor: 'model.layers.0.mlp.down_proj.qweight' },
    words: ({ tensors, tensor }) => ({
      message: `${counted(tensors, 'packed weight')} (${tensor}), and config.json has no quantization_config.`,
      effect: 'Loaders make plain layers, find none of their weights, and fill them with random numbers or stop.',
      advice: 'Add the quantization_config of the model that was quantized.',
    }),
  }),
};
