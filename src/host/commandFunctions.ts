import * as vscode from 'vscode';
import { bandwidthCommand } from './bandwidth/bandwidthCommand.js';
import type { BandwidthPanels } from './bandwidth/bandwidthPanels.js';
import {
  compareCheckpointsCommand,
  compareSelectedCommand,
  compareWithCommand,
  type SelectedForCompare,
} from './comparison/compareCommands.js';
import type { ComparePanels } from './comparison/comparePanels.js';
import type { ConfigEstimates } from './configs/configEstimates.js';
import { estimateCommand } from './configs/estimateCommand.js';
import type { EstimatePanels } from './configs/estimatePanels.js';
import type { Log } from './log.js';
import { commandIdOf } from './manifest/commandId.js';
import type { CommandName } from './manifest/commandTable.js';
import { displayPath, uriOfArgument } from './inspectedPath.js';
import { planCommand } from './plan/planCommand.js';
import { verifyCommand } from './report/verifyCommand.js';
import { inspectCommand } from './report/inspectCommand.js';
import { inspectRemoteCommand } from './remote/inspectRemoteCommand.js';
import { setHubTokenCommand } from './remote/hubToken.js';
import { openRemoteFolderCommand } from './remote/openRemoteFolderCommand.js';
import { reveal } from './report/reveal.js';
import type { ReportSession } from './report/reportSession.js';
import type { ReportSessions } from './report/reportSessions.js';
import type { CheckpointsView } from './runs/checkpointsView.js';
import type { RunPanels } from './runs/runPanels.js';
import { holdCommand, releaseCommand } from './runs/holdCommand.js';
import { retentionCommand } from './runs/retentionCommand.js';
import { showSavesCommand } from './runs/showSavesCommand.js';
import type { TextDocuments } from './textDocuments.js';

/** The long-lived objects that commands work with. */
export interface CommandServices {
  context: Pick<vscode.ExtensionContext, 'secrets'>;
  sessions: ReportSessions;
  estimates: ConfigEstimates;
  estimatePanels: EstimatePanels;
  runPanels: RunPanels;
  comparePanels: ComparePanels;
  selected: SelectedForCompare;
  checkpoints: CheckpointsView;
  textDocuments: TextDocuments;
  /** Null where nothing can be measured: in a browser without a remote machine. */
  panels: BandwidthPanels | null;
  log: Log;
}

/** Menus give a command the Uri that was clicked and all that are selected, links and lenses its text, the palette nothing. */
type CommandFunction = (services: CommandServices, argument: unknown, selection: unknown) => unknown;

/** What each command of the table does. */
const commandFunctions: Readonly<Record<CommandName, CommandFunction>> = {
  inspect: ({ sessions }, resource) => inspectCommand(sessions, resource),
  inspectRemote: ({ sessions }, address) => inspectRemoteCommand(sessions, address),
  setHubToken: ({ context }) => setHubTokenCommand(context),
  openRemoteFolder: (_services, address) => openRemoteFolderCommand(address),
  estimate: ({ estimatePanels }, config) => estimateCommand(estimatePanels, config),
  plan: ({ sessions, estimates }, source) => planCommand(sessions, estimates, source),
  checkBandwidth: ({ panels, sessions }, target) => bandwidthCommand(panels, sessions, target),
  compareCheckpoints: ({ comparePanels, checkpoints }) => compareCheckpointsCommand(comparePanels, checkpoints),
  selectForCompare: ({ selected }, resource) => selected.select(resource),
  compareWithSelected: ({ selected, comparePanels }, resource) => selected.compare(comparePanels, resource),
  compareSelected: ({ comparePanels }, _resource, selection) => compareSelectedCommand(comparePanels, selection),
  verify: ({ sessions }, resource) => verifyCommand(sessions, resource),
  showSaves: ({ runPanels }, resource) => showSavesCommand(runPanels, resource),
  findRuns: ({ checkpoints }) => checkpoints.look(),
  holdCheckpoint: ({ checkpoints }, line) => holdCommand(checkpoints, line),
  releaseCheckpoint: ({ checkpoints }, line) => releaseCommand(checkpoints, line),
  planRetention: ({ checkpoints, textDocuments }, line) => retentionCommand(checkpoints, textDocuments, line),
  compareLine: ({ comparePanels, checkpoints }, line) => compareWithCommand(comparePanels, checkpoints, line),
  revealLine: (_services, line) => revealLine(line),
  copyLinePath: (_services, line) => copyPath(line),
  refreshReport: ({ sessions }) => sessions.active()?.refresh(),
  copyReportJson: ({ sessions }) => copyAsJson(sessions.active()),
  copyCell: (services) => tablesInFront(services)?.copyFromTable('cell'),
  copyRow: (services) => tablesInFront(services)?.copyFromTable('row'),
  copySelectedRows: (services) => tablesInFront(services)?.copyFromTable('rows'),
  showLog: ({ log }) => log.show(),
};

/** Registers every command of the table. */
export function registerCommands(services: CommandServices): vscode.Disposable {
  return vscode.Disposable.from(
    ...(Object.keys(commandFunctions) as CommandName[]).map((name) =>
      vscode.commands.registerCommand(commandIdOf(name), (argument: unknown, selection: unknown) =>
        commandFunctions[name](services, argument, selection),
      ),
    ),
  );
}

/** The panel whose tables a context menu is about. */
function tablesInFront({
  sessions,
  estimatePanels,
  runPanels,
  comparePanels,
}: CommandServices): { copyFromTable: ReportSession['copyFromTable'] } | undefined {
  return sessions.active() ?? estimatePanels.active() ?? runPanels.active() ?? comparePanels.active();
}

async function revealLine(line: unknown): Promise<void> {
  const uri = uriOfArgument(line);
  if (uri !== undefined) await reveal(uri);
}

async function copyPath(line: unknown): Promise<void> {
  const uri = uriOfArgument(line);
  if (uri !== undefined) await vscode.env.clipboard.writeText(displayPath(uri));
}

/** What `stowage inspect --json` prints. */
async function copyAsJson(session: ReportSession | undefined): Promise<void> {
  if (session?.state.phase === 'done') await vscode.env.clipboard.writeText(`${await session.text('json')}\n`);
  else await vscode.window.showInformationMessage(vscode.l10n.t('Open a report first, or wait until it is complete.'));
}
