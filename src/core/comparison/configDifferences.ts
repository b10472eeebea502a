/** Which keys of the JSON configs beside the tensors differ. */
import { FormatError } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import { readWhole } from '../bytes/readWhole.js';
import { baseName } from '../files/paths.js';
import { jsonFileValue } from '../formats/text/jsonValue.js';
import type { ComparedCheckpoint, SideName } from './comparedCheckpoint.js';
import type { NotCompared, SettingDifference, Sides } from './comparisonReport.js';
import { flatKeys, type FlatKeys } from './flatKeys.js';
import { areEqualTexts } from './settingDifferences.js';
import { withNewNames } from './modelKeys.js';
import { StatedKeys } from './statedKeys.js';

export interface ConfigDifferences {
  settings: SettingDifference[];
  /** Of `settings`, which has at most `limits.comparedDifferences`. */
  count: number;
  /** What config.json of each side sets: whether the output embedding is the input embedding; null where it sets neither. */
  tiesEmbeddings: Sides<boolean | null>;
  /** `model_type` of config.json, of A where it has one. */
  modelType?: string;
  notCompared: NotCompared[];
}

/** Logs that grow with each step, lists of all tensors, and files of a tokenizer, which are compared as a whole. */
const otherFiles = /(?:\.index\.json|^(?:tokenizer|vocab|merges|added_tokens|stowage-manifest)\.json)$/;
/** Of Trainer: what was logged so far, and how much was computed for it. */
const logKeys: ReadonlySet<string> = new Set(['log_history', 'total_flos']);

/** @throws FormatError `cancelled` */
export async function compareConfigs(
  a: ComparedCheckpoint,
  b: ComparedCheckpoint,
  signal: AbortSignal | undefined,
): Promise<ConfigDifferences> {
  const found: ConfigDifferences = { settings: [], count: 0, tiesEmbeddings: { a: null, b: null }, notCompared: [] };
  const [ofA, ofB] = [configsOf(a), configsOf(b)];
  const stated = { a: new StatedKeys(a.report.facts), b: new StatedKeys(b.report.facts) };
  for (const [name, path] of ofA) {
    const other = ofB.get(name);
    const own = await keysOf(a, 'a', path, found, signal);
    const keys = other === undefined ? undefined : await keysOf(b, 'b', other, found, signal);
    if (name === 'config.json') {
      noteModel(found, 'a', own);
      noteModel(found, 'b', keys);
    }
    if (own === undefined || keys === undefined || other === undefined) continue;
    addDifferences(found, { a: own, b: keys }, { a: path, b: other }, stated);
  }
  const config = ofA.has('config.json') ? undefined : ofB.get('config.json');
  if (config !== undefined) noteModel(found, 'b', await keysOf(b, 'b', config, found, signal));
  return found;
}

function noteModel(found: ConfigDifferences, side: SideName, keys: FlatKeys | undefined): void {
  found.tiesEmbeddings[side] = switchOf(keys, 'tie_word_embeddings') ?? switchOf(keys, 'text_config.tie_word_embeddings');
  const modelType = found.modelType ?? keys?.leaves.get('model_type');
  if (modelType !== undefined) found.modelType = modelType;
}

/** Null for a key that is not set, or set to something else. */
function switchOf(keys: FlatKeys | undefined, key: string): boolean | null {
  const value = keys?.leaves.get(key);
  return value === 'true' ? true : value === 'false' ? false : null;
}

/** By their names, the one nearest to the root of several. */
function configsOf({ report }: ComparedCheckpoint): Map<string, string> {
  const configs = new Map<string, string>();
  const depthOf = (path: string): number => path.split('/').length;
  const isConfig = (path: string, bytes: number): boolean =>
    path.endsWith('.json') && bytes > 0 && !otherFiles.test(baseName(path));
  for (const { path, bytes } of report.files) {
    if (!isConfig(path, bytes)) continue;
    const name = baseName(path);
    const known = configs.get(name);
    if (known === undefined ? configs.size < limits.comparedConfigs : depthOf(path) < depthOf(known)) configs.set(name, path);
  }
  return configs;
}

/** Undefined for one that is not read, which is noted. @throws FormatError `cancelled` */
async function keysOf(
  { tree }: ComparedCheckpoint,
  side: SideName,
  path: string,
  { notCompared }: ConfigDifferences,
  signal: AbortSignal | undefined,
): Promise<FlatKeys | undefined> {
  let source;
  try {
    source = await tree.open(path, signal);
    const value = jsonFileValue(await readWhole(source, limits.comparedConfigBytes, 'JSON', signal));
    const { leaves, isCut } = flatKeys(value, logKeys);
    const keys = { leaves: baseName(path) === 'config.json' ? withNewNames(leaves) : leaves, isCut };
    if (keys.isCut) notCompared.push({ what: 'config', side, reason: `${path} has more than ${limits.comparedKeys} keys.` });
    return keys;
  } catch (error) {
    if (FormatError.is(error) && error.code === 'cancelled') throw error;
    const detail = FormatError.is(error) ? error.detail : 'it is no JSON';
    notCompared.push({ what: 'config', side, reason: `${path} is not compared: ${detail}.` });
    return undefined;
  } finally {
    await source?.close();
  }
}

/** But for those that both sides have as facts, which are compared as such. */
function addDifferences(
  found: ConfigDifferences,
  { a, b }: Sides<FlatKeys>,
  files: Sides<string>,
  stated: Sides<StatedKeys>,
): void {
  const add = (name: string, own: string | null, other: string | null): void => {
    if (stated.a.has(name, own) && stated.b.has(name, other)) return;
    found.count += 1;
    if (found.settings.length < limits.comparedDifferences)
      found.settings.push({ name, kind: 'config', label: name, a: own, b: other, files });
  };
  // Of a file with too many keys it is not known which it lacks.
  const areWhole = !a.isCut && !b.isCut;
  for (const [name, own] of a.leaves) {
    const other = b.leaves.get(name);
    if (other === undefined ? areWhole : !areEqualTexts(own, other)) add(name, own, other ?? null);
  }
  if (areWhole) for (const [name, other] of b.leaves) if (!a.leaves.has(name)) add(name, null, other);
}
