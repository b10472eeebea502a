/**
 * Python code that the JSON files of Hugging Face libraries name: `auto_map` and `custom_pipelines` (transformers/dynamic_module_utils.py,
 * get_class_from_dynamic_module), `_class_name` and components of `model_index.json` (diffusers/pipelines/pipeline_loading_utils.py), `type` of
 * `modules.json` (sentence_transformers/util.py, import_from_string), `auto_mapping` of PEFT (peft/auto.py). Nothing is imported.
 */
import type { PlaceOfCode } from '../../findings/codeFindings.js';
import { boundedFindings } from '../../findings/boundedFindings.js';
import type { FileFinding } from '../../findings/finding.js';
import { baseName } from '../../files/paths.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { formatCount } from '../../text/units.js';
import { memberOf } from '../text/jsonMember.js';

/** Whether a file is in the directory of the config, by its path below that. */
export type PlaceOf = (file: string) => PlaceOfCode;

const transformers = 'transformers with trust_remote_code=True';
const diffusers = 'diffusers with trust_remote_code=True, or with this directory as custom_pipeline';
const sentenceTransformers = 'sentence-transformers with trust_remote_code=True';

/** A class that a config names. */
interface Reference {
  key: string;
  /** `module.Class`, after `repository--` where it is another one. */
  name: string;
  runBy: string;
}

/**
 * What a parsed JSON file names, one finding a file of code.
 * @throws FormatError `limit-exceeded`
 */
export function codeOfConfig(path: string, root: unknown, placeOf: PlaceOf): FileFinding[] {
  const name = baseName(path);
  const found = [...autoMap(root), ...customPipelines(root), ...(name === 'modules.json' ? moduleTypes(root) : [])];
  return [
    ...findingsOf(found, placeOf),
    ...(name === 'model_index.json' ? pipelineCode(root, placeOf) : []),
    ...(name === 'adapter_config.json' ? autoMapping(root) : []),
  ];
}

/** `"auto_map": {"AutoModel": "modeling_x.XModel", "AutoTokenizer": ["tokenization_x.X", null]}` */
function autoMap(root: unknown): Reference[] {
  const map = memberOf(root, 'auto_map');
  // Feature extractors and tokenizers of older versions have one class, or a pair of a slow and a fast one, without a key.
  if (typeof map === 'string' || Array.isArray(map))
    return textsOf(map).map((name) => ({ key: 'auto_map', name, runBy: transformers }));
  return membersOf(map).flatMap(([auto, value]) =>
    textsOf(value).map((name) => ({ key: `auto_map.${auto}`, name, runBy: transformers })),
  );
}

/** `"custom_pipelines": {"pair": {"impl": "pair_classification.PairPipeline", "pt": [...]}}` */
function customPipelines(root: unknown): Reference[] {
  return membersOf(memberOf(root, 'custom_pipelines')).flatMap(([task, value]) =>
    textsOf(memberOf(value, 'impl')).map((name) => ({ key: `custom_pipelines.${task}.impl`, name, runBy: transformers })),
  );
}

/** `[{"idx": 0, "path": "", "type": "custom_st.Transformer"}]` */
function moduleTypes(root: unknown): Reference[] {
  if (!Array.isArray(root)) return [];
  return boundedEntries(root).flatMap((module, index) =>
    textsOf(memberOf(module, 'type'))
      .filter((type) => !type.startsWith('sentence_transformers.'))
      .map((name) => ({ key: `[${index}].type`, name, runBy: sentenceTransformers })),
  );
}

/**
 * `"_class_name": ["pipeline", "MyPipeline"]` is a module of the directory, as `"unet": ["my_unet", "MyUNet"]` is one of the component's
 * directory. Libraries go by the same form, so that a component counts where its module is there.
 */
function pipelineCode(root: unknown, placeOf: PlaceOf): FileFinding[] {
  return membersOf(root).flatMap(([key, value]): FileFinding[] => {
    if (!Array.isArray(value)) return [];
    const [module, name] = value as unknown[];
    if (typeof module !== 'string' || typeof name !== 'string') return [];
    const own = key === '_class_name' ? [`${module}.py`] : [`${key}/${module}.py`, `${module}.py`];
    const file = own.find((each) => placeOf(each) === 'here') ?? (key === '_class_name' ? own[0] : undefined);
    if (file === undefined) return [];
    return [
      {
        code: 'code-needed',
        facts: { key, names: shown(`${module}.${name}`), file: shown(file), place: placeOf(file), runBy: diffusers },
      },
    ];
  });
}

