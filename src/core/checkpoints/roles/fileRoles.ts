/** What a file is for, by its name: that of its framework, or one that Hugging Face libraries and plain torch training code use. */
import { logName } from '../../files/logNames.js';
import { baseName } from '../../files/paths.js';
import { isHubDownload, isRepositoryInternal } from '../../files/repositoryInternals.js';
import { isInstalledPackage } from '../../files/installedPackages.js';
import { isRsyncTemporary } from '../../files/secondCopies.js';
import { isSideFile } from '../../files/sideFiles.js';
import { patternOf } from '../../files/namePattern.js';
import type { Classifier } from '../../formats/sink/fileSink.js';
import { fileFormats } from '../fileFormats.js';
import { leftoverRole, plainReaders, type FileRole, type RolesOfPaths, type Rule } from './fileRule.js';
import { jaxRules, roleOfArrayFile } from './jaxRoles.js';
import { componentOfOptimizerPath, componentOfPath } from '../../tensors/componentOfPath.js';
import { modelFileRules } from './modelFileRoles.js';
import { sourceRules } from './sourceRoles.js';

/** What holds in every directory, after the rules of the frameworks. The first rule that matches decides. */
const usualRules: readonly Rule[] = [
  [/\.tmp[-_.].+/i, 'interrupted-save', 'unexplained', 'none'],
  [/latest(_universal|_checkpointed_iteration\.txt|\.txt|-rank\d+(\.pt)?\.symlink)?$/, 'latest-pointer', 'trainerState', 'text'],
  ...jaxRules,
  [/.+\.(safetensors|bin)\.index(\.[\w-]+)?\.json$/, 'shard-index', 'container', 'index'],
  [/adapter_model\.safetensors$/, 'adapter-weights', 'weights', 'safetensors', 'weights'],
  [/adapter_model\.bin$/, 'adapter-weights', 'weights', 'torch', 'weights'],
  [/(model|diffusion_pytorch_model|pytorch_model)([.-].*)?\.safetensors$/, 'model-weights', 'weights', 'safetensors', 'weights'],
  [/(model[_-])?ema([_-](model|weights|state_dict|\d+))?\.safetensors$/, 'averaged-weights', 'ema', 'safetensors', 'ema'],
  [/(model[_-])?ema([_-](model|weights|state_dict|\d+))?\.(pt|bin|pth)$/, 'averaged-weights', 'ema', 'torch', 'ema'],
  [/optim(izer)?([_-]\d+)?\.safetensors$/, 'optimizer-state', 'optimizer', 'safetensors', optimizerTensors],
  [/(pytorch_model|diffusion_pytorch_model)([.-].*)?\.bin$/, 'model-weights', 'weights', 'torch', 'weights'],
  [/optim(izer)?([_-]\d+|[_-](world_size|rank).*)?\.(pt|bin|pth)$/, 'optimizer-state', 'optimizer', 'torch', optimizerTensors],
  [/(lr_)?scheduler([_-]\d+)?\.(pt|bin|pth)$/, 'scheduler', 'scheduler', 'torch', 'scheduler'],
  [/(grad_)?scaler([_-]\d+)?\.(pt|bin|pth)$/, 'gradient-scaler', 'gradScaler', 'torch', 'gradScaler'],
  [/rng_state([_-]\d+)?\.(pth|pt|bin)$/, 'rng-state', 'rng', 'torch', 'rng'],
  [/random_states_\d+\.pkl$/, 'rng-state', 'rng', 'torch', 'rng'],
  [/(dl_state_dict|sampler|dataloader)([_-]\d+)?\.(bin|pt|pth)$/, 'data-loader-position', 'dataLoader', 'torch', 'dataLoader'],
  [/training_args\.bin$/, 'training-arguments', 'trainerState', 'torch', 'trainerState'],
  [/trainer_state\.json$/, 'trainer-state', 'trainerState', 'json'],
  [/model_world_size_\d+_rank_\d+\.pt$/, 'model-weights-of-rank', 'weights', 'torch', componentOfPath],
  [/(adapter_)?config\.json$/, 'configuration', 'config', 'json'],
  [
    /(tokenizer|special_tokens_map|added_tokens|vocab|merges|tokenizer_config)([.-].*)?\.(json|txt|model)$/,
    'tokenizer',
    'tokenizer',
    'none',
  ],
  [/(spiece|sentencepiece|tokenizer)[\w.-]*\.model$/, 'tokenizer', 'tokenizer', 'none'],
  [/events\.out\.tfevents\..*/, 'training-log', 'trainerState', 'none'],
  // The code of a model that transformers loads with it, and configs that are Python files.
  [
    /((configuration|modeling|tokenization|processing|image_processing|feature_extraction)_.+|.*config.*)\.py$/,
    'configuration',
    'config',
    'none',
  ],
  ...sourceRules,
  [/.+\.log$/i, 'log', 'trainerState', 'none'],
  [new RegExp(`${logName.source}\\.(csv|tsv|jsonl)$`, 'i'), 'log', 'trainerState', 'none'],
  [/.+\.[ct]sv$/i, 'table', 'unexplained', 'none'],
  [/.+\.jsonl$/i, 'records', 'unexplained', 'none'],
  [
    /(?:.*[._-])?(?:corpus|data|dataset|text|train|valid|validation|val|test|dev)(?:[._-].*)?\.txt$/i,
    'records',
    'unexplained',
    'none',
  ],
  [/.+\.(json|ya?ml|toml|md|txt|jinja|cfg|ini|gin|rst)$/i, 'configuration', 'config', 'none'],
  [/(license|notice|readme|use_policy|\.gitattributes|\.gitignore)$/i, 'configuration', 'config', 'none'],
  // Browsers, aria2, WinSCP: what was not downloaded whole, and what says so of the file beside it.
  [/.+\.(crdownload|opdownload|filepart|aria2)$/i, 'interrupted-save', 'unexplained', 'none'],
  [/.+\.(tmp|temp|part|partial|incomplete|lock)(\.\w+)?$|\.tmp\w+$|tmp\w{8}$/, 'interrupted-save', 'unexplained', 'none'],
  ...modelFileRules,
  ...formatRules(),
];

