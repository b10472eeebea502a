import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { configFile, createConfigAccess, type ConfigSources } from '../../../src/core/configs/configAccess.js';
import type { ConfigAccess, ConfigFile, ConfigReading } from '../../../src/core/configs/configKind.js';
import { withSourced } from '../../../src/core/configs/sourcedFiles.js';
import type { ConfigKindId } from '../../../src/core/text/frameworkLabels.js';
import { recogniseConfig } from '../../../src/core/frameworks/recogniseConfig.js';

export interface ReadConfig {
  id: ConfigKindId;
  file: ConfigFile;
  reading: ConfigReading;
  access: ConfigAccess;
}

export const nothingBeside: ConfigSources = { read: () => Promise.resolve(null), readCached: () => Promise.resolve(null) };

/** A folder on disk as what is beside a config; no cache of the Hub. */
export function folderSources(folder: string): ConfigSources {
  return {
    async read(name) {
      try {
        return { path: name, text: await readFile(path.join(folder, name), 'utf8') };
      } catch {
        return null;
      }
    },
    readCached: () => Promise.resolve(null),
  };
}

/** Recognises and reads a text; null where it is no config. */
export async function readText(name: string, text: string, sources: ConfigSources = nothingBeside): Promise<ReadConfig | null> {
  const access = createConfigAccess(sources);
  const alone = await configFile(name, text);
  const file = alone === null ? null : await withSourced(alone, access);
  const kind = file === null ? null : recogniseConfig(file);
  if (file === null || kind === null) return null;
  return { id: kind.id, file, reading: await kind.read(file, access), access };
}

export async function readFixture(file: string): Promise<ReadConfig | null> {
  return readText(path.basename(file), await readFile(file, 'utf8'), folderSources(path.dirname(file)));
}
