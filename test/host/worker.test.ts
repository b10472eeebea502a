import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as vscode from 'vscode';
import { commandIds } from '../../src/host/manifest/commandIds.js';
import { assertEqual, assertTrue } from './support/assert.js';
import { closeAllEditors, inspectAndWait, inWorkspace, stowage, waitFor, waitForReport } from './support/extension.js';
import { note } from './support/runMocha.js';

describe('inspection worker', () => {
  afterEach(closeAllEditors);

  it('counts the tensors of a large checkpoint outside of the extension host', async () => {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const startedMs = performance.now();
    const { report } = await inspectAndWait(inWorkspace('many'));
    const elapsedMs = performance.now() - startedMs;
    delay.disable();
    assertEqual(report.tensorCount, 192_000, 'tensors');
    note(
      `192,000 tensors in 64 files: ${Math.round(elapsedMs)} ms, the host's event loop was blocked for at most ${(delay.max / 1e6).toFixed(0)} ms`,
    );
  });

  it('is cancelled with words and can be started again', async () => {
    const api = await stowage();
    const uri = inWorkspace('many');
    // In the event of its start: however quick the worker is, its report is not here yet.
    const started = api.onDidChangeReports(() => {
      started.dispose();
      api.cancel(uri);
    });
    await vscode.commands.executeCommand(commandIds.inspect, uri);
    const state = await waitForReport(uri, ['failed']);
    assertTrue(state.phase === 'failed' && state.failure.code === 'cancelled', JSON.stringify(state));
    api.refresh(uri);
    assertEqual((await waitForReport(uri, ['done', 'failed'])).phase, 'done', 'phase after the refresh');
  });

  it('ends with its panel', async () => {
    const uri = inWorkspace('many');
    await vscode.commands.executeCommand(commandIds.inspect, uri);
    await closeAllEditors();
    const api = await stowage();
    await waitFor(api.onDidChangeReports, () => (api.reports().length === 0 ? true : undefined), 'the report to be closed');
  });
});