/** `"auto_mapping": {"base_model_class": "Net", "parent_library": "my_models"}`: PEFT imports the library by its name. */
function autoMapping(root: unknown): FileFinding[] {
  const mapping = memberOf(root, 'auto_mapping');
  const library = memberOf(mapping, 'parent_library');
  const name = memberOf(mapping, 'base_model_class');
  if (typeof library !== 'string' || library === '' || /^(transformers|diffusers|torch)(\.|$)/.test(library)) return [];
  const names = shown(typeof name === 'string' ? `${library}.${name}` : library);
  const facts = {
    key: 'auto_mapping',
    names,
    file: shown(library),
    place: 'installed' as const,
    runBy: 'AutoPeftModel.from_pretrained',
  };
  return [{ code: 'code-needed', facts }];
}

/** Classes of one file together, in the order of the config; those of other repositories come first. */
function findingsOf(references: readonly Reference[], placeOf: PlaceOf): FileFinding[] {
  const groups = new Map<string, Reference[]>();
  for (const reference of references) {
    const source = sourceOf(reference.name);
    const known = groups.get(source);
    if (known === undefined) groups.set(source, [reference]);
    else known.push(reference);
  }
  const isElsewhere = ([source]: [string, Reference[]]): boolean => partsOf(source)[0] !== undefined;
  const all = [...groups];
  return [all.filter(isElsewhere), all.filter((group) => !isElsewhere(group))].flatMap((same) =>
    boundedFindings(same, ([source, own]) => findingOf(source, own, placeOf)),
  );
}

function findingOf(source: string, own: readonly Reference[], placeOf: PlaceOf): FileFinding {
  const { key, runBy } = own[0] as Reference;
  const [repository, file] = partsOf(source);
  const names = listOf([...new Set(own.map(({ name }) => partsOf(name)[1]))]);
  if (repository !== undefined)
    return { code: 'code-elsewhere', facts: { key: shown(key), names, repository: shown(repository), runBy } };
  return { code: 'code-needed', facts: { key: shown(key), names, file: shown(file), place: placeOf(file), runBy } };
}

/** The file of a class: `modeling_x.py` of `modeling_x.XModel`, with its repository where that is another one. */
function sourceOf(name: string): string {
  const [repository, path] = partsOf(name);
  const dot = path.lastIndexOf('.');
  const file = `${(dot === -1 ? path : path.slice(0, dot)).replaceAll('.', '/')}.py`;
  return repository === undefined ? file : `${repository}--${file}`;
}

/** `someone/code--modeling_x.XModel` is a class of another repository. */
function partsOf(name: string): [repository: string | undefined, path: string] {
  const at = name.indexOf('--');
  return at === -1 ? [undefined, name] : [name.slice(0, at), name.slice(at + 2)];
}

/**
 * All entries of a list or a map: none is left out, as any of them may name code.
 * @throws FormatError `limit-exceeded`
 */
export function boundedEntries<Entry>(entries: readonly Entry[]): readonly Entry[] {
  if (entries.length > limits.codeEntries)
    throw new FormatError('limit-exceeded', `a list of ${formatCount(entries.length)} entries that may name code`);
  return entries;
}

function textsOf(value: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(value) ? boundedEntries(value) : [value];
  return values.filter((each): each is string => typeof each === 'string' && each !== '');
}

function membersOf(value: unknown): readonly [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return boundedEntries(Object.entries(value));
}

function listOf(names: readonly string[]): string {
  const first = names.slice(0, 3).map(shown).join(', ');
  return names.length > 3 ? `${first} and ${names.length - 3} more` : first;
}

/** A name out of a file, bounded. */
function shown(text: string): string {
  return text.length > limits.objectTextLength ? `${text.slice(0, limits.objectTextLength)}…` : text;
}
