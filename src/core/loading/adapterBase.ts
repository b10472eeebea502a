/** The base model that the config of an adapter names, and where its config was found. */
import { hasOpenTargets } from '../configs/adapters/countAdapter.js';
import type { ConfigAccess, ModelOrigin } from '../configs/configKind.js';
import { countModel, type CountedModel } from '../configs/countModel.js';
import { Fields } from '../configs/fields.js';
import { joinPath, parentPath } from '../files/paths.js';
import { memberOf } from '../formats/text/jsonMember.js';
import { adapterFrom } from '../frameworks/peft/config.js';
import { noAccess } from './adaptedModel.js';
import type { StoredAdapter } from './storedAdapters.js';

/** The base model of an adapter. */
export interface Base {
  model: CountedModel;
  plan: ReturnType<typeof adapterFrom>;
  /** As the config names it. */
  name: string;
}

/** The base model, or why it is not known. */
export async function baseOf(
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
export function inWords({ name, model: { origin } }: Base): string {
  return `${name}, ${originInWords(origin)}`;
}

function originInWords(origin: ModelOrigin | null): string {
  if (origin === null) return 'beside the adapter';
  if (origin.kind === 'file') return `config at ${origin.path}`;
  return origin.kind === 'hub-cache' ? 'config in the cache of the Hugging Face Hub' : 'config in the table of published ones';
}
