import * as vscode from 'vscode';

/** Whether there is a file or folder; false where that cannot be read. */
export function fileExists(uri: vscode.Uri): Promise<boolean> {
  return Promise.resolve(vscode.workspace.fs.stat(uri)).then(
    () => true,
    () => false,
  );
}
