import * as vscode from 'vscode';
import { limits } from '../../core/bytes/limits.js';
import type { ConfigSources, FoundText } from '../../core/configs/configAccess.js';
import type { Platform } from '../../platform/inspector.js';

/** Files that a config names: from this machine's disk where it lies there, else through the editor. */
export function configSourcesAround(config: vscode.Uri, platform: Platform, hasLocalFiles: boolean): ConfigSources {
  const folder = vscode.Uri.joinPath(config, '..');
  if (config.scheme === 'file' && hasLocalFiles && platform.configs !== undefined) return platform.configs.sources(folder.fsPath);
  return { read: (named) => readBeside(folder, named), readCached: () => Promise.resolve(null) };
}

/** Only below the config's own folder: a virtual file system may be a remote one. */
async function readBeside(folder: vscode.Uri, named: string): Promise<FoundText | null> {
  const parts = named.split('/').filter((part) => part !== '.' && part !== '');
  if (named.startsWith('/') || parts.includes('..') || parts.length === 0) return null;
  const uri = vscode.Uri.joinPath(folder, ...parts);
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > limits.liveConfigCharacters) return null;
    return { path: parts.join('/'), text: new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)) };
  } catch {
    return null;
  }
}
