import * as vscode from 'vscode';
import { FormatError } from '../../core/bytes/formatError.js';
import { isRemoteAddress } from '../../core/files/remote/remoteScheme.js';
import { reportRoot } from '../inspectedPath.js';
import type { ReportSessions } from '../report/reportSessions.js';
import { uriOfAddress } from './remoteUri.js';

/** "Inspect Remote…": asks for an address, and begins with the one in the clipboard. Links of cards and lenses give theirs. */
export async function inspectRemoteCommand(sessions: ReportSessions, argument: unknown): Promise<void> {
  const text = typeof argument === 'string' ? argument : await askForAddress();
  if (text === undefined) return;
  const uri = uriOfAddress(text);
  sessions.open(/^https?$/.test(uri.scheme) ? uri : reportRoot(uri));
}

async function askForAddress(): Promise<string | undefined> {
  const copied = (await vscode.env.clipboard.readText()).trim();
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Inspect Remote Checkpoint or Dataset'),
    prompt: vscode.l10n.t('Headers come by ranges; nothing is downloaded.'),
    placeHolder: 'hf://org/name[@revision][/path], s3://, gs://, az://, https://',
    value: isRemoteAddress(copied) && copied.length < 2_000 ? copied : '',
    ignoreFocusOut: true,
    validateInput: problemOf,
  });
}

/** Why a text is no address; null for one, and while nothing is typed. */
function problemOf(text: string): string | null {
  if (text.trim() === '') return null;
  try {
    uriOfAddress(text);
    return null;
  } catch (error) {
    return FormatError.is(error) ? error.detail : String(error);
  }
}
