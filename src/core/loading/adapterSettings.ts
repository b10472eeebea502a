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
  if (config['peft_type'] === 'lora') return refused('peft_type', 'lora', '"LORA"');
  if (config['peft_type'] !== 'LORA') return undefined;
  for (const [setting, rule, isTaken] of rules) {
    const value = config[setting];
    if (value !== undefined && !isTaken(value)) return refused(setting, value, rule);
  }
  return refusedTargets(config) ?? refusedPattern(config);
}

const rules: readonly [setting: string, rule: string, isTaken: (value: unknown) => boolean][] = [
  ['r', 'a whole number from 1', (value) => Number.isInteger(value) && (value as number) > 0],
  ['lora_alpha', 'a number', isNumber],
  ['lora_dropout', 'a number of at most 1', (value) => isNumber(value) && Number(value) <= 1],
  ['bias', '"none", "all" or "lora_only"', (value) => ['none', 'all', 'lora_only'].includes(value as string)],
  ['rank_pattern', 'an object', isObject],
  ['alpha_pattern', 'an object', isObject],
];

/** Booleans are numbers to Python. */
function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
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
