import * as vscode from 'vscode';
import { assertEqual } from './support/assert.js';
import { inspectAndWait, inWorkspace } from './support/extension.js';

describe('web extension host', () => {
  it('inspects through the editor, without Node', async () => {
    assertEqual(typeof globalThis.process, 'undefined', 'process');
    assertEqual(vscode.workspace.workspaceFolders?.[0]?.uri.scheme, 'vscode-remote', 'scheme');
    const { report } = await inspectAndWait(inWorkspace('checkpoint-30'));
    assertEqual(report.tensorCount, 5, 'tensors');
  });
});
