import * as vscode from 'vscode';
import type { Files } from '../app/platform.js';
import { FormatError } from '../core/bytes/formatError.js';
import { decodeWrittenText } from '../core/bytes/text.js';
import { nameOf } from './inspectedPath.js';

/** The editor's files, by the text of their URIs. */
export const editorFiles: Files = {
  nameOf: (path) => nameOf(uriOf(path)),
  folderOf: (path) => vscode.Uri.joinPath(uriOf(path), '..').toString(),
  async stat(path) {
    const { type, size } = await vscode.workspace.fs.stat(uriOf(path));
    const isFolder = (type & vscode.FileType.Directory) !== 0;
    return { kind: isFolder ? 'folder' : (type & vscode.FileType.File) !== 0 ? 'file' : 'other', sizeBytes: size };
  },
  async readText(path, mostBytes) {
    const { size } = await vscode.workspace.fs.stat(uriOf(path));
    if (size > mostBytes)
      throw new FormatError('limit-exceeded', `it has ${size} bytes, more than the ${mostBytes} that are read of such a file`);
    return decodeWrittenText(await vscode.workspace.fs.readFile(uriOf(path)));
  },
};

function uriOf(path: string): vscode.Uri {
  return vscode.Uri.parse(path, true);
}
