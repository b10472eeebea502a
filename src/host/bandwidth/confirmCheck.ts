import * as vscode from 'vscode';
import type { Caution } from '../../core/bandwidth/checkPreview.js';

/** Asks a second time where others may feel the check; true at once where nobody would. */
export async function isStillWanted(target: string, cautions: readonly Caution[]): Promise<boolean> {
  if (cautions.length === 0) return true;
  const start = vscode.l10n.t('Start Check');
  const message = vscode.l10n.t('Measure the bandwidth of {0} all the same?', target);
  const detail = cautions.map(cautionMessage).join('\n\n');
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, start)) === start;
}

function cautionMessage(caution: Caution): string {
  return caution.code === 'login-node'
    ? vscode.l10n.t(
        'This seems to be a login node ({0}). Others work on it, and jobs may reach the storage another way.',
        caution.reason,
      )
    : vscode.l10n.t('{0} is shared: the check takes bandwidth from others while it runs.', caution.name);
}
