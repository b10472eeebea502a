/** Texts that a page has saved, with charts in a folder beside them. */
import * as vscode from 'vscode';
import type { ChartFile } from '../protocol/messages.js';
import { RpcError } from '../protocol/rpc.js';

/** The name of a file on every system: of one segment, not hidden, without characters that Windows refuses. */
const plainName = /^(?!\.)[^/\\:*?"<>|\p{C}]{1,121}$/u;

/** @throws RpcError `not-a-name` for what is more than a name: the page must not choose where files go */
export function expectPlainNames(names: readonly string[]): void {
  if (!names.every((name) => plainName.test(name))) throw new RpcError('not-a-name', 'a file has no plain name');
}

/** @param folder beside the target; the names in it have to be plain ones */
export async function writeWithCharts(
  target: vscode.Uri,
  text: string,
  folder: string,
  charts: readonly ChartFile[],
): Promise<void> {
  const encoder = new TextEncoder();
  await vscode.workspace.fs.writeFile(target, encoder.encode(text));
  for (const { name, svg } of charts)
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(target, '..', folder, name), encoder.encode(svg));
}
