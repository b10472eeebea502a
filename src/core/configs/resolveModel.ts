import type { ConfigAccess, ConfigFile, ModelOrigin, ModelSource } from './configKind.js';
import { Fields } from './fields.js';
import { publishedModel } from './publishedModels.js';
import { withTrainedHead } from './trainedHead.js';

/** A model source that needs no more files. */
export type ResolvedModel = WithOrigin<Exclude<ModelSource, { kind: 'named' }>>;

/** Each member of a union with an origin. */
type WithOrigin<T> = T extends unknown ? Omit<T, 'origin'> & { origin: ModelOrigin | null } : never;

/** Finds the config of a model that is only named: beside the config, in the Hub's local cache, in the table of published ones. */
export async function resolveModel(source: ModelSource, access: ConfigAccess): Promise<ResolvedModel | null> {
  if (source.kind !== 'named') return { ...source, origin: 'origin' in source ? (source.origin ?? null) : null };
  const found = await findNamed(source, access);
  if (found?.kind !== 'fields') return found;
  const { instead, head } = source;
  const changed = instead === undefined ? found.fields : Fields.fromValues(instead).withIncluded(found.fields.node);
  return { ...found, fields: head === undefined ? changed : withTrainedHead(changed, head) };
}

async function findNamed(source: Extract<ModelSource, { kind: 'named' }>, access: ConfigAccess): Promise<ResolvedModel | null> {
  const name = source.name.trim().replace(/\/+$/, '');
  if (name === '') return null;
  const beside = await besideConfig(name, access);
  if (beside !== null) return { kind: 'fields', fields: beside.fields, origin: { kind: 'file', path: beside.path } };
  const cached = await access.openCached(name);
  if (isModel(cached)) return { kind: 'fields', fields: cached.fields, origin: { kind: 'hub-cache', name } };
  const published = publishedModel(name);
  return published === null
    ? null
    : { kind: 'fields', fields: published.fields, origin: { kind: 'published', name: published.name } };
}

/** A folder with a config.json, or the file itself. */
async function besideConfig(name: string, access: ConfigAccess): Promise<ConfigFile | null> {
  const inFolder = await access.open(`${name}/config.json`);
  if (isModel(inFolder)) return inFolder;
  const itself = name.endsWith('.json') ? await access.open(name) : null;
  return isModel(itself) ? itself : null;
}

function isModel(file: ConfigFile | null): file is ConfigFile {
  return file !== null && file.fields.has('model_type', 'architectures');
}
