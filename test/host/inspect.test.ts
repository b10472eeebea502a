import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { commandIds } from '../../src/host/manifest/commandIds.js';
import { assertEqual, assertTrue } from './support/assert.js';
import {
  closeAllEditors,
  inspectAndWait,
  inspectAnything,
  inWorkspace,
  stowage,
  waitFor,
  waitForReport,
} from './support/extension.js';

describe('inspect', () => {
  afterEach(closeAllEditors);

  it('shows one panel for each path', async () => {
    const uri = inWorkspace('checkpoint-30');
    await inspectAndWait(uri);
    await inspectAnything(inWorkspace('odd'));
    await vscode.commands.executeCommand(commandIds.inspect, uri.with({ path: `${uri.path}/` }));
    assertEqual((await stowage()).reports().length, 2, 'open reports');
  });

  it('reports the rest of a folder in which a file is damaged', async () => {
    const { report } = await inspectAnything(inWorkspace('odd'));
    if (report.kind !== 'collection') throw new Error(`this is a ${report.kind}`);
    const partOf = (name: string) => report.parts.find(({ path }) => path === name);
    assertTrue((partOf('cut.safetensors')?.findings.error ?? 0) > 0, 'the cut file has no finding');
    assertEqual(partOf('<img src=x>.safetensors')?.findings.error ?? 0, 0, 'errors of the other file');
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

  it('verifies what a menu was opened for, by the checksums that are there', async () => {
    const uri = inWorkspace('checkpoint-30');
    const list = vscode.Uri.joinPath(uri, 'SHA256SUMS');
    const model = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(uri, 'model.safetensors'));
    const digest = createHash('sha256').update(model).digest('hex');
    await vscode.workspace.fs.writeFile(list, Buffer.from(`${digest}  model.safetensors\n${digest}  gone.pt\n`));
    try {
      await vscode.commands.executeCommand(commandIds.verify, uri);
      const api = await stowage();
      const ended = await waitFor(
        api.onDidChangeReports,
        () => api.reports().find(({ verification: { kind } }) => kind === 'done' || kind === 'failed')?.verification,
        'the verification',
      );
      assertTrue(ended.kind === 'done', `not verified: ${JSON.stringify(ended)}`);
      const statusOf = (name: string) => ended.report.files.find(({ path }) => path === name)?.status;
      assertEqual(statusOf('model.safetensors'), 'same', 'the file with its digest');
      assertEqual(statusOf('gone.pt'), 'missing', 'the file that is not there');
      assertEqual(ended.report.failed, 1, 'files that failed');
    } finally {
      await vscode.workspace.fs.delete(list);
    }
  });

  it('starts again on refresh', async () => {
    const uri = inWorkspace('checkpoint-30');
    await inspectAndWait(uri);
    await vscode.commands.executeCommand(commandIds.refreshReport);
    await waitForReport(uri, ['done']);
    assertEqual((await stowage()).reports().length, 1, 'open reports');
  });
});
