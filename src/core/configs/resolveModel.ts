import type { ConfigAccess, ModelOrigin, ModelSource } from './configKind.js';

/** A model source that needs no more files. */
export type ResolvedModel = WithOrigin<Exclude<ModelSource, { kind: 'named' }>>;

/** Each member of a union with an origin. */
type WithOrigin<T> = T extends unknown ? Omit<T, 'origin'> & { origin: ModelOrigin | null } : never;

/** Finds the config of a model that is only named: beside the config, in the Hub's local cache, in the table of published ones. */
export async function resolveModel(source: ModelSource, access: ConfigAccess): Promise<ResolvedModel | null> {
  if (source.kind !== 'named') return { ...source, origin: 'origin' in source ? (source.origin ?? null) : null };
  const file = (await access.open(`${source.name}/config.json`)) ?? (await access.openCached(source.name));
  return file === null ? null : { kind: 'fields', fields: file.fields, origin: { kind: 'file', path: file.path } };
}
