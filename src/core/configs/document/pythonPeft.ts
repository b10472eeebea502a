/** The adapter that a Python file puts on its model with PEFT, under the keys of its adapter_config.json. */
import type { ConfigMember } from './configNode.js';
import { pythonCalls, type PythonCall, type ValueOf } from './pythonCalls.js';
import { mapMember, textMember } from './pythonMembers.js';
import { unslothAdapter, unslothAdapters } from './pythonUnsloth.js';

/** Its key; no argument has this name as a map. */
export const peftKey = 'peft_config';

/** Classes of peft/tuners by the `peft_type` that they save, of those that Stowage counts; all others are one. */
const countedTypes: Readonly<Record<string, string>> = { LoraConfig: 'LORA', AdaLoraConfig: 'ADALORA', OFTConfig: 'OFT' };
const otherClasses = [
  ...['AdamssConfig', 'AdaptionPromptConfig', 'BOFTConfig', 'BeftConfig', 'BoneConfig', 'C3AConfig', 'CPTConfig'],
  ...['CartridgeConfig', 'DeftConfig', 'DeloraConfig', 'FourierFTConfig', 'FrodConfig', 'GloraConfig', 'GraloraConfig'],
  ...['HRAConfig', 'HiraConfig', 'IA3Config', 'LNTuningConfig', 'LilyConfig', 'LoHaConfig', 'LoKrConfig', 'MissConfig'],
  ...['MultitaskPromptTuningConfig', 'OSFConfig', 'PeanutConfig', 'PolyConfig', 'PrefixTuningConfig', 'PromptEncoderConfig'],
  ...['PromptTuningConfig', 'PsoftConfig', 'PveraConfig', 'RandLoraConfig', 'RoadConfig', 'ShiraConfig', 'SupertuningConfig'],
  ...['TinyLoraConfig', 'TrainableTokensConfig', 'UniLoraConfig', 'VBLoRAConfig', 'VeraConfig', 'WaveFTConfig', 'XLoraConfig'],
];

/** Arguments without which an adapter cannot be counted, where an expression gives them. */
const sizing: ReadonlySet<string> = new Set([
  ...['**', 'r', 'use_dora', 'target_modules', 'exclude_modules', 'target_parameters', 'modules_to_save', 'rank_pattern', 'bias'],
  ...[
    'init_r',
    'finetune_last_n_layers',
    'layers_to_transform',
    'lora_bias',
    'trainable_token_indices',
    'oft_block_size',
    'block_share',
  ],
]);

/** A type that none of PEFT's has: an adapter is trained, and its size is not in the text. */
const unknownType = 'UNKNOWN';

/**
 * None where the file puts no adapter on its model.
 * @param text as `withoutDocumentation` gives it
 * @param trainers the calls that may get the adapter's config
 */
export function pythonPeft(text: string, valueOf: ValueOf, trainers: readonly PythonCall[]): ConfigMember[] {
  const [call, ...more] = pythonCalls(text, [...Object.keys(countedTypes), ...otherClasses], valueOf);
  if (call === undefined) {
    const ofUnsloth = unslothMember(text, valueOf);
    if (ofUnsloth !== null) return [ofUnsloth];
    const isAdapted = adapts(text) || trainers.some(({ unread }) => unread.includes('peft_config'));
    return isAdapted ? [mapMember(peftKey, [textMember('peft_type', unknownType)])] : [];
  }
  // Which of several classes is used is decided elsewhere.
  const isOpen = more.some(({ name }) => name !== call.name) || call.unread.some((name) => sizing.has(name));
  const type = isOpen ? unknownType : (countedTypes[call.name] ?? call.name.replace(/Config$/, ''));
  const cast = pythonCalls(text, ['get_peft_model'], valueOf).flatMap(({ keywords }) => keywords);
  return [
    mapMember(peftKey, [
      textMember('peft_type', type),
      ...call.keywords,
      ...cast.filter(({ key }) => key === 'autocast_adapter_dtype'),
      ...(type === 'ADALORA' && /\.update_and_allocate\s*\(/.test(text) ? [textMember(allocatesKey, 'True')] : []),
    ]),
  ];
}

/** Ranks of AdaLoRA's matrices are reduced as training goes on, which the Trainer alone does not do; no argument has this name. */
export const allocatesKey = 'update_and_allocate';

/** The adapter of Unsloth's own function; null where it is not called. */
function unslothMember(text: string, valueOf: ValueOf): ConfigMember | null {
  const [call, ...more] = pythonCalls(text, unslothAdapters, valueOf);
  if (call === undefined) return null;
  const isOpen = more.length > 0 || call.unread.some((name) => sizing.has(name) || name.startsWith('finetune_'));
  const members = isOpen ? null : unslothAdapter(call);
  return mapMember(peftKey, [textMember('peft_type', members === null ? unknownType : 'LORA'), ...(members ?? [])]);
}

/** An adapter whose config comes from elsewhere, and one of before that is trained further. */
function adapts(text: string): boolean {
  return (
    /\bget_peft_model\s*\(/.test(text) ||
    /\.add_adapter\s*\(/.test(text) ||
    /\bPeft(?:Mixed)?Model\w{0,40}\.from_pretrained\s*\([^()]{0,2000}\bis_trainable\s*=\s*True/.test(text)
  );
}
