import * as vscode from 'vscode';
import { FormatError } from '../../core/bytes/formatError.js';
import { formatBytes } from '../../core/text/units.js';
import type { RangedFiles } from '../../platform/rangedFileTree.js';
import { rangedFilesOf } from '../../platform/rangedFileTree.js';
import type { RemoteFolders } from '../../platform/remote/remoteFolders.js';
import type { BudgetQuestion } from '../../platform/remote/requestBudget.js';
import type { RemoteMaker } from './remoteMaker.js';
import { shownPath } from '../../core/files/remote/remoteAddress.js';

/** The files at an address, for an inspection. In Restricted Mode the user is asked before anything is sent. */
export function remoteFilesAt(make: RemoteMaker, address: string): RangedFiles {
  const shown = shownPath(address);
  return rangedFilesOf(async () => {
    if (!(await mayAsk(shown))) throw notAllowed();
    const files = await make.files((counts) => mayGoOn(shown, counts));
    return files.openTree(address);
  });
}

/** Configs and settings of an untrusted folder may contain the address. */
async function mayAsk(address: string): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const ask = vscode.l10n.t('Ask');
  const words = vscode.l10n.t('Ask {address} for its files?', { address });
  const detail = vscode.l10n.t('This window is in Restricted Mode. The request may carry your login of that store.');
  return (await vscode.window.showWarningMessage(words, { modal: true, detail }, ask)) === ask;
}

/**
 * Folders of stores for the Explorer, made with the first that is opened. In Restricted Mode the user is asked then, as a workspace file may have named the
 * folder; a refusal holds until the window is trusted.
 * @throws FormatError `cancelled` after a refusal
 */
export function remoteFoldersFor(make: RemoteMaker): () => Promise<RemoteFolders> {
  let isAllowed: Promise<boolean> | undefined;
  let folders: Promise<RemoteFolders> | undefined;
  return async () => {
    isAllowed ??= mayAsk(vscode.l10n.t('the stores of this workspace'));
    if (!vscode.workspace.isTrusted && !(await isAllowed)) throw notAllowed();
    folders ??= make.folders((counts) => mayGoOn(vscode.l10n.t('The Explorer'), counts));
    return folders;
  };
}

function notAllowed(): FormatError {
  return new FormatError('cancelled', 'it was not allowed in Restricted Mode');
}

async function mayGoOn(address: string, counts: Parameters<BudgetQuestion>[0]): Promise<boolean> {
  const goOn = vscode.l10n.t('Go On');
  const { requests, listedFiles: files } = counts;
  const size = formatBytes(counts.receivedBytes);
  const total = formatBytes(counts.listedBytes);
  const words = vscode.l10n.t('{address} takes many requests. Go on?', { address });
  const detail =
    files === 0
      ? vscode.l10n.t('{requests} requests have brought {size} so far, and more are needed.', { requests, size })
      : vscode.l10n.t(
          '{requests} requests have brought {size} so far. There are {files} files of {total}: headers take one to three requests a file, checksums and values every byte.',
          { requests, size, files, total },
        );
  return (await vscode.window.showWarningMessage(words, { modal: true, detail }, goOn)) === goOn;
}
