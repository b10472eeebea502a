import * as vscode from 'vscode';
import type { CheckWarning } from '../../core/bandwidth/checkPreview.js';

/** Asks a second time where the check may slow others down; true at once elsewhere. */
export async function isStillWanted(target: string, warnings: readonly CheckWarning[]): Promise<boolean> {
  if (warnings.length === 0) return true;
  const start = vscode.l10n.t('Start Check');
  const message = vscode.l10n.t('Measure the bandwidth of {0} anyway?', target);
  const detail = warnings.map(warningMessage).join('\n\n');
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, start)) === start;
}

function warningMessage(warning: CheckWarning): string {
  return warning.code === 'login-node'
    ? vscode.l10n.t(
        'This seems to be a login node ({0}). Others work on it, and jobs may reach the storage another way.',
        warning.reason,
      )
    : vscode.l10n.t('{0} is shared: the check takes bandwidth from others while it runs.', warning.name);
}
