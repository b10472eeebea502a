import * as vscode from 'vscode';
import { commandIds } from '../../src/host/manifest/commandIds.js';
import { checkpointOf } from '../builders/inspectCheckpoint.js';
import { assertEqual, assertTrue } from './support/assert.js';
import { closeAllEditors, inspectAndWait, inWorkspace, waitForReport } from './support/extension.js';

declare const RESULTS_URL: string;

describe('a file of a web server', () => {
  const origin = new URL(RESULTS_URL).origin;
  afterEach(closeAllEditors);

  it('has the report of the same file here, by ranges', async () => {
    const { report: local } = await inspectAndWait(inWorkspace('checkpoint-30', 'model.safetensors'));
    const address = `${origin}/checkpoint-30/model.safetensors`;
    await vscode.commands.executeCommand(commandIds.inspectRemote, address);
    const state = await waitForReport(vscode.Uri.parse(address, true));
    assertTrue(state.phase === 'done', `no report: ${JSON.stringify(state)}`);
    assertEqual(state.report.totalBytes, local.totalBytes, 'bytes');
    assertEqual(JSON.stringify(checkpointOf(state.report).components), JSON.stringify(local.components), 'components');
    assertTrue(state.report.io.bytesRead < local.totalBytes, 'more than headers were read');
  });

  it('that is not there is named', async () => {
    const address = `${origin}/checkpoint-30/none.safetensors`;
    await vscode.commands.executeCommand(commandIds.inspectRemote, address);
    const state = await waitForReport(vscode.Uri.parse(address, true));
    assertTrue(state.phase === 'failed', 'a report was made of nothing');
    assertTrue(state.failure.message.includes('there is no such file'), state.failure.message);
  });
});
