/** `adapter_config.json` (peft/config.py, peft/tuners/lora/config.py). */
import type { ConfigAccess, ConfigKind } from '../../configs/configKind.js';
import type { Fields } from '../../configs/fields.js';
import type { AdapterPlan, PlanNote } from '../../configs/trainingPlan.js';
import { hasOpenTargets } from '../../configs/adapters/countAdapter.js';
import { openBeside } from '../../configs/values/openBeside.js';
import { givenRank, trainedTokensOf } from '../../configs/plans/adapterPlan.js';
import { planOf } from '../../configs/plans/planOf.js';

export const peftAdapter: ConfigKind = {
  id: 'peft-adapter',
  match: ({ document, fields }) => document.syntax === 'json' && fields.has('peft_type'),
  read({ fields }) {
    const name = fields.text('base_model_name_or_path');
    const adapter = adapterFrom(fields);
    return {
      model: name === undefined || name === '' ? null : { kind: 'named', name, key: 'base_model_name_or_path' },
      plan: planOf({
        writer: 'huggingface-trainer',
        adapter,
        savesOptimizer: false,
        // Modules that are trained whole keep what the base is loaded in.
        loadedDtype: 'of-release',
        notes: hasOpenTargets(adapter) ? ['default-adapter-targets'] : undefined,
      }),
    };
  },
};

/** The adapter that is trained further, of a folder beside the config; one that is not counted where it is not there, which is noted. */
export async function adapterInFolder(folder: string | undefined, access: ConfigAccess, notes: PlanNote[]): Promise<AdapterPlan> {
  const file = folder === undefined ? null : await openBeside(`${folder.replace(/\/$/, '')}/adapter_config.json`, access);
  if (file?.document.syntax === 'json' && file.fields.has('peft_type')) return adapterFrom(file.fields);
  notes.push('adapter-elsewhere');
  return { kind: 'other', rank: 0, targets: [] };
}

/** The members of an adapter_config.json, which are the arguments of PEFT's classes. */
export function adapterFrom(fields: Fields): AdapterPlan {
  const kind = kindOf(fields);
  const saved = fields.texts('modules_to_save');
  const pattern = ranksOf(fields.at('rank_pattern'));
  const layers = fields.integers('layers_to_transform');
  const alpha = fields.number('lora_alpha');
  const bias = fields.text('bias');
  const excluded = fields.texts('exclude_modules');
  const parameters = fields.texts('target_parameters');
  const task = fields.text('task_type');
  return {
    kind,
    ...rankOf(fields, kind),
    ...(kind === 'oft' ? blocksOf(fields) : {}),
    targets: targetsOf(fields),
    ...(alpha === undefined ? {} : { alpha }),
    ...(pattern === null ? {} : { rankPattern: pattern }),
    ...(saved === undefined || saved.length === 0 ? {} : { savedModules: saved }),
    // An empty list is none (peft/tuners/tuners_utils.py, check_target_module_exists).
    ...(layers === undefined || layers.length === 0 ? {} : { layers }),
    ...(bias === undefined ? {} : { bias }),
    ...(excluded === undefined ? {} : { excludedModules: excluded }),
    ...(parameters === undefined || parameters.length === 0 ? {} : { targetParameters: parameters }),
    ...trainedTokensOf(fields, 'trainable_token_indices'),
    ...(fields.flag('lora_bias') === true ? { hasAdapterBias: true } : {}),
    ...(task === undefined ? {} : { task }),
    ...(isAdaLora(fields) ? { hasSingularValues: true } : {}),
  };
}

/** A text in place of a list is a pattern of whole names (peft/tuners/tuners_utils.py, check_target_module_exists): in brackets it is no end of them. */
function targetsOf(fields: Fields): readonly string[] {
  const text = fields.text('target_modules');
  if (text === undefined) return fields.texts('target_modules') ?? [];
  return /^[\w.-]+$/.test(text) && text.toLowerCase() !== 'all-linear' ? [`(${text})`] : [text];
}

/** `r` of LoRA, which may be left out (peft/tuners/lora/config.py); of OFT the number of blocks. */
function rankOf(fields: Fields, kind: AdapterPlan['kind']): Pick<AdapterPlan, 'rank' | 'isDefaultRank'> {
  if (isAdaLora(fields)) return givenRank(fields.integer('init_r'), 12);
  const rank = fields.integer('r');
  if (kind === 'lora' || kind === 'dora') return givenRank(rank, 8);
  return { rank: rank ?? 0 };
}

/** Its matrices have `init_r` while it trains, and one number more for each rank; `r` is not used (peft/tuners/adalora/config.py, layer.py). */
function isAdaLora(fields: Fields): boolean {
  return fields.text('peft_type')?.toUpperCase() === 'ADALORA';
}

function kindOf(fields: Fields): AdapterPlan['kind'] {
  const type = fields.text('peft_type')?.toUpperCase();
  if (type === 'LORA') return fields.flag('use_dora') === true ? 'dora' : 'lora';
  // It has usual targets of its own, and where ranks were reduced, a rank in each matrix (peft/tuners/adalora).
  if (type === 'ADALORA') return fields.has('target_modules') && fields.at('rank_pattern').keys.length === 0 ? 'lora' : 'other';
  return type === 'OFT' ? 'oft' : 'other';
}

/** peft/tuners/oft/config.py */
function blocksOf(fields: Fields): Pick<AdapterPlan, 'blockSize' | 'sharesBlocks'> {
  return { blockSize: fields.integer('oft_block_size') ?? 32, sharesBlocks: fields.flag('block_share') === true };
}

function ranksOf(pattern: Fields): Record<string, number> | null {
  const ranks: Record<string, number> = {};
  for (const key of pattern.keys) {
    const rank = pattern.integer(key);
    if (rank !== undefined && key !== '__proto__') ranks[key] = rank;
  }
  return Object.keys(ranks).length === 0 ? null : ranks;
}
