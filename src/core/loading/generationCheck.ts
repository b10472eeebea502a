/**
 * generation_config.json against the model and its tokenizer, by what transformers does with it: `GenerationConfig.validate`
 * (transformers/generation/configuration_utils.py, 5.24) raises for some settings while the model loads, and warns of others.
 */
import type { ReadResult } from '../checkpoints/readFiles.js';
import type { ReadContext } from '../checkpoints/reading/readContext.js';
import type { Finding } from '../findings/finding.js';
import { memberOf } from '../formats/text/jsonMember.js';
import { isTokenId } from '../formats/tokenizers/tokenIds.js';
import { jsonBeside } from './filesBeside.js';
import { nothingToCheck, type LoadCheck } from './loadCheck.js';
import { idsBeyond, specialIds, type IdBeyond } from './tokenizerCheck.js';
import type { TokenizerFacts } from './tokenizerFacts.js';

const path = 'generation_config.json';

/** @throws FormatError `cancelled` */
export async function generationCheck(read: ReadResult, context: ReadContext, tokenizer: TokenizerFacts): Promise<LoadCheck> {
  const settings = await jsonBeside(read, context, path);
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return nothingToCheck;
  const config = read.side.json.get('config.json');
  const rows = tokenizer.embedding?.rows;
  const refused = refusedSetting(settings);
  const beyond = rows === undefined ? [] : idsBeyond(settings, rows, path);
  const findings: Finding[] = [
    ...(refused === undefined ? [] : [refused]),
    ...(rows === undefined ? [] : beyond.filter(({ facts }) => !isSaidOfConfig(config, rows, facts))),
    ...otherIds(settings, config, tokenizer),
    ...lengthBeyond(settings, config),
    ...ignoredSettings(settings),
  ];
  const compared = [config === undefined ? '' : 'config.json', rows === undefined ? '' : 'the rows of the embedding'].filter(
    (text) => text !== '',
  );
  return {
    ...verdictOf(refused !== undefined, beyond.length > 0),
    checked: ['generation-config'],
    notChecked: [],
    findings,
    done: [`${path}: settings against each other${compared.length === 0 ? '' : `, ids against ${compared.join(' and ')}`}`],
  };
}

/** The same id in config.json has a finding there. */
function isSaidOfConfig(config: unknown, rows: number, { key, id }: IdBeyond['facts']): boolean {
  return specialIds(config, rows).some(({ facts }) => facts.key === key && facts.id === id);
}

function verdictOf(isRefused: boolean, isBeyond: boolean): Pick<LoadCheck, 'verdict' | 'why'> {
  if (isRefused) return { verdict: 'fails', why: 'transformers refuses the settings of generation_config.json.' };
  if (isBeyond) return { verdict: 'loads-with-warnings', why: 'Ids of generation_config.json are no rows of the embedding.' };
  return { verdict: 'loads', why: '' };
}

/** What raises a ValueError, with which `from_pretrained` of the model ends. */
function refusedSetting(settings: object): Finding | undefined {
  const [stopping, tokens, returned, beams] = ['early_stopping', 'max_new_tokens', 'num_return_sequences', 'num_beams'].map(
    (key) => memberOf(settings, key),
  );
  const refused = (setting: string, value: unknown, rule: string): Finding => ({
    code: 'generation-settings-refused',
    path,
    facts: { setting, value: shown(value), rule },
  });
  if (!isNone(stopping) && typeof stopping !== 'boolean' && stopping !== 'never' && stopping !== 0 && stopping !== 1)
    return refused('early_stopping', stopping, 'a boolean or "never"');
  if (typeof tokens === 'number' && tokens <= 0) return refused('max_new_tokens', tokens, 'greater than 0');
  const cache = memberOf(settings, 'cache_implementation');
  if (!isNone(cache) && !caches.has(cache))
    return refused('cache_implementation', cache, 'one of static, dynamic, offloaded or quantized');
  if (typeof returned !== 'number' || returned <= 1) return undefined;
  if (isNone(beams) || beams === 1)
    return isSet(memberOf(settings, 'do_sample'))
      ? undefined
      : refused('num_return_sequences', returned, '1 without do_sample or beams');
  return typeof beams === 'number' && returned > beams
    ? refused('num_return_sequences', returned, 'at most num_beams')
    : undefined;
}

/** ALL_CACHE_IMPLEMENTATIONS, and that of continuous batching. */
const caches: ReadonlySet<unknown> = new Set([
  ...['static', 'offloaded_static', 'sliding_window', 'hybrid', 'hybrid_chunked', 'offloaded_hybrid', 'offloaded_hybrid_chunked'],
  ...['dynamic', 'offloaded', 'quantized', 'paged'],
]);