/** Names may hold line ends: a `.` of the rules matches these, too. */
const ofNames = (source: string, flags: string): RegExp => new RegExp(source, `${flags.replace('s', '')}s`);

const compile = ([pattern, role, component, reader, tensors, storages]: Rule) => ({
  isPath: pattern.source.includes('/'),
  pattern: ofNames(pattern.source.includes('/') ? `(?:^|/)(?:${pattern.source})` : `^(?:${pattern.source})`, pattern.flags),
  role,
  component,
  reader,
  tensors: tensors ?? component,
  isPadded: storages === 'padded',
});

type CompiledRule = ReturnType<typeof compile>;

/** Rules after each other that are matched with the same text: one pattern of all finds the group. */
interface RuleGroup {
  isPath: boolean;
  any: RegExp;
  rules: readonly CompiledRule[];
}

function groupRules(rules: readonly CompiledRule[]): RuleGroup[] {
  const groups: CompiledRule[][] = [];
  for (const rule of rules) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    const isAlike = first?.isPath === rule.isPath && first.pattern.flags === rule.pattern.flags;
    if (group !== undefined && isAlike) group.push(rule);
    else groups.push([rule]);
  }
  return groups.map((own) => ({
    isPath: own[0]?.isPath === true,
    any: new RegExp(own.map(({ pattern }) => pattern.source).join('|'), own[0]?.pattern.flags),
    rules: own,
  }));
}

/** The roles of files by their paths below the root of a listing: the rules of all frameworks, and what holds everywhere. */
export class FileRoles implements RolesOfPaths {
  private readonly groups: readonly RuleGroup[];

  private constructor(private readonly rules: readonly CompiledRule[]) {
    this.groups = groupRules(rules);
  }

  /** @param frameworkRules names that no other kind of file has; they come before all others */
  static withRules(frameworkRules: readonly Rule[]): FileRoles {
    return new FileRoles([...frameworkRules, ...usualRules].map(compile));
  }

  /** Roles in directories of one framework: names that mean something there, and anything elsewhere, come before all others. */
  within(own: readonly Rule[]): FileRoles {
    return own.length === 0 ? this : new FileRoles([...own.map(compile), ...this.rules]);
  }

  /** An unknown name is sniffed, and stays `unexplained` if that tells nothing. */
  of(path: string): FileRole {
    return roleBy(this.groups, path);
  }
}

/** The rule of each format, for files with no more than its extension. */
function formatRules(): Rule[] {
  return fileFormats.flatMap(({ id, names, role, component, tensors }): Rule[] =>
    names === undefined ? [] : [[new RegExp(`.+${patternOf(names).source}`, 'i'), role, component, id, tensors ?? component]],
  );
}

/** A format without nesting has the whole path in one name. */
function optimizerTensors(keyPath: readonly string[]): ReturnType<Classifier> {
  return componentOfOptimizerPath(keyPath.length === 1 ? (keyPath[0] as string).split('.') : keyPath);
}

function roleBy(groups: readonly RuleGroup[], path: string): FileRole {
  if (isHubDownload(path)) return { ...leftoverRole, role: 'interrupted-download' };
  if (isRepositoryInternal(path))
    return { role: 'repository-internals', component: 'container', reader: 'none', tensors: 'container', format: 'other' };
  if (isSideFile(path))
    return { role: 'side-file', component: 'container', reader: 'sniff', tensors: 'container', format: 'other' };
  const name = baseName(path);
  if (isRsyncTemporary(name)) return leftoverRole;
  const array = roleOfArrayFile(path);
  if (array !== undefined) return array;
  const rule = firstMatch(groups, path, name);
  if (rule === undefined)
    return { role: 'unrecognised', component: 'unexplained', reader: 'sniff', tensors: componentOfPath, format: 'unknown' };
  const { role, component, reader, tensors, isPadded } = rule;
  const format = formatOfName(name);
  // Read all the same, for what its pickles import.
  if (isInstalledPackage(path) && !plainReaders.has(reader))
    return { role: 'installed-package', component: 'unexplained', reader, tensors: 'unexplained', isPadded, format };
  return { role, component, reader, tensors, isPadded, format };
}

function firstMatch(groups: readonly RuleGroup[], path: string, name: string): CompiledRule | undefined {
  for (const { isPath, any, rules } of groups) {
    const text = isPath ? path : name;
    if (any.test(text)) return rules.find(({ pattern }) => pattern.test(text));
  }
  return undefined;
}

function formatOfName(name: string): string {
  const extension = /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (extension === 'json' || extension === 'yaml' || extension === 'toml') return extension;
  if (extension === 'yml') return 'yaml';
  return ['md', 'txt', 'py', 'jinja', 'log', 'csv', 'tsv', 'jsonl', 'cfg', 'ini', 'gin', 'rst', ''].includes(extension)
    ? 'text'
    : 'other';
}
