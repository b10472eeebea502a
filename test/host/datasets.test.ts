import * as vscode from 'vscode';
import { editorIds } from '../../src/host/ids.js';
import { commandIds } from '../../src/host/manifest/commandIds.js';
import type { DatasetReport } from '../../src/core/datasets/datasetReport.js';
import { assertEqual, assertTrue } from './support/assert.js';
import { closeAllEditors, inspectAnything, inWorkspace, stowage, waitForReport } from './support/extension.js';

/** The report of a dataset, inspected by the command. */
async function datasetAt(uri: vscode.Uri, shownAs = uri): Promise<DatasetReport> {
  if (shownAs.toString() === uri.toString()) return asDataset((await inspectAnything(uri)).report);
  await vscode.commands.executeCommand(commandIds.inspect, uri);
  const state = await waitForReport(shownAs);
  if (state.phase !== 'done') throw new Error(`no report: ${JSON.stringify(state)}`);
  return asDataset(state.report);
}

function asDataset(report: { kind: string }): DatasetReport {
  if (report.kind !== 'dataset') throw new Error('this is no dataset');
  return report as DatasetReport;
}

/** What all hovers of a file say, as one text; only ours are trusted to run a command. */
async function hoverOver(uri: vscode.Uri): Promise<{ text: string; trusted: boolean }> {
  await stowage();
  await vscode.workspace.openTextDocument(uri);
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    uri,
    new vscode.Position(0, 1),
  );
  const contents = hovers.flatMap((hover) => hover.contents).filter((content) => content instanceof vscode.MarkdownString);
  return {
    text: contents.map(({ value }) => value).join('\n'),
    trusted: contents.some(({ isTrusted }) => isTrusted !== undefined && isTrusted !== false),
  };
}

describe('datasets', () => {
  afterEach(closeAllEditors);

  it('opens a report whose kinds of bytes sum to its bytes', async () => {
    const report = await datasetAt(inWorkspace('megatron-corpus'));
    assertEqual(report.layout, 'megatron-indexed', 'layout');
    assertEqual(report.tokens?.count, 5065, 'tokens');
    const sum = Object.values(report.bytes).reduce((total, bytes) => total + bytes, 0);
    assertEqual(sum, report.totalBytes, 'sum of the kinds');
  });

  it('brings the partner of a single file along', async () => {
    for (const name of ['web_text_document.idx', 'web_text_document.bin']) {
      const report = await datasetAt(inWorkspace('megatron-corpus', name));
      assertEqual(report.tokens?.count, 5065, name);
      assertEqual(
        report.files.map(({ path }) => path),
        ['web_text_document.bin', 'web_text_document.idx'],
        name,
      );
    }
  });

  it('inspects the folder around the index of a dataset, and any other index.json by itself', async () => {
    const folder = inWorkspace('streaming-mds', 'train');
    const report = await datasetAt(vscode.Uri.joinPath(folder, 'index.json'), folder);
    assertEqual([report.layout, report.tokens?.count], ['mds', 18_496], 'layout and tokens');
    const other = inWorkspace('app', 'index.json');
    await inspectAnything(other);
  });

  it('shows files of datasets in its editor', async () => {
    const uri = inWorkspace('streaming-mds', 'train', 'shard.00000.mds');
    await vscode.commands.executeCommand('vscode.openWith', uri, editorIds.datasetEditor);
    const state = await waitForReport(uri);
    assertTrue(state.phase === 'done', `no report: ${JSON.stringify(state)}`);
  });

  it('says over an index what the dataset is', async () => {
    const { text, trusted } = await hoverOver(inWorkspace('streaming-mds', 'train', 'index.json'));
    assertTrue(text.includes('18,496 tokens'), `no tokens: ${text}`);
    assertTrue(text.includes('4 bytes a token (int32)') || text.includes('4 bytes a token \\(int32\\)'), `no bytes: ${text}`);
    assertTrue(text.split('\n').length <= 12, `too long: ${text}`);
    assertTrue(text.includes(`command:${commandIds.inspect}?`) && trusted, `no link: ${text}`);
  });

  it('opens the report from the link of a hover', async () => {
    const { text } = await hoverOver(inWorkspace('streaming-mds', 'val', 'index.json'));
    const [, encoded = ''] = /command:stowage\.inspect\?([^)]*)\)/.exec(text) ?? [];
    const args = JSON.parse(decodeURIComponent(encoded)) as string[];
    await vscode.commands.executeCommand(commandIds.inspect, ...args);
    const state = await waitForReport(inWorkspace('streaming-mds', 'val'));
    assertTrue(state.phase === 'done' && state.report.kind === 'dataset', `no report: ${JSON.stringify(state).slice(0, 500)}`);
  });

  it('says nothing over other files of the same names', async () => {
    for (const parts of [
      ['app', 'index.json'],
      ['app', 'state.json'],
    ]) {
      const { text } = await hoverOver(inWorkspace(...parts));
      assertTrue(!text.includes('stowage'), `a hover over ${parts.join('/')}: ${text}`);
    }
  });

  it('answers a hover again when the index has changed', async () => {
    const uri = inWorkspace('changing', 'index.json');
    const before = await hoverOver(uri);
    assertTrue(before.text.includes('MDS'), `no hover: ${before.text}`);
    const index = JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))) as {
      shards: { samples: number }[];
    };
    index.shards.pop();
    const editor = await vscode.window.showTextDocument(uri);
    const whole = new vscode.Range(0, 0, editor.document.lineCount, 0);
    await editor.edit((edit) => edit.replace(whole, JSON.stringify(index)));
    await editor.document.save();
    const after = await hoverOver(uri);
    assertTrue(after.text.includes('MDS') && after.text !== before.text, `the same hover: ${after.text}`);
  });

  it('tells the splits of a dataset', async () => {
    const report = await datasetAt(inWorkspace('streaming-mds'));
    assertEqual(
      report.splits.map(({ name }) => name),
      ['train', 'val'],
      'splits',
    );
  });
});
