import type { ConfigAccess, ConfigFile, FoundText } from './configKind.js';
import { Fields } from './fields.js';
import { parseConfig } from './document/parseConfig.js';

/** How a platform finds the files that a config names. Both answer null for what is not there, unreadable or too large. */
export interface ConfigSources {
  /** By the path as the config writes it: relative to the config's folder, or absolute. */
  read(path: string): Promise<FoundText | null>;
  /** The config.json of a model in the local cache of the Hugging Face Hub. */
  readCached(model: string): Promise<FoundText | null>;
}

/** A file parsed, whether or not it is a known config; null for other syntaxes. */
export async function configFile(path: string, text: string): Promise<ConfigFile | null> {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const document = await parseConfig(name, text);
  return document === null ? null : { path, name, text, document, fields: Fields.of(document) };
}

/** Access that reads and parses each file once, as a hover asks for the same ones again and again. */
export function createConfigAccess(sources: ConfigSources): ConfigAccess {
  const known = new Map<string, Promise<ConfigFile | null>>();
  const once = async (key: string, find: () => Promise<FoundText | null>): Promise<ConfigFile | null> => {
    const kept = known.get(key) ?? find().then((found) => (found === null ? null : configFile(found.path, found.text)));
    known.set(key, kept);
    const file = await kept;
    // Fields of its own for each reading, as they remember what was used.
    return file === null ? null : { ...file, fields: Fields.of(file.document) };
  };
  const texts = new Map<string, Promise<FoundText | null>>();
  const read = (path: string): Promise<FoundText | null> => {
    const kept = texts.get(path) ?? sources.read(path);
    texts.set(path, kept);
    return kept;
  };
  return {
    read,
    open: (path) => once(`path ${path}`, () => sources.read(path)),
    openCached: (model) => once(`model ${model}`, () => sources.readCached(model)),
  };
}

/** Whether a text may be a model's name on the Hub: `owner/name`, and nothing that leads elsewhere. */
export function isModelName(text: string): boolean {
  return /^[\w-][\w.-]{0,95}(\/[\w-][\w.-]{0,95})?$/.test(text) && !text.includes('..');
}
