import * as vscode from 'vscode';
import { FormatError } from '../../core/bytes/formatError.js';
import { isRemoteAddress } from '../../core/files/remote/remoteScheme.js';
import { uriOfAddress } from './remoteUri.js';

/** An address that the user types; the input begins with the one in the clipboard. Undefined where nothing is chosen. */
export async function askForAddress(title: string): Promise<string | undefined> {
  const copied = (await vscode.env.clipboard.readText()).trim();
  return vscode.window.showInputBox({
    title,
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
