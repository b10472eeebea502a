import type { ConfigAccess, ConfigFile } from '../configKind.js';
import { type ConfigMap, type ConfigNode, emptyMap, nowhere } from '../document/configNode.js';
import { Fields } from '../fields.js';
import type { PlanNote } from '../trainingPlan.js';

/** Files that one config builds upon, and files that these build upon. */
const mostFiles = 30;

/**
 * A file together with the configs of its `defaults:` list (Hydra, "The Defaults List"): `base`, and `group: name`, which is the file
 * `group/name.yaml` below the key `group`. Those of the same folder are read; what the file says itself goes before them.
 */
export async function withHydraDefaults({ fields }: ConfigFile, access: ConfigAccess, notes: PlanNote[]): Promise<Fields> {
  if (!fields.has('defaults')) return fields;
  const found = await new Includes(access).of(fields.node, 'defaults', '');
  if (found.isMissing) notes.push('base-config-missing');
  return fields.withIncluded(found.map);
}

interface Included {
  map: ConfigMap;
  isMissing: boolean;
}

class Includes {
  private readonly seen = new Set<string>();

  constructor(private readonly access: ConfigAccess) {}

  /** What the list of a map brings in; later entries go before earlier ones. */
  async of(map: ConfigMap, key: string, folder: string): Promise<Included> {
    const list = map.members.get(key)?.value;
    let whole = Fields.of({ root: emptyMap });
    let isMissing = false;
    for (const entry of list?.kind === 'list' ? list.items.slice(0, mostFiles) : []) {
      const named = entryOf(entry);
      if (named === null) continue;
      const next = await this.open(`${folder}${named.path}`);
      if (next === null) isMissing = true;
      else whole = Fields.of({ root: below(named.group, next) }).withIncluded(whole.node);
    }
    return { map: whole.node, isMissing };
  }

  private async open(path: string): Promise<ConfigMap | null> {
    if (this.seen.has(path) || this.seen.size >= mostFiles) return null;
    this.seen.add(path);
    const file = (await this.access.open(`${path}.yaml`)) ?? (await this.access.open(`${path}.yml`));
    if (file === null) return null;
    const { map } = await this.of(file.fields.node, 'defaults', path.slice(0, path.lastIndexOf('/') + 1));
    return file.fields.withIncluded(map).node;
  }
}

/** `model: llama`, `override model: llama`, `model@actor: llama`, `base`. `_self_` is the file itself, null leaves a group out. */
function entryOf(entry: ConfigNode): { path: string; group: string[] } | null {
  if (entry.kind === 'scalar')
    return typeof entry.value === 'string' && isPath(entry.value) ? { path: entry.value, group: [] } : null;
  if (entry.kind !== 'map') return null;
  for (const { key, value } of entry.members.values()) {
    if (value.kind !== 'scalar' || typeof value.value !== 'string') continue;
    const [group = '', place] = key.replace(/^(?:override|optional)\s+/, '').split('@');
    const path = `${group}/${value.value}`.replace(/\.ya?ml$/, '');
    if (!isPath(path)) continue;
    return {
      path,
      group: place === '_global_' ? [] : (place ?? group).split(/[./]/).filter((part) => part !== '' && part !== '_here_'),
    };
  }
  return null;
}

/** Below the same folder. */
function isPath(text: string): boolean {
  return text !== '_self_' && /^[\w.-]+(?:\/[\w.-]+)*$/.test(text) && !text.split('/').includes('..');
}

function below(group: readonly string[], map: ConfigMap): ConfigMap {
  return group.reduceRight<ConfigMap>(
    (inner, key) => ({ kind: 'map', span: nowhere, members: new Map([[key, { key, keySpan: nowhere, value: inner }]]) }),
    map,
  );
}
