import * as vscode from 'vscode';
import { assertEqual } from './support/assert.js';
import { inspectAndWait, inWorkspace } from './support/extension.js';

describe('restricted mode', () => {
  it('inspects a folder that is not trusted', async () => {
    assertEqual(vscode.workspace.isTrusted, false, 'trust');
    const { report } = await inspectAndWait(inWorkspace('checkpoint-30'));
    assertEqual(report.tensorCount, 5, 'tensors');
  });
});
