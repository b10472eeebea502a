import * as vscode from 'vscode';
import { isObjectStoreAddress } from '../../core/files/remote/remoteScheme.js';
import { newestCheckpoint } from '../../core/checkpoints/newestCheckpoint.js';
import { parseRemoteAddress } from '../../core/files/remote/remoteAddress.js';
import { nameOf } from '../inspectedPath.js';
import type { ReportSession } from '../report/reportSession.js';
import type { ReportSessions } from '../report/reportSessions.js';
import type { BandwidthPanels } from './bandwidthPanels.js';
import { isCheckpointFolder } from './checkpointFolder.js';
import { chooseDirectory } from './chooseDirectory.js';

interface CheckPlace {
  target: string;
  replayOf: string | null;
}

/**
 * "Check Checkpoint Bandwidth". The Explorer gives a directory, a report its own path; from the palette the user chooses one. It only
 * opens the panel: nothing is written before the user has seen there what and where.
 * @param panels null where nothing can be measured: in a browser without a remote machine
 */
export async function bandwidthCommand(
  panels: BandwidthPanels | null,
  sessions: ReportSessions,
  argument: unknown,
): Promise<void> {
  const refusal = refusalOf(panels);
  if (panels === null || refusal !== null) {
    await vscode.window.showWarningMessage(refusal ?? '');
    return;
  }
  const place = argument instanceof vscode.Uri ? await placeOf(argument, sessions) : await chosenPlace(sessions);
  if (place === null)
    await vscode.window.showWarningMessage(
      vscode.l10n.t('Only directories of this machine and object stores can be checked, not virtual file systems.'),
    );
  else if (place !== undefined) panels.open(place.target, place.replayOf);
}

function refusalOf(panels: BandwidthPanels | null): string | null {
  if (panels === null)
    return vscode.l10n.t('Bandwidth checks need a machine to run on: open a remote window, or VS Code on the desktop.');
  if (!vscode.workspace.isTrusted)
    return vscode.l10n.t('Bandwidth checks write files, so they need a trusted workspace. Inspecting does not.');
  return null;
}

/** Null where it lies on no file system of this machine. */
async function placeOf(uri: vscode.Uri, sessions: ReportSessions): Promise<CheckPlace | null> {
  if (uri.scheme !== 'file') return null;
  const session = sessions.get(uri);
  if (session !== undefined) return placeOfReport(session);
  return (await isCheckpointFolder(uri)) ? besideCheckpoint(uri) : { target: uri.fsPath, replayOf: null };
}

/** Files like those of a checkpoint, where the next one would be saved. */
function besideCheckpoint(uri: vscode.Uri): CheckPlace {
  return { target: vscode.Uri.joinPath(uri, '..').fsPath, replayOf: uri.fsPath };
}

/** Where the next checkpoint would be saved: beside this one; of a run in the run itself. */
function placeOfReport({ uri, state }: ReportSession): CheckPlace | null {
  if (uri.scheme !== 'file') return null;
  const beside = besideCheckpoint(uri);
  if (state.phase !== 'done' || state.report.kind !== 'checkpoint') return { ...beside, replayOf: null };
  const newest = newestCheckpoint(state.report.run?.checkpoints ?? []);
  if (newest === null) return beside;
  return { target: uri.fsPath, replayOf: vscode.Uri.joinPath(uri, ...newest.path.split('/')).fsPath };
}

interface PlaceItem extends vscode.QuickPickItem {
  /** Undefined where the user thought better of it. */
  place(): Promise<CheckPlace | null | undefined>;
}

async function chosenPlace(sessions: ReportSessions): Promise<CheckPlace | null | undefined> {
  const chosen = await vscode.window.showQuickPick<PlaceItem>(
    [
      ...sessions.onePerPath().map((session) => reportItem(session)),
      ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => folderItem(uri)),
      { label: vscode.l10n.t('Another directory…'), place: otherDirectory },
      { label: vscode.l10n.t('An object store…'), description: 's3://, gs://, az://, abfs://', place: objectStore },
    ],
    {
      title: vscode.l10n.t('Check Checkpoint Bandwidth'),
      placeHolder: vscode.l10n.t('Where checkpoints are saved'),
      matchOnDescription: true,
    },
  );
  return chosen?.place();
}

function reportItem(session: ReportSession): PlaceItem {
  const place = placeOfReport(session);
  return {
    label: vscode.l10n.t('Where {name} was saved', { name: nameOf(session.uri) }),
    ...(place === null ? {} : { description: place.target }),
    place: () => Promise.resolve(place),
  };
}

function folderItem(uri: vscode.Uri): PlaceItem {
  const place = uri.scheme === 'file' ? { target: uri.fsPath, replayOf: null } : null;
  return { label: nameOf(uri), description: place?.target ?? uri.toString(true), place: () => Promise.resolve(place) };
}

async function otherDirectory(): Promise<CheckPlace | undefined> {
  const target = await chooseDirectory('target', null);
  return target === null ? undefined : { target, replayOf: null };
}

async function objectStore(): Promise<CheckPlace | undefined> {
  const target = await vscode.window.showInputBox({
    title: vscode.l10n.t('Check Checkpoint Bandwidth'),
    prompt: vscode.l10n.t(
      'Bucket or container, and prefix. Logins are those of the command lines of AWS, Google Cloud and Azure. Requests cost money.',
    ),
    placeHolder: 's3://bucket/prefix, gs://bucket/prefix, az://container/prefix, abfs://container@account/prefix',
    validateInput: (text) =>
      isWritten(text)
        ? null
        : vscode.l10n.t('Write it like s3://bucket/prefix, gs://bucket/prefix or abfs://container@account/prefix.'),
  });
  return target === undefined ? undefined : { target, replayOf: null };
}

function isWritten(text: string): boolean {
  try {
    parseRemoteAddress(text);
    return isObjectStoreAddress(text);
  } catch {
    return false;
  }
}
