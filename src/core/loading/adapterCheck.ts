/**
 * PEFT adapters against the base model that their config names: the modules that PEFT makes of both, and what it loads into these (peft/peft_model.py:
 * load_adapter; peft/utils/save_and_load.py: set_peft_model_state_dict; 0.21). It fails for tensors of another shape, for modules that are saved whole and are
 * not there, and where no module of the base is a target; it warns of low-rank matrices that are missing, and leaves out what it has no module for.
 */
import { appendAll } from '../bytes/appendAll.js';
import { limits } from '../bytes/limits.js';
import { compareAdapters, type AdapterComparison as RankComparison } from '../checkpoints/adapterSizes.js';
import { damagedFiles } from '../checkpoints/damagedFiles.js';
import type { Parts } from '../checkpoints/parts.js';
import type { ReadResult } from '../checkpoints/readFiles.js';
import { hasOpenTargets } from '../configs/adapters/countAdapter.js';
import { countModel, type CountedModel } from '../configs/countModel.js';
import type { ConfigAccess, ModelOrigin } from '../configs/configKind.js';
import { Fields } from '../configs/fields.js';
import { defaultAdapterTargets } from '../configs/adapters/adapterTargets.js';
import { baseName, joinPath, parentPath } from '../files/paths.js';
import type { Finding } from '../findings/finding.js';
import { memberOf } from '../formats/text/jsonMember.js';
import { adapterFrom } from '../frameworks/peft/config.js';
import { counted } from '../text/quantities.js';
import { adaptedBase, labelsIn, noAccess, type AdaptedBase } from './adaptedModel.js';
import { refusedSetting } from './adapterSettings.js';
import type { StoredTensor } from './adapterNames.js';
import { compareTensors, type AdapterComparison } from './adapterTensors.js';
import { absentModules, tokenBeyond } from './adapterTokens.js';
import { nothingToCheck, worsen, type LoadCheck } from './loadCheck.js';
import { noDifferences, type TensorDifferences } from './tensors/compareTensors.js';
import { wrapperOf, type Wrapper } from './tensors/wrappedNames.js';

const configName = 'adapter_config.json';

/** An adapter of the checkpoint. */
interface StoredAdapter {
  /** Path of its config. */
  path: string;
  config: Readonly<Record<string, unknown>>;
  tensors: StoredTensor[];
  isDamaged: boolean;
  /** PEFT's loader enlarges the embeddings of the base by the tokenizer that is saved with an adapter (peft/auto.py). */
  hasTokenizer: boolean;
}

export interface AdapterCheck extends LoadCheck {
  /** Of all adapters that were compared. */
  differences: TensorDifferences;
  /** What each is loaded into. */
  loaded: LoadedAdapter[];
}

/** An adapter, and what it is loaded into. */
export interface LoadedAdapter {
  /** Its folder in the checkpoint; empty for the checkpoint itself. */
  directory: string;
  tensors: readonly StoredTensor[];
  /** As its config names it; undefined where it names none. */
  task: string | undefined;
  /** Of its output layer, where the config of the base does not give them: `from_pretrained` has to be told. */
  labels?: number;
  /** The base model as the class of the task; null where its config was not found. */
  base: CountedModel | null;
}

/**
 * All adapters of a directory and of those below it.
 * Undefined where there are none.
 * @param access where configs of base models are looked for; null where nothing outside of the directory may be
 */
export async function adapterCheck({ parts, side }: ReadResult, access: ConfigAccess | null): Promise<AdapterCheck | undefined> {
  const adapters = adaptersIn(parts, side.json);
  if (adapters.length === 0) return undefined;
  const ranks = compareAdapters(parts, side.json);
  const stored = adapters.reduce((sum, { tensors }) => sum + tensors.length, 0);
  const check: AdapterCheck = {
    ...nothingToCheck,
    ...{ checked: [], notChecked: [], findings: [], done: [] },
    differences: noDifferences(stored),
    loaded: [],
  };
  for (const adapter of adapters) {
    const setting = adapter.isDamaged ? undefined : refusedSetting(adapter.config);
    if (setting !== undefined) {
      noteRefused(check, adapter, setting);
      continue;
    }
    const compared = await compareWithBase(adapter, side.json, access);
    if (typeof compared === 'string') noteUncompared(check, adapter, compared, ranks);
    else judge(check, adapter, compared);
    if (!adapter.isDamaged)
      check.loaded.push(loadedAdapter(adapter, typeof compared === 'string' ? undefined : compared.adapted));
  }
  return check;
}

