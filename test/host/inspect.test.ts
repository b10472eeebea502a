import * as vscode from 'vscode';
import { commandIds } from '../../src/host/manifest/commandIds.js';
import { assertEqual, assertTrue } from './support/assert.js';
import { closeAllEditors, inspectAndWait, inWorkspace, stowage, waitForReport } from './support/extension.js';

describe('inspect', () => {
  afterEach(closeAllEditors);

  it('shows one panel for each path', async () => {
    const uri = inWorkspace('checkpoint-30');
    await inspectAndWait(uri);
    await inspectAndWait(inWorkspace('odd'));
    await vscode.commands.executeCommand(commandIds.inspect, uri.with({ path: `${uri.path}/` }));
    assertEqual((await stowage()).reports().length, 2, 'open reports');
  });

  it('reports the rest of a folder in which a file is damaged', async () => {
    const { report } = await inspectAndWait(inWorkspace('odd'));
    assertTrue(
      report.findings.some((finding) => finding.path === 'cut.safetensors'),
      'the cut file has no finding',
    );
    assertTrue(
      report.files.some((file) => file.path === '<img src=x>.safetensors'),
      'the other file is missing',
    );
  });

  it('inspects an empty folder', async () => {
    const { report } = await inspectAndWait(inWorkspace('empty'));
    assertEqual(report.totalBytes, 0, 'bytes');
  });

  it('says what to do about a path that is not there', async () => {
    const uri = inWorkspace('nowhere');
    await vscode.commands.executeCommand(commandIds.inspect, uri);
    const state = await waitForReport(uri);
    assertTrue(state.phase === 'failed', 'a report was made of nothing');
    assertEqual(state.failure.code, 'io', 'code');
    assertTrue(state.failure.message.includes('Check the path'), `the message gives no advice: ${state.failure.message}`);
  });

  it('starts again on refresh', async () => {
    const uri = inWorkspace('checkpoint-30');
    await inspectAndWait(uri);
    await vscode.commands.executeCommand(commandIds.refreshReport);
    await waitForReport(uri, ['done']);
    assertEqual((await stowage()).reports().length, 1, 'open reports');
  });
});
