/**
 * Settings of adapter_config.json with which PEFT raises while it makes a LoRA adapter (peft/tuners/lora/config.py, layer.py, peft/tuners/tuners_utils.py; each
 * was tried with 0.21.2).
 */
import type { Finding } from '../findings/finding.js';
import { patternProblem } from '../configs/architectures/patternProblem.js';

/** A setting that PEFT refuses, and what it would take. */
type RefusedSetting = Extract<Finding, { code: 'adapter-settings-refused' }>['facts'];

type Config = Readonly<Record<string, unknown>>;

/** The first setting of a LoRA config that PEFT refuses; undefined without any, and for adapters of other kinds. */
export function refusedSetting(config: Config): RefusedSetting | undefined {
  if (config['peft_type'] === undefined) return refused('peft_type', undefined, 'the kind of adapter');
  const type = config['peft_type'];
  if (typeof type === 'string' && !kinds.has(type)) {
    const upper = type.toUpperCase();
    return refused('peft_type', type, upper !== type && kinds.has(upper) ? `"${upper}"` : 'a kind that PEFT 0.21 has, as "LORA"');
  }
  const task = config['task_type'];
  if (!isAbsent(task) && !tasks.has(task)) return refused('task_type', task, `one of ${[...tasks].join(', ')}, or null`);
  if (type !== 'LORA') return undefined;
  for (const [setting, rule, isTaken] of rules) {
    const value = config[setting];
    if (value !== undefined && !isTaken(value)) return refused(setting, value, rule);
  }
  return refusedTargets(config) ?? refusedPattern(config);
}

/** peft/utils/peft_types.py */
const kinds: ReadonlySet<unknown> = new Set([
  ...[
    'PROMPT_TUNING',
    'MULTITASK_PROMPT_TUNING',
    'P_TUNING',
    'PREFIX_TUNING',
    'LORA',
    'ADALORA',
    'ADAMSS',
    'BOFT',
    'ADAPTION_PROMPT',
  ],
  ...[
    'IA3',
    'BEFT',
    'LILY',
    'LOHA',
    'LOKR',
    'OFT',
    'POLY',
    'LN_TUNING',
    'VERA',
    'FROD',
    'PVERA',
    'FOURIERFT',
    'GLORA',
    'XLORA',
    'HRA',
  ],
  ...[
    'VBLORA',
    'UNILORA',
    'CPT',
    'MISS',
    'RANDLORA',
    'ROAD',
    'TRAINABLE_TOKENS',
    'HIRA',
    'SHIRA',
    'C3A',
    'WAVEFT',
    'OSF',
    'DELORA',
  ],
  ...['GRALORA', 'CARTRIDGE', 'TINYLORA', 'PSOFT', 'PEANUT', 'SHADOW', 'SUPERTUNING', 'DEFT'],
]);
const tasks: ReadonlySet<unknown> = new Set([
  ...['SEQ_CLS', 'SEQ_2_SEQ_LM', 'CAUSAL_LM', 'TOKEN_CLS', 'QUESTION_ANS', 'FEATURE_EXTRACTION'],
]);

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** peft/tuners/lora/layer.py: update_layer. What Python takes for false is no way to begin. */
function isWayToBegin(value: unknown): boolean {
  if (isAbsent(value) || typeof value === 'boolean' || value === '' || value === 0) return true;
  if (typeof value !== 'string') return false;
  if (['gaussian', 'olora', 'mica'].includes(value.toLowerCase()) || value.startsWith('corda')) return true;
  return ['eva', 'loftq', 'orthogonal', 'lora_ga', 'pissa'].includes(value) || /^pissa_niter_\d+$/.test(value);
}

const rules: readonly [setting: string, rule: string, isTaken: (value: unknown) => boolean][] = [
  ['r', 'a whole number from 1', (value) => Number.isInteger(value) && (value as number) > 0],
  ['lora_alpha', 'a number', isNumber],
  ['lora_dropout', 'a number of at most 1', (value) => isNumber(value) && Number(value) <= 1],
  ['bias', '"none", "all" or "lora_only"', (value) => ['none', 'all', 'lora_only'].includes(value as string)],
  ['init_lora_weights', 'a boolean or a way to begin, as "gaussian"', isWayToBegin],
  ['rank_pattern', 'an object', isObject],
  ['alpha_pattern', 'an object', isObject],
  ['trainable_token_indices', 'a list of token ids, or lists by the names of modules', isOfTokens],
];

/** Booleans are numbers to Python. */
function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

function isOfTokens(value: unknown): boolean {
  const lists: unknown[] = isObject(value) ? Object.values(value as object) : [value];
  return isAbsent(value) || lists.every((list) => Array.isArray(list) && list.every(isNumber));
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refusedTargets(config: Config): RefusedSetting | undefined {
  const targets = config['target_modules'];
  if (targets === undefined || targets === null || isObject(targets)) return undefined;
  const isOfTexts = Array.isArray(targets) && targets.every((target) => typeof target === 'string');
  if (typeof targets === 'string' || isOfTexts) return undefined;
  return refused('target_modules', targets, 'a list of names or a regular expression');
}

/** Texts that PEFT gives to `re.fullmatch` and `re.match`. Of the patterns of ranks and alphas the first is always compiled. */
function refusedPattern(config: Config): RefusedSetting | undefined {
  for (const setting of ['target_modules', 'exclude_modules']) {
    const pattern = config[setting];
    if (typeof pattern === 'string') {
      const problem = patternProblem(pattern);
      if (problem !== undefined) return refused(setting, pattern, `a regular expression: ${problem}`);
    }
  }
  for (const setting of ['rank_pattern', 'alpha_pattern']) {
    const [key] = Object.keys((config[setting] as object | undefined) ?? {});
    // peft/utils/other.py: get_pattern_key.
    const problem = key === undefined ? undefined : patternProblem(`(.*\\.)?(${key})$`);
    if (problem !== undefined) return refused(setting, key, `of regular expressions: ${problem}`);
  }
  return undefined;
}

function refused(setting: string, value: unknown, rule: string): RefusedSetting {
  return { setting, value: value === undefined ? 'not set' : JSON.stringify(value).slice(0, MAX_SHOWN), rule };
}

const MAX_SHOWN = 60;