function loadedAdapter({ path, tensors, config }: StoredAdapter, adapted: AdaptedBase | undefined): LoadedAdapter {
  const task = config['task_type'];
  const labels = adapted?.hasOwnHead === false ? labelsIn(tensors) : undefined;
  return {
    directory: parentPath(path),
    tensors,
    task: typeof task === 'string' ? task : undefined,
    base: adapted?.model ?? null,
    ...(labels === undefined ? {} : { labels }),
  };
}

interface Compared {
  base: Base;
  adapted: AdaptedBase;
  comparison: AdapterComparison;
}

/** An adapter against its base model, or why it is not compared. */
async function compareWithBase(
  adapter: StoredAdapter,
  json: ReadonlyMap<string, unknown>,
  access: ConfigAccess | null,
): Promise<Compared | string> {
  if (adapter.isDamaged) return 'its files are damaged';
  const unusual = unusualKeys.find((key) => isSet(adapter.config[key]));
  if (unusual !== undefined) return `its config sets ${unusual}`;
  const base = await baseOf(adapter, json, access);
  if (typeof base === 'string') return base;
  const adapted = await adaptedBase(base.model, adapter.config, labelsIn(adapter.tensors));
  if (typeof adapted === 'string') return `it is for the class ${adapted}, of which the modules are not known`;
  const comparison = compareTensors(adapter.tensors, adapted.model, base.plan, adapted.hasOwnHead);
  return comparison === null ? 'adapters of this kind are not compared with their base' : { base, adapted, comparison };
}

function noteRefused(check: LoadCheck, { path }: StoredAdapter, facts: NonNullable<ReturnType<typeof refusedSetting>>): void {
  check.findings.push({ code: 'adapter-settings-refused', path, facts });
  check.notChecked.push({ what: 'adapter', detail: `${path}: PEFT refuses its ${facts.setting}` });
  worsen(check, 'fails', `PEFT refuses the ${facts.setting} of ${path}.`);
}

function noteUncompared(check: LoadCheck, { path }: StoredAdapter, reason: string, ranks: RankComparison): void {
  check.notChecked.push({ what: 'adapter', detail: `${path}: ${reason}` });
  if (ranks.compared.includes(path)) check.done.push(`${path}: rank against the shapes of the tensors`);
  const own = ranks.findings.filter((finding) => finding.path === path);
  appendAll(check.findings, own);
  if (own.length > 0) worsen(check, 'fails', otherRank);
  else worsen(check, 'unknown', `The adapter was not compared with its base model: ${reason}.`);
}

const otherRank = 'The adapter has another rank than its config.';

/** Settings that add tensors, or other modules than the targets (peft/tuners/lora/config.py). */
const unusualKeys = [
  'layer_replication',
  'ensure_weight_tying',
  'use_qalora',
  'use_bdlora',
  'monteclora_config',
  'kasa_config',
  'velora_config',
];

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

interface Base {
  model: CountedModel;
  plan: ReturnType<typeof adapterFrom>;
  /** As the config names it. */
  name: string;
}

/** The base model, or why it is not known. */
async function baseOf(
  { config, path }: StoredAdapter,
  json: ReadonlyMap<string, unknown>,
  access: ConfigAccess | null,
): Promise<Base | string> {
  const plan = adapterFrom(Fields.fromValues(config));
  const named = config['base_model_name_or_path'];
  const name = typeof named === 'string' ? named : '';
  if (hasOpenTargets(plan) && memberOf(config, 'target_modules') === undefined && name === '')
    return 'it names neither a base model nor modules';
  for (const candidate of name === '' || access === null ? [] : [name, ...namesInCache(name)]) {
    const { model, missing } = await countModel(
      { kind: 'named', name: candidate, key: 'base_model_name_or_path' },
      access as ConfigAccess,
    );
    if (model !== null) return { model, plan, name };
    if (missing.why === 'unknown-architecture') return `the modules of its base model (${name}) are not known`;
  }
  const beside = json.get(joinPath(parentPath(path), 'config.json'));
  if (typeof beside === 'object' && beside !== null && memberOf(beside, 'model_type') !== undefined) {
    const fields = Fields.fromValues(beside as Record<string, unknown>);
    const { model } = await countModel({ kind: 'fields', fields }, noAccess);
    if (model !== null) return { model, plan, name: 'config.json' };
  }
  if (name === '') return 'it names no base model';
  return access === null
    ? `its base model (${name}) is not looked for outside of this directory`
    : `its base model (${name}) is neither here nor in the cache of the Hugging Face Hub`;
}

/** `org/name` of a path into another machine's cache: `…/models--org--name/snapshots/<hash>`. */
function namesInCache(name: string): string[] {
  const found = /(?:^|[/\\])models--([\w.-]{1,96}?)--([\w.-]{1,96})(?:[/\\]|$)/.exec(name);
  return found === null ? [] : [`${found[1] ?? ''}/${found[2] ?? ''}`];
}

