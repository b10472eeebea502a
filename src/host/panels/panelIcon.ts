import * as vscode from 'vscode';

/** The icon in the tab of a panel that is no editor. */
export function panelIcon(extensionUri: vscode.Uri): { light: vscode.Uri; dark: vscode.Uri } {
  const file = (name: string): vscode.Uri => vscode.Uri.joinPath(extensionUri, 'media', name);
  return { light: file('report-light.svg'), dark: file('report-dark.svg') };
}
