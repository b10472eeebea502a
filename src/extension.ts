import path from 'node:path';
import type * as vscode from 'vscode';
import { activateHost } from './host/activate.js';
import type { StowageApi } from './host/api.js';
import { freeBytesAt, nodeConfigSources } from './platform/nodeConfigSources.js';
import { startWorkerInspector } from './platform/workerInspector.js';

/** Entry in the Node extension host: inspections run in worker threads. */
export function activate(context: vscode.ExtensionContext): StowageApi {
  const workerFile = path.join(context.extensionPath, 'dist', 'inspectionWorker.js');
  return activateHost(context, {
    platform: {
      startInspector: (target) => startWorkerInspector(workerFile, target),
      configs: { sources: nodeConfigSources, freeBytes: freeBytesAt },
    },
    hasLocalFiles: true,
    mirrorLogToConsole: process.env['CI'] === 'true',
  });
}