/** `org/name, in the cache of the Hugging Face Hub`: its name, and where its config was found. */
function inWords({ name, model: { origin } }: Base): string {
  return `${name}, ${originInWords(origin)}`;
}

function originInWords(origin: ModelOrigin | null): string {
  if (origin === null) return 'beside the adapter';
  if (origin.kind === 'file') return `config at ${origin.path}`;
  return origin.kind === 'hub-cache' ? 'config in the cache of the Hugging Face Hub' : 'config in the table of published ones';
}

/** PEFT's own prefix aside. */
function adapterWrapper(name: string): Wrapper | undefined {
  return wrapperOf(name.replace(/(^|\.)base_model\.model\./, '$1'));
}

function judge(check: AdapterCheck, adapter: StoredAdapter, { base, adapted, comparison: found }: Compared): void {
  const { path, hasTokenizer } = adapter;
  const { model, plan } = base;
  const whose = inWords(base);
  if (!check.checked.includes('adapter')) check.checked.push('adapter');
  const tensors = counted(adapter.tensors.length, 'tensor');
  check.done.push(`${path}: ${tensors} against ${model.name} (${whose})${found.open.length === 0 ? '' : ', shapes alone'}`);
  addDifferences(check.differences, found);
  const add = (finding: Finding, verdict: LoadCheck['verdict'], why: string): void => {
    check.findings.push(finding);
    worsen(check, verdict, why);
  };
  if (found.hasNoTarget) {
    const usual = defaultAdapterTargets(model.modelType ?? '') ?? [];
    const text = adapter.config['target_modules'];
    const named = typeof text === 'string' ? [text] : plan.targets;
    const targets = (named.length > 0 ? named : usual).slice(0, MAX_NAMED).join(', ');
    add(
      { code: 'adapter-targets-missing', path, facts: { targets, base: whose, usual: usual.join(', ') } },
      'fails',
      'The base model has no module that the adapter targets.',
    );
    return;
  }
  const names = (adapted.model.groups ?? []).map(({ name }) => name);
  const [absentModule] = found.open.length > 0 ? [] : absentModules(adapter.config, names);
  if (absentModule !== undefined) {
    add(
      { code: 'adapter-targets-missing', path, facts: { targets: absentModule, base: whose, usual: '' } },
      'fails',
      `The base model has no module ${absentModule}, of which the adapter trains tokens.`,
    );
    return;
  }
  const beyond = tokenBeyond(adapter.config, found.tokens);
  if (beyond !== undefined)
    add(
      { code: 'adapter-tokens-beyond-embedding', path, facts: { ...beyond, base: whose } },
      hasTokenizer ? 'loads-with-warnings' : 'fails',
      `trainable_token_indices has ${beyond.token}, and the embedding of the base model has ${counted(beyond.rows, 'row')}.`,
    );
  const wrapped = found.unexpected.map(({ name: own }) => own).filter((own) => adapterWrapper(own) !== undefined);
  const [tensor] = wrapped;
  if (tensor !== undefined) {
    const { segment, of } = adapterWrapper(tensor) as Wrapper;
    add(
      { code: 'tensor-names-wrapped', path, facts: { tensors: wrapped.length, segment, of, tensor } },
      'loads-with-warnings',
      `Names of the adapter are those of a wrapper, ${of}: ${tensor}.`,
    );
    return;
  }
  const empty = found.mismatched.filter(({ found: shape }) => shape.includes(0));
  if (empty[0] !== undefined) {
    add(
      { code: 'weights-are-placeholders', path, facts: { tensors: empty.length, tensor: empty[0].name } },
      'fails',
      'Tensors of the adapter have no values.',
    );
    return;
  }
  const [rank] = found.ranks;
  if (rank !== undefined)
    add(
      { code: 'config-sizes-differ', path, facts: { what: 'LoRA rank', config: rank.expected, stored: rank.found } },
      'fails',
      otherRank,
    );
  const [mismatch] = found.mismatched;
  if (mismatch !== undefined) {
    const { name: tensor, expected, found: stored } = mismatch;
    const facts = {
      tensors: found.mismatched.length,
      tensor,
      expected: expected.join(' × '),
      found: stored.join(' × '),
      base: whose,
    };
    const isResized = isOfOtherVocabulary(found);
    const isEnlarged = isResized && hasTokenizer && (mismatch.vocabulary?.adapter ?? 0) > (mismatch.vocabulary?.base ?? 0);
    if (isResized)
      add(
        { code: 'adapter-vocabulary-differs', path, facts: { ...facts, isEnlarged } },
        isEnlarged ? 'loads-with-warnings' : 'fails',
        'The adapter has another vocabulary than its base model.',
      );
    else add({ code: 'adapter-of-other-base', path, facts }, 'fails', 'The adapter has other shapes than its base model.');
  }
  const [absent] = found.required;
  if (absent !== undefined)
    add(
      { code: 'adapter-modules-unsaved', path, facts: { tensors: found.required.length, first: absent.name } },
      'fails',
      'Modules that the adapter is to have whole are not in it.',
    );
  const [missing] = found.missing;
  if (missing !== undefined)
    add(
      {
        code: 'adapter-tensors-missing',
        path,
        facts: { missing: found.missing.length, expected: found.expected, first: missing.name },
      },
      'loads-with-warnings',
      'Tensors of the adapter are missing.',
    );
  const [unexpected] = found.unexpected;
  if (unexpected !== undefined)
    add(
      {
        code: 'adapter-tensors-unused',
        path,
        facts: { unused: found.unexpected.length, stored: adapter.tensors.length, first: unexpected.name },
      },
      'loads-with-warnings',
      'Tensors of the adapter have no module.',
    );
  const [reason] = found.open;
  if (reason === undefined) return;
  const others = found.open.length === 1 ? '' : `, and ${counted(found.open.length - 1, 'other reason')}`;
  check.notChecked.push({ what: 'adapter', detail: `${path}: shapes alone were compared, as ${reason}${others}` });
  worsen(check, 'unknown', `Not all modules that the adapter adapts are known: ${reason}.`);
}

