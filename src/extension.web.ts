import type * as vscode from 'vscode';
import { activateHost } from './host/activate.js';
import type { StowageApi } from './host/api.js';
import { startInPageComparer } from './platform/comparison/inPageComparer.js';
import { startInPageEstimator } from './platform/inPageEstimator.js';
import { startInPageInspector } from './platform/inPageInspector.js';
import { browserRemoteFiles, browserRemoteFolders } from './platform/remote/browserRemoteFiles.js';

/** Entry in the web extension host: there are no threads and no local files. */
export function activate(context: vscode.ExtensionContext): StowageApi {
  const { api } = activateHost(context, {
    workers: {
      startInspector: startInPageInspector,
      startComparer: startInPageComparer,
      startEstimator: startInPageEstimator,
      startBandwidthChecker: null,
    },
    hasLocalFiles: false,
    remoteClient: {
      files: (support) => Promise.resolve(browserRemoteFiles(support)),
      folders: (support) => Promise.resolve(browserRemoteFolders(support)),
    },
    clusterReader: null,
    mirrorLogToConsole: false,
  });
  return api;
}
