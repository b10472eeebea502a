import * as vscode from 'vscode';
import type { ClusterReader } from '../platform/clusterReader.js';
import type { Workers } from '../platform/inspector.js';
import { bandwidthCommand } from './bandwidth/bandwidthCommand.js';
import { BandwidthPanels } from './bandwidth/bandwidthPanels.js';
import { registerCommands } from './commandFunctions.js';
import { compareWithCommand, SelectedForCompare } from './comparison/compareCommands.js';
import { ComparePanels } from './comparison/comparePanels.js';
import { ConfigEstimates } from './configs/configEstimates.js';
import { EstimatePanels } from './configs/estimatePanels.js';
import { registerConfigs } from './configs/registerConfigs.js';
import { DatasetFacts } from './datasets/datasetFacts.js';
import { registerDatasetHovers } from './datasets/datasetHover.js';
import { registerTools } from './assistantTools.js';
import { createLog } from './log.js';
import type { StowageApi } from './api.js';
import { panelIds } from './ids.js';
import { registerRestoredPanels } from './panels/restorePanels.js';
import { openPlan } from './plan/openPlan.js';
import { registerPlanEditor } from './plan/planEditor.js';
import { registerReportEditors } from './report/reportEditor.js';
import { ReportSessions } from './report/reportSessions.js';
import { CheckpointsView } from './runs/checkpointsView.js';
import { TextDocuments, textScheme } from './textDocuments.js';
import type { FileReach } from './inspectedPath.js';
import { registerAddressLinks } from './remote/addressLinks.js';
import { registerRemoteFileSystem } from './remote/remoteFileSystem.js';
import { type RemoteClient, remoteMakerFor } from './remote/remoteMaker.js';
import { remoteFilesAt, remoteFoldersFor } from './remote/remoteReach.js';
import { RunPanels } from './runs/runPanels.js';

export interface HostEnvironment {
  workers: Workers;
  hasLocalFiles: boolean;
  /** What asks stores. */
  remoteClient: RemoteClient;
  /** Null where no programs run: in a browser. */
  clusterReader: ClusterReader | null;
  /** For build machines, where the output channel cannot be opened. */
  mirrorLogToConsole: boolean;
}

export interface ActivatedHost {
  api: StowageApi;
  /** Ends what must not be cut off: a bandwidth check, which removes what it wrote. The editor waits some seconds for it. */
  stop(): Promise<void>;
}

/** Puts the extension together. The only place that creates long-lived objects. */
export function activateHost(context: vscode.ExtensionContext, environment: HostEnvironment): ActivatedHost {
  const startedMs = performance.now();
  const log = createLog(context, environment.mirrorLogToConsole);
  const { workers, hasLocalFiles } = environment;
  const makeRemote = remoteMakerFor(context, environment.remoteClient);
  const reach: FileReach = { hasLocalFiles, remote: (address) => remoteFilesAt(makeRemote, address) };
  const { startBandwidthChecker } = workers;
  const panels = startBandwidthChecker === null ? null : new BandwidthPanels(context, startBandwidthChecker, log, openPlan);
  const checkBandwidth = (uri: vscode.Uri): Promise<void> => bandwidthCommand(panels, sessions, uri);
  const sessions = new ReportSessions({
    extensionUri: context.extensionUri,
    workers,
    reach,
    log,
    openPlan,
    checkBandwidth,
    compareWith: (uri) => compareWithCommand(comparePanels, checkpoints, uri),
  });
  const estimates = new ConfigEstimates(workers, hasLocalFiles, log);
  const estimatePanels = new EstimatePanels({ extensionUri: context.extensionUri, estimates, log, openPlan });
  const openReport = (uri: vscode.Uri): void => void sessions.open(uri);
  const runPanels = new RunPanels({
    extensionUri: context.extensionUri,
    workers,
    reach,
    log,
    openReport,
    openPlan,
    checkBandwidth,
  });
  const comparePanels = new ComparePanels({ extensionUri: context.extensionUri, workers, reach, log, openReport });
  const checkpoints = new CheckpointsView(workers, reach, log);
  const textDocuments = new TextDocuments();
  context.subscriptions.push(
    sessions,
    registerReportEditors(sessions),
    registerRestoredPanels(panelIds.report, (uri, panel) => sessions.restore(uri, panel)),
    registerRestoredPanels(panelIds.estimate, (uri, panel) => estimatePanels.restore(uri, panel)),
    registerRestoredPanels(panelIds.run, (uri, panel) => runPanels.restore(uri, panel)),
    registerRestoredPanels(panelIds.compare, (uri, panel) => comparePanels.restore(uri, panel)),
    registerDatasetHovers(new DatasetFacts(workers, reach, log)),
    estimates,
    estimatePanels,
    runPanels,
    comparePanels,
    checkpoints,
    vscode.workspace.registerTextDocumentContentProvider(textScheme, textDocuments),
    registerConfigs(estimates),
    registerAddressLinks(),
    registerRemoteFileSystem(remoteFoldersFor(makeRemote)),
    registerTools(workers, reach, estimates),
    registerPlanEditor(context.extensionUri, environment.clusterReader),
    registerCommands({
      context,
      sessions,
      estimates,
      estimatePanels,
      runPanels,
      comparePanels,
      selected: new SelectedForCompare(),
      checkpoints,
      textDocuments,
      panels,
      log,
    }),
  );
  if (panels !== null) {
    context.subscriptions.push(panels);
    void panels.offerLeftovers();
  }
  const api: StowageApi = {
    activationMs: performance.now() - startedMs,
    onDidChangeReports: sessions.onDidChange,
    reports: () =>
      sessions.all().map(({ uri, panel, state, verified }) => ({
        uri,
        title: panel.title,
        visible: panel.visible,
        state,
        verification: verified,
      })),
    cancel: (uri) => sessions.get(uri)?.cancel(),
    refresh: (uri) => sessions.get(uri)?.refresh(),
    runs: {
      onDidFind: checkpoints.onDidChangeTreeData,
      found: () =>
        checkpoints.runs().map(({ uri, item, checkpoints: lines }) => ({
          uri,
          label: item.label,
          checkpoints: lines.map((line) => line.item.label),
        })),
      onDidList: runPanels.onDidList,
      listed: (uri) => runPanels.of(uri)?.report ?? null,
      follow: (uri, isFollowed) => runPanels.of(uri)?.follow(isFollowed),
    },
    comparisons: {
      onDidChange: comparePanels.onDidChange,
      panels: () => comparePanels.all().map(({ sides, panel, state }) => ({ ...sides, title: panel.title, state })),
    },
    bandwidth: panels?.api() ?? null,
  };
  return { api, stop: () => panels?.stop() ?? Promise.resolve() };
}
