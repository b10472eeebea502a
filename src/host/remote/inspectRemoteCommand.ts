import * as vscode from 'vscode';
import { reportRoot } from '../inspectedPath.js';
import type { ReportSessions } from '../report/reportSessions.js';
import { askForAddress } from './askForAddress.js';
import { uriOfAddress } from './remoteUri.js';

/** "Inspect Remote…": asks for an address, and begins with the one in the clipboard. Links of cards and lenses give theirs. */
export async function inspectRemoteCommand(sessions: ReportSessions, argument: unknown): Promise<void> {
  const text =
    typeof argument === 'string' ? argument : await askForAddress(vscode.l10n.t('Inspect Remote Checkpoint or Dataset'));
  if (text === undefined) return;
  const uri = uriOfAddress(text);
  sessions.open(/^https?$/.test(uri.scheme) ? uri : reportRoot(uri));
}
