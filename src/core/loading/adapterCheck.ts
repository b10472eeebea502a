/**
 * PEFT adapters against the base model that their config names: the modules that PEFT makes of both, and what it loads into these (peft/peft_model.py:
 * load_adapter; peft/utils/save_and_load.py: set_peft_model_state_dict; 0.21). It fails for tensors of another shape, for modules that are saved whole and are
 * not there, and where no module of the base is a target; it warns of low-rank matrices that are missing, and leaves out what it has no module for.
 */
import { appendAll } from '../bytes/appendAll.js';
import { compareAdapters, type AdapterComparison as RankComparison } from '../checkpoints/adapterSizes.js';
import type { ReadResult } from '../checkpoints/readFiles.js';
import type { ConfigAccess } from '../configs/configKind.js';
import { adaptedBase, labelsIn } from './adaptedModel.js';
import { baseOf } from './adapterBase.js';
import { refusedSetting } from './adapterSettings.js';
import { compareTensors } from './adapterTensors.js';
import { memberOf } from '../formats/text/jsonMember.js';
import { openedName } from './openedFiles.js';
import { otherRank, judge, type Compared, type ComparedAdapters } from './adapterVerdict.js';
import { loadedAdapter, type LoadedAdapter } from './loadedAdapter.js';
import { nothingToCheck, worsen, type LoadCheck } from './loadCheck.js';
import { adaptersIn, type StoredAdapter } from './storedAdapters.js';
import { noDifferences } from './tensors/tensorDifferences.js';

export interface AdapterCheck extends ComparedAdapters {
  /** What each is loaded into. */
  loaded: LoadedAdapter[];
}

/**
 * All adapters of a directory and of those below it.
 * Undefined where there are none.
 * @param access where configs of base models are looked for; null where nothing outside of the directory may be
 */
export async function adapterCheck(read: ReadResult, access: ConfigAccess | null): Promise<AdapterCheck | undefined> {
  const { parts, side } = read;
  const adapters = adaptersIn(parts, side.json);
  if (adapters.length === 0) return isConfigAlone(read) ? configAlone : undefined;
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

/** Whether the config of an adapter is beside a whole model, without the adapter: transformers asks PEFT for it all the same. */
function isConfigAlone(read: ReadResult): boolean {
  return openedName(read) !== undefined && typeof memberOf(read.side.json.get('adapter_config.json'), 'peft_type') === 'string';
}

const configAlone: AdapterCheck = {
  ...nothingToCheck,
  verdict: 'fails',
  why: 'adapter_config.json is beside the model, and there is no adapter_model.safetensors or adapter_model.bin: from_pretrained raises an error.',
  checked: ['adapter'],
  differences: noDifferences(),
  loaded: [],
};

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
