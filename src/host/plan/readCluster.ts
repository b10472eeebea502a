import * as vscode from 'vscode';
import { clusterCommands, commandLine, type ClusterPlace } from '../../core/planning/cluster/clusterCommands.js';
import type { ClusterOutputs, ClusterReader } from '../../platform/clusterReader.js';

/** What the programs of a cluster printed, and where they were asked. */
export interface ReadCluster {
  place: ClusterPlace;
  outputs: ClusterOutputs;
}

/**
 * Shows the commands that ask the cluster for its facts, and runs them once that is confirmed. In Restricted Mode nothing runs.
 * @param reader null where no programs run: in a browser without a remote machine
 * @param plan whose folder is asked for its file system, where it is one of this machine
 * @returns null where nothing was run; the user knows why
 */
export async function readCluster(reader: ClusterReader | null, plan: vscode.Uri): Promise<ReadCluster | null> {
  if (!vscode.workspace.isTrusted)
    return refused(vscode.l10n.t('Reading the cluster runs programs, so it needs a trusted workspace.'));
  const place = reader?.place(folderOf(plan)) ?? null;
  if (reader === null || place === null)
    return refused(vscode.l10n.t('The programs of a cluster run on Linux and macOS: open a remote window, or VS Code there.'));
  const commands = clusterCommands(place);
  const run = vscode.l10n.t('Run');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t('Run these commands? They read, and change nothing.'),
    { modal: true, detail: commands.map(commandLine).join('\n') },
    run,
  );
  return answer === run ? { place, outputs: await reader.run(commands) } : null;
}

async function refused(reason: string): Promise<null> {
  await vscode.window.showWarningMessage(reason);
  return null;
}

/** Of the plan's file, or of the workspace where it has none yet; null where that is not on this machine. */
function folderOf(plan: vscode.Uri): string | null {
  const folder = plan.scheme === 'untitled' ? vscode.workspace.workspaceFolders?.[0]?.uri : vscode.Uri.joinPath(plan, '..');
  return folder?.scheme === 'file' ? folder.fsPath : null;
}
