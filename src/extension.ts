import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as vscode from 'vscode';
import { activateHost, type ActivatedHost } from './host/activate.js';
import type { StowageApi } from './host/api.js';
import { createBandwidthChecker } from './platform/bandwidth/bandwidthChecker.js';
import { createWorkerBandwidthService } from './platform/bandwidth/workerBandwidthService.js';
import { clusterPlace, runClusterCommands } from './platform/cluster/clusterPrograms.js';
import { startWorkerComparer } from './platform/comparison/workerComparer.js';
import type * as remoteBundle from './platform/remote/nodeRemoteFiles.js';
import { startWorkerEstimator } from './platform/workerEstimator.js';
import { startWorkerInspector } from './platform/workerInspector.js';

let host: ActivatedHost | null = null;

/** Entry in the Node extension host: inspections and estimates run in worker threads. */
export function activate(context: vscode.ExtensionContext): StowageApi {
  const bundle = (name: string): string => path.join(context.extensionPath, 'dist', name);
  // A bundle of its own, so that the extension starts without it.
  const remote = async (): Promise<typeof remoteBundle> => {
    const file = pathToFileURL(bundle('remoteFiles.js')).href;
    return ((await import(file)) as { default: typeof remoteBundle }).default;
  };
  host = activateHost(context, {
    workers: {
      startInspector: (target, heapBytes) => startWorkerInspector(bundle('inspectionWorker.js'), target, heapBytes),
      startComparer: (target) => startWorkerComparer(bundle('inspectionWorker.js'), target),
      startEstimator: (read) => startWorkerEstimator(bundle('estimateWorker.js'), read),
      startBandwidthChecker: () => createBandwidthChecker(createWorkerBandwidthService(bundle('bandwidthWorker.js'))),
    },
    hasLocalFiles: true,
    remoteClient: {
      files: async (support) => (await remote()).nodeRemoteFiles(support),
      folders: async (support) => (await remote()).nodeRemoteFolders(support),
    },
    clusterReader: { place: clusterPlace, run: (commands) => runClusterCommands(commands) },
    mirrorLogToConsole: process.env['CI'] === 'true',
  });
  return host.api;
}

/** Called by the editor before the host ends. */
export async function deactivate(): Promise<void> {
  await host?.stop();
}
