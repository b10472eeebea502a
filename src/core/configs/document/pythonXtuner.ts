/** What a config of xtuner (InternLM/xtuner xtuner/configs at b934f46, by mmengine) says in its nested `dict(type=…)` calls: the class of the model, its adapter, how it is loaded. */
import type { ConfigMember } from './configNode.js';
import { pythonCalls, withoutDocumentation, type ValueOf } from './pythonCalls.js';
import { mapMember, textMember } from './pythonMembers.js';

/** Members beside those at the top level; null for other files. */
export function pythonXtuner(file: string, valueOf: ValueOf): ConfigMember[] | null {
  if (!/^(?:from|import) xtuner\b/m.test(file) || valueOf('pretrained_model_name_or_path') === undefined) return null;
  // Those of the Hugging Face Trainer have their steps within other calls.
  if (valueOf('save_steps') === undefined && valueOf('max_epochs') === undefined) return null;
  // `dict(type=LoraConfig, r=64)` is that call under a name of its own, which is as long.
  const text = withoutDocumentation(file)
    .replace(/\bdict(?=\(\s*type\s*=\s*LoraConfig\b)/g, 'LoRA')
    .replace(/\bdict(?=\(\s*type\s*=\s*BitsAndBytesConfig\b)/g, 'BitB');
  const model = /^model\s*=\s*dict\(\s*type\s*=\s*(\w{1,60})/m.exec(text)?.[1];
  const optimizer = /^optim_type\s*=\s*(\w{1,60})\s*$/m.exec(text)?.[1];
  return [
    ...(model === undefined ? [] : [textMember('model_class', model)]),
    ...(optimizer === undefined ? [] : [textMember('optim_type', optimizer)]),
    ...callMember('lora', text, 'LoRA', valueOf),
    ...callMember('quantization_config', text, 'BitB', valueOf),
  ];
}

/** Arguments of the one call of that name as a map. */
function callMember(key: string, text: string, name: string, valueOf: ValueOf): ConfigMember[] {
  const [call] = pythonCalls(text, [name], valueOf);
  return call === undefined ? [] : [mapMember(key, call.keywords)];
}
