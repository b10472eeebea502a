import type { ConfigAccess, ConfigFile } from '../configKind.js';
import { type ConfigMap, type ConfigNode, emptyMap, nowhere } from '../document/configNode.js';
import { Fields } from '../fields.js';
import type { PlanNote } from '../trainingPlan.js';

/** Files that one config builds upon, and files that these build upon. */
const mostFiles = 30;

/**
 * A file together with the configs of its `defaults:` list (Hydra, "The Defaults List"): `base`, and `group: name`, which is the file
 * `group/name.yaml` below the key `group`. Those of the same folder are read, and of the folders of `hydra.searchpath`; what the file says itself goes before
 * them.
 */
export async function withHydraDefaults({ fields }: ConfigFile, access: ConfigAccess, notes: PlanNote[]): Promise<Fields> {
  if (!fields.has('defaults')) return fields;
  const includes = new Includes(access, searchedFolders(fields));
  const whole = await includes.of(fields.node, '');
  if (includes.isMissing) notes.push('base-config-missing');
  for (const path of includes.circular) fields.problem('circular', 'defaults', path);
  return fields.withIncluded(whole);
}

/** Its own folder, and those below where the program is started: `file://verl/trainer/config`, `pkg://verl.trainer.config`. */
function searchedFolders(fields: Fields): string[] {
  const named = (fields.at('hydra').texts('searchpath') ?? []).slice(0, mostFiles).flatMap((text) => {
    const [, scheme, path = ''] = /^(?:(file|pkg):\/\/)?(.*?)\/?$/.exec(text) ?? [];
    const folder = scheme === 'pkg' ? path.replaceAll('.', '/') : path.replace(/^\.\//, '');
    return isPath(folder) ? [`${folder}/`] : [];
  });
  return ['', ...named];
}

class Includes {
  isMissing = false;
  /** Files that build upon themselves. */
  readonly circular = new Set<string>();
  /** Files that were read, and those that are being read. */
  private readonly known = new Map<string, ConfigMap | 'open'>();

  constructor(
    private readonly access: ConfigAccess,
    private readonly folders: readonly string[],
  ) {}

  /** What the list of a map brings in; later entries go before earlier ones. */
  async of(map: ConfigMap, folder: string): Promise<ConfigMap> {
    const list = map.members.get('defaults')?.value;
    let whole = Fields.of({ root: emptyMap });
    for (const entry of list?.kind === 'list' ? list.items.slice(0, mostFiles) : []) {
      const named = entryOf(entry);
      if (named === null) continue;
      const next = await this.open(named.path, folder);
      if (next !== null) whole = Fields.of({ root: below(named.group, next) }).withIncluded(whole.node);
    }
    return whole.node;
  }

  private async open(path: string, folder: string): Promise<ConfigMap | null> {
    for (const root of new Set([folder, ...this.folders])) {
      const found = await this.openAt(`${root}${path}`);
      if (found === 'open') this.circular.add(path);
      if (found !== null) return found === 'open' ? null : found;
    }
    this.isMissing = true;
    return null;
  }

  private async openAt(path: string): Promise<ConfigMap | 'open' | null> {
    const known = this.known.get(path);
    if (known !== undefined || this.known.size >= mostFiles) return known ?? null;
    const file = (await this.access.open(`${path}.yaml`)) ?? (await this.access.open(`${path}.yml`));
    if (file === null) return null;
    this.known.set(path, 'open');
    const map = await this.of(file.fields.node, path.slice(0, path.lastIndexOf('/') + 1));
    const whole = file.fields.withIncluded(map).node;
    this.known.set(path, whole);
    return whole;
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
