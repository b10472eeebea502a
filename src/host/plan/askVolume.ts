import * as vscode from 'vscode';
import { isKubernetesName } from '../../core/planning/export/kubernetesName.js';

/** Asks for the name of a storage class or volume of the user's cluster; null where none is given. */
export async function askVolume({ what, hint }: { what: string; hint: string }): Promise<string | null> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Name of the {0}', what),
    prompt: hint,
    ignoreFocusOut: true,
    validateInput: (text) =>
      isKubernetesName(text) ? undefined : vscode.l10n.t('Lower-case letters, digits, hyphens and points.'),
  });
  return name ?? null;
}
