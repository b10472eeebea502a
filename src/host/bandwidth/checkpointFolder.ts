import * as vscode from 'vscode';
import { patternOf } from '../../core/files/namePattern.js';
import { readableFiles } from '../../core/files/readableRows.js';

/** Files that only checkpoints have, by their names; `.metadata` and `pytorch_model*.bin` by the whole of theirs. */
const ofCheckpoints = patternOf(readableFiles.filter(({ kind, isOwn }) => kind === 'checkpoint' && isOwn));
const wholeNames = /^(\.metadata|(pytorch_model|adapter_model)[\w.-]*\.bin|model(\.safetensors|\.bin)\.index\.json)$/;

/** Whether a folder is a checkpoint: files of one lie in it, not in folders below it. False for what cannot be listed. */
export async function isCheckpointFolder(uri: vscode.Uri): Promise<boolean> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(uri);
    return entries.some(
      ([name, type]) => (type & vscode.FileType.File) !== 0 && (ofCheckpoints.test(name) || wholeNames.test(name)),
    );
  } catch {
    return false;
  }
}
