import path from 'node:path';
import type { Platform } from '../app/platform.js';
import { nodeFiles } from './nodeFiles.js';
import type { RemoteFiles } from './remote/remoteFiles.js';
import type { RemoteOptions } from './remote/nodeRemoteFiles.js';
import { withRemote } from './remote/withRemote.js';
import { nodeLogFile } from './verification/nodeLogFile.js';
import { nodeManifestFolder } from './verification/nodeManifestFolder.js';

/**
 * This machine: local paths, addresses of stores, the cache of the Hugging Face Hub, directories and object stores to measure.
 * @param threadFile the bundle that threads of a bandwidth check, of a verification and those that read values run, see `CheckOptions`
 * @param remote how stores are asked, where that is chosen
 */
export function createNodePlatform(threadFile: string, remote: Partial<RemoteOptions> = {}): Platform {
  let files: Promise<RemoteFiles> | undefined;
  return withRemote(createLocalPlatform(threadFile), () => {
    files ??= import('./remote/nodeRemoteFiles.js').then(({ nodeRemoteFiles }) => nodeRemoteFiles(remote));
    return files;
  });
}

function createLocalPlatform(threadFile: string): Platform {
  return {
    ...nodeFiles,
    // What only some use cases need is loaded with them.
    async configSources(folder) {
      const { nodeConfigSources } = await import('./nodeConfigSources.js');
      return nodeConfigSources(path.resolve(folder));
    },
    async freeBytes(folder, outputFolder) {
      const { freeBytesFor } = await import('./freeBytes.js');
      return freeBytesFor(folder, outputFolder);
    },
    async room(folder) {
      const { roomWithQuota } = await import('./storageRoom.js');
      return roomWithQuota(folder);
    },
    async readPairs(reading, hooks) {
      const { readPairsInThreads } = await import('./values/readPairsInThreads.js');
      return readPairsInThreads(threadFile, reading, hooks);
    },
    async readValues(reading, hooks) {
      const { readValuesInThreads } = await import('./values/readValuesInThreads.js');
      return readValuesInThreads(threadFile, reading, hooks);
    },
    async bandwidthService(target, store) {
      const { bandwidthServiceAt } = await import('./bandwidth/bandwidthServiceAt.js');
      return bandwidthServiceAt(target, { threadFile }, store);
    },
    async passes() {
      const { createThreadPasses } = await import('./verification/threadPasses.js');
      return createThreadPasses(threadFile);
    },
    manifestFolder: nodeManifestFolder,
    logFile: nodeLogFile,
  };
}
