import * as vscode from 'vscode';
import { commandIds, editorIds } from '../../src/host/ids.js';
import { assertEqual, assertTrue } from './support/assert.js';
import { closeAllEditors, inspectAndWait, inWorkspace, stowage, waitFor, waitForReport } from './support/extension.js';
import { note } from './support/runMocha.js';

describe('inspect', () => {
  afterEach(closeAllEditors);

  it('registers every command of the manifest', async () => {
    const api = await stowage();
    const registered = await vscode.commands.getCommands(true);
    for (const id of Object.values(commandIds)) assertTrue(registered.includes(id), `${id} is not registered`);
    note(`activation ${api.activationMs.toFixed(1)} ms`);
  });

  it('opens a panel with a report whose parts sum to its bytes', async () => {
    const { report } = await inspectAndWait(inWorkspace('checkpoint-30'));
    const parts = Object.values(report.components).reduce((sum, part) => sum + part.tensorBytes + part.otherBytes, 0);
    assertEqual(parts, report.totalBytes, 'sum of the components');
    assertEqual(
      report.files.reduce((sum, file) => sum + file.bytes, 0),
      report.totalBytes,
      'sum of the files',
    );
    assertEqual(report.tensorCount, 5, 'tensors');
    const tabNamed = (label: string): vscode.Tab | undefined =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).find((tab) => tab.label === label);
    await waitFor(vscode.window.tabGroups.onDidChangeTabs, () => tabNamed('checkpoint-30'), 'a tab with the name of the folder');
  });

  it('shows one panel for each path', async () => {
    const uri = inWorkspace('checkpoint-30');
    await inspectAndWait(uri);
    await inspectAndWait(inWorkspace('odd'));
    await vscode.commands.executeCommand(commandIds.inspect, uri.with({ path: `${uri.path}/` }));
    assertEqual((await stowage()).reports().length, 2, 'open reports');
  });

  it('opens a safetensors file in the editor by default', async () => {
    const uri = inWorkspace('checkpoint-30', 'model.safetensors');
    await vscode.commands.executeCommand('vscode.open', uri);
    const state = await waitForReport(uri);
    assertTrue(state.phase === 'done', `no report: ${JSON.stringify(state)}`);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assertTrue(input instanceof vscode.TabInputCustom && input.viewType === editorIds.checkpoint, 'another editor was opened');
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
