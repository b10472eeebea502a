import * as vscode from 'vscode';
import type { Workers } from '../platform/inspector.js';
import { bandwidthCommand } from './bandwidth/bandwidthCommand.js';
import { BandwidthPanels } from './bandwidth/bandwidthPanels.js';
import { inspectCommand } from './commands/inspect.js';
import { registerCheckpointEditors } from './editors/checkpointEditor.js';
import { ConfigEstimates } from './configs/configEstimates.js';
import { registerConfigs } from './configs/registerConfigs.js';
import { DatasetFacts } from './hovers/datasetFacts.js';
import { registerDatasetHovers } from './hovers/datasetHover.js';
import { commandIds } from './ids.js';
import { registerTools } from './languageModel/tools.js';
import { createLog } from './log.js';
import type { StowageApi } from './api.js';
import { openPlan } from './plan/openPlan.js';
import { planCommand } from './plan/planCommand.js';
import { registerPlanEditor } from './plan/planEditor.js';
import { ReportSessions } from './report/reportSessions.js';

export interface HostEnvironment {
  workers: Workers;
  hasLocalFiles: boolean;
  /** Where there is nobody to open the output channel: on a build machine. */
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
  const { startBandwidthChecker } = workers;
  const panels = startBandwidthChecker === null ? null : new BandwidthPanels(context, startBandwidthChecker, log, openPlan);
  const checkBandwidth = (uri?: unknown): Promise<void> => bandwidthCommand(panels, sessions, uri);
  const sessions = new ReportSessions({
    extensionUri: context.extensionUri,
    workers,
    hasLocalFiles,
    log,
    openPlan,
    checkBandwidth,
  });
  const estimates = new ConfigEstimates(workers, hasLocalFiles, log);
  const register = (id: string, run: (...args: unknown[]) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(id, run);
  context.subscriptions.push(
    sessions,
    registerCheckpointEditors(sessions),
    registerDatasetHovers(new DatasetFacts(workers, hasLocalFiles, log)),
    estimates,
    registerConfigs(estimates),
    registerTools(workers, hasLocalFiles, estimates),
    register(commandIds.inspect, (resource) => inspectCommand(sessions, resource)),
    registerPlanEditor(context.extensionUri),
    register(commandIds.plan, (resource) => planCommand(sessions, estimates, resource)),
    register(commandIds.checkBandwidth, checkBandwidth),
    register(commandIds.refreshReport, () => sessions.active()?.refresh()),
    register(commandIds.showLog, () => log.show()),
  );
  if (panels !== null) {
    context.subscriptions.push(panels);
    void panels.offerLeftovers();
  }
  const api: StowageApi = {
    activationMs: performance.now() - startedMs,
    onDidChangeReports: sessions.onDidChange,
    reports: () => sessions.all().map(({ uri, panel, state }) => ({ uri, title: panel.title, visible: panel.visible, state })),
    cancel: (uri) => sessions.get(uri)?.cancel(),
    refresh: (uri) => sessions.get(uri)?.refresh(),
    bandwidth: panels?.api() ?? null,
  };
  return { api, stop: () => panels?.stop() ?? Promise.resolve() };
}
