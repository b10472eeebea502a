import { nodeRemoteFiles, nodeRemoteFolders } from '../../../src/platform/remote/nodeRemoteFiles.js';
import type * as vscode from 'vscode';
import { activateHost } from '../../../src/host/activate.js';
import type { StowageApi } from '../../../src/host/api.js';
import { startInPageComparer } from '../../../src/platform/comparison/inPageComparer.js';
import { startInPageEstimator } from '../../../src/platform/inPageEstimator.js';
import { startInPageInspector } from '../../../src/platform/inPageInspector.js';
import type { ClusterReader } from '../../../src/platform/clusterReader.js';
import type { Estimator } from '../../../src/platform/estimator.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { standIn, Uri } from '../../builders/vscodeStandIn.js';

export interface TestHost {
  api: StowageApi;
  /** What was asked of inspectors, in order. */
  asked: { method: string; params: unknown }[];
  /** Estimators that were started. */
  estimators(): number;
  dispose(): void;
}

/** The extension in a new window of the stand-in, with inspections and estimates in the test's own thread. */
export function activatedHost({
  canMeasure = false,
  hasLanguageModels = false,
  clusterReader = null,
}: { canMeasure?: boolean; hasLanguageModels?: boolean; clusterReader?: ClusterReader | null } = {}): TestHost {
  standIn.reset();
  standIn.hasLanguageModels = hasLanguageModels;
  const subscriptions: vscode.Disposable[] = [];
  let started = 0;
  const context = {
    subscriptions,
    extensionUri: Uri.file('/extension'),
    workspaceState: { get: () => undefined, update: () => Promise.resolve(), keys: () => [] },
    globalStorageUri: Uri.file('/storage'),
  } as unknown as vscode.ExtensionContext;
  const startEstimator = (...args: Parameters<typeof startInPageEstimator>): Estimator => {
    started += 1;
    return startInPageEstimator(...args);
  };
  const asked: TestHost['asked'] = [];
  const startInspector: typeof startInPageInspector = (target) => {
    const inspector = startInPageInspector(target);
    const request = inspector.endpoint.request.bind(inspector.endpoint);
    inspector.endpoint.request = (method, params, signal) => {
      asked.push({ method, params });
      return request(method, params, signal);
    };
    return inspector;
  };
  const startBandwidthChecker = canMeasure ? () => Promise.reject(new Error('nothing is measured here')) as never : null;
  const { api } = activateHost(context, {
    workers: { startInspector, startComparer: startInPageComparer, startEstimator, startBandwidthChecker },
    hasLocalFiles: false,
    remoteClient: {
      files: (support) => Promise.resolve(nodeRemoteFiles(support)),
      folders: (support) => Promise.resolve(nodeRemoteFolders(support)),
    },
    clusterReader,
    mirrorLogToConsole: false,
  });
  return {
    api,
    asked,
    estimators: () => started,
    dispose() {
      for (const subscription of subscriptions.splice(0)) subscription.dispose();
    },
  };
}

/** A file of weights in the stand-in's file system. */
export function writeWeights(uri: string): vscode.Uri {
  return standIn.write(uri, buildSafetensors({ tensors: { w: { dtype: 'F32', shape: [2, 2] } } }));
}
