import * as vscode from 'vscode';
import { isKubernetesName } from '../../core/jobs/kubernetesName.js';

/**
 * Asks for the name of a storage class or volume of the user's cluster; null where none is given.
 * @param hint which one, and how to find its name
 */
export async function askVolume({ hint }: { hint: string }): Promise<string | null> {
  const validateInput = (text: string): string | null => (isKubernetesName(text) ? null : hint);
  return (await vscode.window.showInputBox({ prompt: hint, validateInput })) ?? null;
}
