/**
 * What a training script of OLMo-core builds (allenai/OLMo-core src/scripts/train, fa6c501), under the keys that its saved config.json has: the model's factory, the
 * trainer, the checkpointer. Nothing is run.
 */
import type { ConfigMember } from './configNode.js';
import { pythonCalls, withoutDocumentation, type PythonCall, type ValueOf } from './pythonCalls.js';
import { mapMember, textMember } from './pythonMembers.js';

/** Null for files that do not train one model with OLMo-core: its own tests, ladders of models, tools. */
export function pythonOlmoCore(file: string, valueOf: ValueOf): ConfigMember[] | null {
  if (!file.includes('olmo_core') || !file.includes('TransformerConfig.') || !file.includes('TrainerConfig')) return null;
  if (/^def test_/m.test(file)) return null;
  // `int(6.5e12)` is the number in it; the brackets alone keep all places.
  const text = withoutDocumentation(file).replace(/\bint\(/g, '   (');
  const call = (name: string): PythonCall | undefined => pythonCalls(text, [name], valueOf)[0];
  const factories = [...new Set([...text.matchAll(/\bTransformerConfig\.(\w{1,40})\s*\(/g)].map((match) => match[1] ?? ''))];
  const [factory] = factories;
  // What `partial(build_config, …)` hands to the functions of the script.
  const shared = pythonCalls(text, ['partial', 'build_config'], valueOf).flatMap(({ keywords }) => keywords);
  const common = (key: string): ConfigMember[] => shared.filter((member) => member.key === key).slice(0, 1);
  const trainer = call('TrainerConfig');
  if (factory === undefined || factories.length > 1 || trainer === undefined) return null;
  return [
    mapMember('model', modelOf(text, factory, call(`TransformerConfig.${factory}`))),
    mapMember('trainer', [
      ...trainer.keywords,
      ...durationOf(text, valueOf),
      mapMember('callbacks', [mapMember('checkpointer', call('CheckpointerCallback')?.keywords ?? [])]),
    ]),
    mapMember('data_loader', [...common('global_batch_size'), ...(call('NumpyDataLoaderConfig')?.keywords ?? [])]),
    mapMember('dataset', call('NumpyFSLDatasetConfig.from_data_mix')?.keywords ?? call('NumpyFSLDatasetConfig')?.keywords ?? []),
    mapMember('train_module', [
      ...common('max_sequence_length'),
      ...(call('TransformerTrainModuleConfig')?.keywords ?? []),
      ...named(text, 'optim', '_CLASS_', /\boptim\s*=\s*(\w{1,60}Config)\s*\(/),
      mapMember('dp_config', [
        ...word(text, 'name', /\bname\s*=\s*DataParallelType\.(\w{1,20})/),
        ...word(text, 'param_dtype', /\bparam_dtype\s*=\s*DType\.(\w{1,20})/),
        ...(call('TransformerDataParallelConfig')?.keywords ?? []),
      ]),
    ]),
  ];
}

/** The factory, its numbers, and what of it text does not say: names of arguments that are no literals, and changes of its blocks or sizes. */
function modelOf(text: string, factory: string, call: PythonCall | undefined): ConfigMember[] {
  const unread = (call?.unread ?? []).filter((name) => name !== 'vocab_size');
  const isChanged =
    /\.block(?:_pattern|_overrides)?\b[\w.]*\s*=(?!=)/.test(text) ||
    /\bmodel(?:_config)?\.(?:n_layers|d_model|vocab_size|tie_word_embeddings)\s*=(?!=)/.test(text);
  return [
    textMember('factory', factory),
    ...(call?.keywords ?? []),
    ...tokenizerOf(text),
    ...(unread.length === 0 ? [] : [textMember('unread', unread.join(' '))]),
    ...(isChanged ? [textMember('changed', 'block')] : []),
  ];
}

/** The one tokenizer that the script names; that of OLMo-core's common components where it names none (olmo_core/internal/experiment.py). */
function tokenizerOf(text: string): ConfigMember[] {
  const names = new Set([...text.matchAll(/\bTokenizerConfig\.(\w{1,60})\s*\(/g)].map((match) => match[1] ?? ''));
  const [name] = names;
  if (name !== undefined) return names.size === 1 ? [textMember('tokenizer', name)] : [];
  return /\bcommon\.tokenizer\.padded_vocab_size\s*\(/.test(text) ? [textMember('tokenizer', 'dolma2')] : [];
}

/** `max_duration=Duration.tokens(…)`; unknown where the script has several. */
function durationOf(text: string, valueOf: ValueOf): ConfigMember[] {
  const unit = /\bmax_duration\s*=\s*Duration\.(tokens|steps|epochs)\b/.exec(text);
  if (unit?.[1] === undefined) return [];
  const name = `Duration.${unit[1]}`;
  const rest = text.slice(unit.index);
  const value = pythonCalls(`${' '.repeat(unit.index)}${rest}`, [name], valueOf)[0]?.first;
  return value == null
    ? []
    : [mapMember('max_duration', [{ key: 'value', keySpan: value.span, value }, textMember('unit', unit[1])])];
}

function named(text: string, key: string, below: string, pattern: RegExp): ConfigMember[] {
  const found = word(text, below, pattern);
  return found.length === 0 ? [] : [mapMember(key, found)];
}

function word(text: string, key: string, pattern: RegExp): ConfigMember[] {
  const value = pattern.exec(text)?.[1];
  return value === undefined ? [] : [textMember(key, value)];
}
