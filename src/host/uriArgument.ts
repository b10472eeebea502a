import * as vscode from 'vscode';

/** The resource that a command was called with: menus pass a URI, links and lenses the text of one. Undefined without one. */
export function uriOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  return typeof argument === 'string' && argument !== '' ? vscode.Uri.parse(argument, true) : undefined;
}
