import * as vscode from 'vscode';
import { FormatError } from '../../core/bytes/formatError.js';
import { formatBytes } from '../../core/text/units.js';
import type { RangedFiles } from '../../platform/rangedFileTree.js';
import { rangedFilesOf } from '../../platform/rangedFileTree.js';
import type { RemoteFiles } from '../../platform/remote/remoteFiles.js';
import type { RemoteFolders } from '../../platform/remote/remoteFolders.js';
import type { BudgetQuestion } from '../../platform/remote/requestBudget.js';
import { shownPath } from '../../core/files/remote/remoteAddress.js';

/** Makes what asks stores. */
export interface RemoteMaker {
  /** Each inspection has its own, as it counts what that costs. */
  files(question: BudgetQuestion): Promise<RemoteFiles>;
  folders(question: BudgetQuestion): Promise<RemoteFolders>;
}

/** The files at an address, for an inspection. In Restricted Mode the user is asked before anything is sent. */
export function remoteFilesAt(make: RemoteMaker, address: string): RangedFiles {
  const shown = shownPath(address);
  return rangedFilesOf(async () => {
    if (!(await mayAsk(shown))) throw new FormatError('cancelled', 'it was not allowed in Restricted Mode');
    const files = await make.files((counts) => mayGoOn(shown, counts));
    return files.openTree(address);
  });
}

/** Configs and settings of a folder that nobody trusts may have named the address. */
async function mayAsk(address: string): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const ask = vscode.l10n.t('Ask');
  const words = vscode.l10n.t('Ask {address} for its files?', { address });
  const detail = vscode.l10n.t('This window is in Restricted Mode. The request may carry your login of that store.');
  return (await vscode.window.showWarningMessage(words, { modal: true, detail }, ask)) === ask;
}

/** Whether what an explorer shows may go on that takes many requests. */
export const folderQuestion: BudgetQuestion = (counts) => mayGoOn(vscode.l10n.t('The Explorer'), counts);

async function mayGoOn(address: string, { requests, receivedBytes }: Parameters<BudgetQuestion>[0]): Promise<boolean> {
  const goOn = vscode.l10n.t('Go On');
  const size = formatBytes(receivedBytes);
  const words = vscode.l10n.t('{address} takes many requests. Go on?', { address });
  const detail = vscode.l10n.t('{requests} requests have brought {size} so far, and more are needed.', { requests, size });
  return (await vscode.window.showWarningMessage(words, { modal: true, detail }, goOn)) === goOn;
}
