import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { configFile } from '../../../src/core/configs/configAccess.js';
import type { ConfigAccess, ConfigFile, ConfigKindId, ConfigReading } from '../../../src/core/configs/configKind.js';
import { recogniseConfig } from '../../../src/core/configs/recogniseConfig.js';

/** Files by path; what a config under test sees beside it. */
export type Beside = (path: string) => Promise<string | null>;

export const nothingBeside: Beside = () => Promise.resolve(null);

/** A file's folder on disk as what is beside it. */
export function folderOf(file: string): Beside {
  return async (name) => {
    try {
      return await readFile(path.join(path.dirname(file), name), 'utf8');
    } catch {
      return null;
    }
  };
}

export function accessTo(beside: Beside): ConfigAccess {
  return {
    async open(name) {
      const text = await beside(name);
      return text === null ? null : await fileOf(name, text);
    },
    openCached: () => Promise.resolve(null),
  };
}

/** A text as a parsed config; null where its name has no syntax of configs. */
export const fileOf = configFile;

export interface ReadConfig {
  id: ConfigKindId;
  file: ConfigFile;
  reading: ConfigReading;
}

/** Recognises and reads a text; null where it is no config. */
export async function readText(name: string, text: string, beside: Beside = nothingBeside): Promise<ReadConfig | null> {
  const file = await fileOf(name, text);
  const kind = file === null ? null : recogniseConfig(file);
  if (file === null || kind === null) return null;
  return { id: kind.id, file, reading: await kind.read(file, accessTo(beside)) };
}

export async function readFixture(file: string): Promise<ReadConfig | null> {
  return readText(path.basename(file), await readFile(file, 'utf8'), folderOf(file));
}
