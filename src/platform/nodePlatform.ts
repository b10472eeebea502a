import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { PathStats, Platform } from '../app/platform.js';
import { FormatError } from '../core/bytes/formatError.js';
import { describeIoError } from './ioError.js';
import { createNodeFileTree } from './nodeFileTree.js';
import { Owners } from './owners.js';
import { readRegularFile, readRegularText } from './regularFile.js';

/**
 * This machine: local paths, the cache of the Hugging Face Hub, directories and object stores to measure.
 * @param threadFile the bundle that threads of a bandwidth check run, see `CheckOptions`
 */
export function createNodePlatform(threadFile: string): Platform {
  return {
    nameOf: (file) => path.basename(file),
    folderOf: (file) => path.dirname(file),
    pathIn: (folder, name) => path.join(folder, name),
    stat: statsOf,
    readText: readRegularText,
    readBytes: readRegularFile,
    openTree: createNodeFileTree,
    userName: () => new Owners().ownName(),
    // What only some use cases need is loaded with them: an inspection reads no config.
    async configSources(folder) {
      const { nodeConfigSources } = await import('./nodeConfigSources.js');
      return nodeConfigSources(path.resolve(folder));
    },
    async freeBytes(folder, outputFolder) {
      const { freeBytesFor } = await import('./freeBytes.js');
      return freeBytesFor(folder, outputFolder);
    },
    async bandwidthService(target, store) {
      const { bandwidthServiceAt } = await import('./bandwidth/bandwidthServiceAt.js');
      return bandwidthServiceAt(target, { threadFile }, store);
    },
  };
}

async function statsOf(file: string): Promise<PathStats> {
  try {
    const stats = await stat(file);
    return { kind: stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other', sizeBytes: stats.size };
  } catch (error) {
    throw new FormatError('io', describeIoError(error), { cause: error });
  }
}
