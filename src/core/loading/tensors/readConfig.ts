/** A config.json as the tensors that it asks for, and the same with one value changed. */
import { memberOf } from '../../formats/text/jsonMember.js';
import { appendAll } from '../../bytes/appendAll.js';
import type { ArchitectureReading } from '../../configs/architectures/architecture.js';
import { readArchitecture } from '../../configs/architectures/readArchitecture.js';
import { everTiedTypes } from '../../configs/architectures/families/encoderDecoderFamilies.js';
import { isHeadAssumed } from '../../configs/architectures/taskHead.js';
import { Fields } from '../../configs/fields.js';
import { formatCount } from '../../text/units.js';
import type { LayerKey, ReadWith } from './expectedTensors.js';

export interface ConfigTensors {
  reading: ArchitectureReading;
  /** The class is named, and its output layer is not known: that of a language model is compared. */
  isHeadAssumed: boolean;
  /** Null too once it was read as often as its length allows. */
  readWith: ReadWith;
  /** Whole numbers of the config and of the models in it. */
  numbers: LayerKey[];
  /** What tells of each layer in turn, with how many that is; read with fewer it is shortened. */
  layerLists: LayerKey[];
  /** Sizes that configs may leave out or have otherwise than as a number, with what classes then take. */
  implied: ImpliedKey[];
  /** Switches by which a class has tensors more or less. */
  switches: ConfigSwitch[];
}

export interface ConfigSwitch {
  path: readonly string[];
  /** Null where the config leaves it out. */
  value: boolean | null;
}

export interface ImpliedKey extends LayerKey {
  /** The config has it, in a list or a map; false where it leaves it out. */
  isWritten: boolean;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Whole numbers that are tried; the largest published configs have some hundred. */
const MOST_NUMBERS = 500;

/** Null where the config has no sizes to make tensors of, and where it is none: deep or long beyond all configs. */
export function readConfig(config: JsonObject): ConfigTensors | null {
  const values = valuesIn(config);
  if (typeof values === 'string') return null;
  const fields = fieldsAsLoaded(config);
  const reading = readArchitecture(fields);
  if (reading === null) return null;
  let readingsLeft = Math.floor(VALUES_TO_TRY / values);
  const models = [[], ['text_config']].filter((path) => isObject(at(config, path)));
  const parts = [...models, ['vision_config']].filter((path) => isObject(at(config, path)));
  return {
    reading,
    isHeadAssumed: isHeadAssumed(fields),
    numbers: numbersIn(config, []),
    layerLists: models.flatMap((path) => layerListsIn(at(config, path), path)),
    implied: parts.flatMap((path) => impliedIn(at(config, path), path)),
    switches: models.flatMap((path) =>
      switches.map((key): ConfigSwitch => {
        const value = memberOf(at(config, path), key);
        return { path: [...path, key], value: typeof value === 'boolean' ? value : null };
      }),
    ),
    readWith: (path, value) => (readingsLeft-- > 0 ? readArchitecture(fieldsAsLoaded(withValue(config, path, value))) : null),
  };
}

/** The config as the classes of transformers 5 take it, whichever release saved it. */
function fieldsAsLoaded(config: JsonObject): Fields {
  return Fields.fromValues(everTiedTypes.has(config['model_type']) ? { ...config, tie_word_embeddings: true } : config);
}

/** Values of a config with all its lists; those of 21,843 classes of images have 43,700 in both maps of labels. */
const MOST_VALUES = 100_000;
/** Values that are read again to try changes of a config, some 100 ns each. */
const VALUES_TO_TRY = 4_000_000;
const MOST_LEVELS = 16;

/** Why a config is not read, as the end of a sentence; undefined for one that is. */
export function whyNotRead(config: JsonObject): string | undefined {
  const values = valuesIn(config);
  return typeof values === 'number' ? undefined : `config.json ${values}`;
}

/** How many values there are; in words that there are too many, or more levels than readers of configs follow by recursion. */
function valuesIn(config: JsonObject): number | string {
  let values = 0;
  let level: unknown[] = [config];
  for (let depth = 0; depth < MOST_LEVELS && level.length > 0; depth++) {
    values += level.length;
    if (values > MOST_VALUES) return `has more than ${formatCount(MOST_VALUES)} values`;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? (Object.values(value) as unknown[]) : []));
  }
  return level.length === 0 ? values : `has more than ${MOST_LEVELS} levels`;
}

function numbersIn(config: JsonObject, path: readonly string[]): LayerKey[] {
  const found: LayerKey[] = [];
  for (const [key, value] of Object.entries(config)) {
    if (found.length >= MOST_NUMBERS) break;
    const own = [...path, key];
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) found.push({ path: own, value });
    else if (path.length < 2 && isObject(value)) appendAll(found, numbersIn(value, own));
  }
  return found;
}

/** By which classes count their layers (configuration_nemotron_h.py). */
const layerLists = ['hybrid_override_pattern', 'layers_block_type'] as const;

function layerListsIn(config: unknown, path: readonly string[]): LayerKey[] {
  return layerLists.flatMap((key) => {
    const value = memberOf(config, key);
    return isListed(value) && value.length > 0 ? [{ path: [...path, key], value: value.length }] : [];
  });
}

function isListed(value: unknown): value is string | unknown[] {
  return typeof value === 'string' || Array.isArray(value);
}

/** Biases of attention and feed-forward layers, and whether the output layer is the embedding. */
const switches = ['attention_bias', 'mlp_bias', 'qkv_bias', 'use_bias', 'tie_word_embeddings'] as const;

function at(config: JsonObject, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => memberOf(value, key), config);
}

/** As many heads of keys as of queries, heads that fill the width, and two labels (transformers/configuration_utils.py). */
function impliedIn(config: unknown, path: readonly string[]): ImpliedKey[] {
  const [heads, width, labels] = ['num_attention_heads', 'hidden_size', 'id2label'].map((key) => memberOf(config, key));
  const absent = {
    num_key_value_heads: heads,
    head_dim: typeof width === 'number' && typeof heads === 'number' ? width / heads : undefined,
    num_labels: labels === undefined ? 2 : undefined,
  };
  const written = {
    num_labels: isObject(labels) ? Object.keys(labels).length : undefined,
    image_size: sideOf(memberOf(config, 'image_size')),
  };
  const keysOf = (sizes: Readonly<Record<string, unknown>>, isWritten: boolean): ImpliedKey[] =>
    Object.entries(sizes).flatMap(([key, value]) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? [{ path: [...path, key], value, isWritten }] : [],
    );
  const isNumber = ({ path: own }: ImpliedKey): boolean => typeof memberOf(config, own.at(-1) ?? '') === 'number';
  return [...keysOf(absent, false), ...keysOf(written, true)].filter((key) => !isNumber(key));
}

/** Of a square image whose height and width are listed. */
function sideOf(size: unknown): unknown {
  if (!Array.isArray(size)) return undefined;
  const [height, width] = size as unknown[];
  return size.length === 2 && height === width ? height : undefined;
}

/** Without the list of labels, which is read where there is no number of them. */
function withValue(config: JsonObject, [key, ...rest]: readonly string[], value: number | boolean): JsonObject {
  if (key === undefined) return config;
  const inner = config[key];
  if (key === 'num_labels') {
    const { id2label: _, label2id: __, ...others } = config;
    return { ...others, num_labels: value };
  }
  if (rest.length === 0 && typeof value === 'number' && layerLists.some((list) => list === key) && isListed(inner))
    return { ...config, [key]: inner.slice(0, value) };
  return { ...config, [key]: rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value) };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