/** Settings of sampling, with the value that changes nothing. */
const samplingDefaults: Readonly<Record<string, number | null>> = {
  temperature: 1,
  top_p: 1,
  min_p: null,
  top_h: null,
  typical_p: 1,
  top_k: 50,
  epsilon_cutoff: 0,
  eta_cutoff: 0,
};
const outputFlags = ['output_attentions', 'output_hidden_states', 'output_scores', 'output_logits'];

/** What transformers warns of, as the settings contradict each other. */
function ignoredSettings(settings: object): Finding[] {
  const valueOf = (key: string): unknown => memberOf(settings, key);
  const isChanged = ([key, usual]: [string, number | boolean | null]): boolean => !isNone(valueOf(key)) && valueOf(key) !== usual;
  const ignored = (keys: readonly string[], needs: string): Finding[] =>
    keys.length === 0 ? [] : [{ code: 'generation-settings-ignored', path, facts: { settings: keys.join(', '), needs } }];
  const sampling = valueOf('do_sample') === true ? [] : Object.entries(samplingDefaults).filter(isChanged);
  const hasBeams = !isNone(valueOf('num_beams')) && valueOf('num_beams') !== 1;
  const beams: [string, number | boolean][] = hasBeams
    ? []
    : [
        ['early_stopping', false],
        ['length_penalty', 1],
      ];
  const hasCache = valueOf('use_cache') !== false;
  const flags = valueOf('return_dict_in_generate') === true ? [] : outputFlags.filter((key) => valueOf(key) === true);
  return [
    ...ignored(
      sampling.map(([key]) => key),
      'do_sample',
    ),
    ...ignored(
      beams.filter(isChanged).map(([key]) => key),
      'num_beams above 1',
    ),
    ...ignored(hasCache ? [] : ['cache_implementation', 'cache_config'].filter((key) => !isNone(valueOf(key))), 'use_cache'),
    ...ignored(flags, 'return_dict_in_generate'),
  ];
}

/**
 * Ids that others name otherwise. Of the ends of a sequence one in common is enough: many models stop at several tokens, of which their tokenizer has
 * one.
 */
function otherIds(settings: object, config: unknown, tokenizer: TokenizerFacts): Finding[] {
  return ['bos', 'eos', 'pad'].flatMap((token): Finding[] => {
    const key = `${token}_token_id`;
    const own = idsOf(memberOf(settings, key));
    const ofTokenizer = token === 'eos' ? idOfToken(memberOf(tokenizer.config, 'eos_token'), tokenizer) : undefined;
    const others = ofTokenizer === undefined ? idsInConfig(config, key) : [ofTokenizer];
    const isEndMissing = token === 'eos' && ofTokenizer !== undefined && own.length === 0;
    if (others.length === 0 || (own.length === 0 && !isEndMissing) || others.some((id) => own.includes(id))) return [];
    const source = ofTokenizer === undefined ? 'config.json' : 'the tokenizer';
    const facts = { key, own: own.length === 0 ? 'not set' : own.join(', '), other: others.join(', '), source };
    return [{ code: 'generation-id-differs', path, facts }];
  });
}

function idsOf(value: unknown): number[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter(isTokenId).slice(0, MAX_IDS);
}

/** A model stops at some ten tokens at most. */
const MAX_IDS = 64;

function idsInConfig(config: unknown, key: string): number[] {
  return idsOf(memberOf(config, key) ?? memberOf(memberOf(config, 'text_config'), key));
}

/** A token as tokenizer_config.json writes it: a text, or an object with one. */
function idOfToken(token: unknown, { added }: TokenizerFacts): number | undefined {
  const content = typeof token === 'string' ? token : memberOf(token, 'content');
  return added.find((each) => each.content === content)?.id;
}

/** Classes that call the most positions otherwise. */
const positionKeys: Readonly<Record<string, string>> = {
  gpt2: 'n_positions',
  gptj: 'n_positions',
  gpt_bigcode: 'n_positions',
  codegen: 'n_positions',
};

function lengthBeyond(settings: object, config: unknown): Finding[] {
  const length = memberOf(settings, 'max_length');
  const positions = [config, memberOf(config, 'text_config')]
    .map((part) => memberOf(part, positionKeys[String(memberOf(part, 'model_type'))] ?? 'max_position_embeddings'))
    .find((value) => typeof value === 'number');
  if (typeof length !== 'number' || typeof positions !== 'number' || positions <= 0 || length <= positions) return [];
  return [{ code: 'generation-length-beyond-positions', path, facts: { length, positions } }];
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null;
}

/** As Python takes a value for a condition. */
function isSet(value: unknown): boolean {
  return !isNone(value) && value !== false && value !== 0 && value !== '';
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, MAX_SHOWN);
}

const MAX_SHOWN = 60;