function addDifferences({ counts, missing, unexpected, mismatched }: TensorDifferences, found: AdapterComparison): void {
  const lacking = [...found.required, ...found.missing];
  counts.expected += found.compared;
  counts.missing += lacking.length;
  counts.unexpected += found.unexpected.length;
  counts.mismatched += found.mismatched.length + found.ranks.length;
  appendAll(
    missing,
    firstOf(missing, lacking).map(({ name, shape }) => ({ name, shape: [...(shape ?? [])] })),
  );
  appendAll(
    unexpected,
    firstOf(unexpected, found.unexpected).map(({ name, shape }) => ({ name, shape: [...shape] })),
  );
  appendAll(
    mismatched,
    firstOf(mismatched, [...found.mismatched, ...found.ranks.map(({ tensor }) => tensor)]).map(
      ({ name, expected, found: shape }) => ({
        name,
        expected: [...expected],
        found: [...shape],
      }),
    ),
  );
}

/** As many as a list of the report still takes. */
function firstOf<Tensor>(listed: readonly unknown[], more: readonly Tensor[]): readonly Tensor[] {
  return more.slice(0, Math.max(0, limits.loadDifferences - listed.length));
}

/** Every tensor of another shape has the ids of one other vocabulary, and nothing else differs: the base was resized before the adapter was trained. */
function isOfOtherVocabulary({ mismatched }: AdapterComparison): boolean {
  const [first] = mismatched;
  return mismatched.every(
    ({ vocabulary }) =>
      vocabulary !== null && vocabulary.base === first?.vocabulary?.base && vocabulary.adapter === first.vocabulary.adapter,
  );
}

const MAX_NAMED = 5;

/** With the tensors of the file that PEFT opens: `adapter_model.safetensors`, else `adapter_model.bin`. */
function adaptersIn(parts: Parts, json: ReadonlyMap<string, unknown>): StoredAdapter[] {
  const damaged = damagedFiles(parts);
  const paths = new Map(parts.files.map(({ path }, number) => [path, number]));
  const byFile = new Map<number, StoredAdapter>();
  const adapters: StoredAdapter[] = [];
  for (const [path, config] of json) {
    if (baseName(path) !== configName || typeof config !== 'object' || config === null) continue;
    const directory = parentPath(path);
    const file = ['adapter_model.safetensors', 'adapter_model.bin']
      .map((name) => joinPath(directory, name))
      .find((name) => paths.has(name));
    if (file === undefined) continue;
    const hasTokenizer = ['tokenizer.json', 'tokenizer_config.json'].some((name) => paths.has(joinPath(directory, name)));
    const isDamaged = damaged.has(file) || damaged.has(path);
    const adapter: StoredAdapter = { path, config: config as Record<string, unknown>, tensors: [], isDamaged, hasTokenizer };
    adapters.push(adapter);
    byFile.set(paths.get(file) as number, adapter);
  }
  const { tensors } = parts;
  for (let row = 0; byFile.size > 0 && row < tensors.size; row++) {
    const adapter = byFile.get(tensors.pieceFile(tensors.firstPieceOf(row)));
    adapter?.tensors.push({ name: tensors.nameOf(row), shape: tensors.shapeOf(row) });
  }
  return adapters;
}
