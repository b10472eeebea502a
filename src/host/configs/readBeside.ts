import * as vscode from 'vscode';
import { limits } from '../../core/bytes/limits.js';
import { decodeWrittenText } from '../../core/bytes/text.js';
import type { FoundText } from '../../core/configs/configKind.js';

/** A file that a config names, through the editor. Only below the config's own folder: a virtual file system may be a remote one. */
export async function readBeside(config: vscode.Uri, named: string): Promise<FoundText | null> {
  const parts = named.split('/').filter((part) => part !== '.' && part !== '');
  if (named.startsWith('/') || parts.includes('..') || parts.length === 0) return null;
  const uri = vscode.Uri.joinPath(config, '..', ...parts);
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > limits.configCharacters) return null;
    return { path: parts.join('/'), text: decodeWrittenText(await vscode.workspace.fs.readFile(uri)) };
  } catch {
    return null;
  }
}
