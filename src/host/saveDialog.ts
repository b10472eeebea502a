import * as vscode from 'vscode';

/** What a dialog calls files of an extension where that is not the extension itself. */
const kinds: Readonly<Record<string, string>> = { md: 'Markdown', arrow: 'Apache Arrow' };

/** Asks where to write a file. @param name with its extension; null where the dialog was closed */
export async function askWhere(folder: vscode.Uri, name: string, title: string): Promise<vscode.Uri | null> {
  const extension = name.split('.').at(-1) ?? '';
  const filters = { [kinds[extension] ?? extension.toUpperCase()]: [extension] };
  return (await vscode.window.showSaveDialog({ defaultUri: vscode.Uri.joinPath(folder, name), filters, title })) ?? null;
}

/** Where files begin that belong to no other file. */
export function firstFolder(): vscode.Uri {
  return vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
}
