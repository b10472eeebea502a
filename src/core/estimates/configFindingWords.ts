import type { ConfigFact } from './assessConfig.js';
import { counted } from '../text/quantities.js';
import { formatBytes, formatCount } from '../text/units.js';

/** What a finding in a config says, and what to do. */
export function configFindingWords({ code, values }: Pick<ConfigFact, 'code' | 'values'>): { message: string; advice: string } {
  const count = (name: string) => formatCount(Number(values[name] ?? 0));
  const bytes = (name: string) => formatBytes(Number(values[name] ?? 0));
  const isMoreAtOnce = Number(values['peakBytes'] ?? 0) > Number(values['bytes'] ?? 0);
  const atMost = values['atMost'] === 1 ? 'at most ' : '';
  switch (code) {
    case 'checkpoints-exceed-free-space':
      return {
        message: `The ${counted(Number(values['kept'] ?? 0), 'checkpoint')} that this run keeps ${values['kept'] === 1 ? 'takes' : 'take'} ${atMost}${bytes('bytes')}${isMoreAtOnce ? `, ${atMost}${bytes('peakBytes')} while the next one is written` : ''}, but ${bytes('freeBytes')} are free here.`,
        advice:
          atMost !== ''
            ? 'Only a part of the model is trained, so they may take less: if they do not fit, keep fewer, save less often, or save to another file system.'
            : Number(values['fitting'] ?? 0) === 0
              ? 'Not even one fits: save to another file system.'
              : `At most ${count('fitting')} fit at once, the one being written included: keep fewer, save less often, or save to another file system.`,
      };
    case 'every-checkpoint-kept':
      return {
        message: `All ${count('saves')} checkpoints of this run are kept${Number(values['bytes']) > 0 ? `: ${atMost}${bytes('bytes')}` : ''}.`,
        advice: 'Set how many are to stay, or save less often.',
      };
    case 'vocabulary-exceeds-token-dtype':
      return {
        message: `A vocabulary of ${count('vocabulary')} tokens does not fit into 16-bit token ids, which end at ${count('most')}.`,
        advice: 'Tokenize into 32-bit ids: 4 bytes a token.',
      };
    case 'sharded-weights-not-gathered':
      return {
        message: 'ZeRO-3 saves the weights only as parts of the optimizer’s shards: no file can be loaded as a model.',
        advice: 'Gather the 16-bit weights when saving (2 more bytes a parameter), or run zero_to_fp32.py afterwards.',
      };
    case 'weights-only-cannot-resume':
      return {
        message: 'Only weights are saved, but the run is to be resumed: optimizer, LR scheduler and RNG state would start anew.',
        advice: 'Save the whole state as long as the run may be resumed.',
      };
    case 'save-interval-refused':
      return values['missing'] === 1
        ? {
            message: 'No save interval is set, and the program does not start without one where it is to save.',
            advice: 'Set an interval, unless another part of the launch does.',
          }
        : {
            message: 'The program stops at this save interval before it saves a checkpoint.',
            advice: 'Set an interval above 0.',
          };
    case 'fp16-weights-in-mixed-precision': {
      const what = values['adapter'] === 1 ? 'What is trained of this adapter is' : 'The weights that are trained are';
      const release = values['ofRelease'] === 1 ? 'in transformers 5 ' : '';
      return {
        message: `${what} ${release}loaded in float16, which fp16 mixed precision refuses: the first step ends with “Attempting to unscale FP16 gradients”.`,
        advice: 'Load what is trained in float32, or train in bf16.',
      };
    }
    case 'value-unusable':
      return {
        message:
          values['more'] === undefined
            ? `${JSON.stringify(values['detail'] ?? '')} is no value that this key takes; the estimate ignores it, as if the key were not set.`
            : `${count('more')} more values that their keys do not take; the estimate ignores them, as if the keys were not set.`,
        advice: 'Write one plain value that the program accepts.',
      };
  }
}
