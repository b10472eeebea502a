import * as vscode from 'vscode';
import { commandIds } from '../../src/host/manifest/commandIds.js';
import { type HubServer, hubServer } from '../builders/remote/hubServer.js';
import { assertEqual, assertTrue } from './support/assert.js';
import { closeAllEditors, inspectAndWait, inWorkspace, waitForReport } from './support/extension.js';

describe('what is on the Hub', () => {
  const token = `hf_${'t0'.repeat(17)}`;
  const name = vscode.Uri.from({ scheme: 'hf', path: '/Org/Name' });
  let hub: HubServer;

  beforeEach(async () => {
    hub = await hubServer(inWorkspace('checkpoint-30').fsPath, 'Org/Name', { token, redirectedBytes: 2_000 });
    process.env['HF_ENDPOINT'] = hub.origin;
    process.env['HF_TOKEN'] = token;
  });
  afterEach(async () => {
    await closeAllEditors();
    await hub.close();
    delete process.env['HF_ENDPOINT'];
    delete process.env['HF_TOKEN'];
  });

  it('has the report of the same files here', async () => {
    const { report: local } = await inspectAndWait(inWorkspace('checkpoint-30'));
    await vscode.commands.executeCommand(commandIds.inspectRemote, 'hf://Org/Name');
    const state = await waitForReport(name);
    assertTrue(state.phase === 'done', `no report: ${JSON.stringify(state)}`);
    assertEqual(state.report.path, 'hf://Org/Name', 'path');
    assertEqual(state.report.totalBytes, local.totalBytes, 'bytes');
    assertEqual(JSON.stringify(state.report.findings), JSON.stringify(local.findings), 'findings');
    assertTrue(!JSON.stringify(state.report).includes(token), 'the token is in the report');
  });

  it('is not fetched again while it has not changed', async () => {
    await vscode.commands.executeCommand(commandIds.inspectRemote, 'hf://Org/Name');
    await waitForReport(name);
    await closeAllEditors();
    const before = hub.requests.length;
    await vscode.commands.executeCommand(commandIds.inspectRemote, 'hf://Org/Name');
    assertEqual((await waitForReport(name)).phase, 'done', 'phase of the report');
    const again = hub.requests.slice(before).map(({ url }) => url);
    assertTrue(again.length > 0, 'the list was not fetched');
    assertEqual(again.filter((url) => url.includes('/resolve/')).join(', '), '', 'files that were fetched again');
  });

  it('is a folder of the Explorer, to look at', async () => {
    const files = await vscode.workspace.fs.readDirectory(name);
    const here = await vscode.workspace.fs.readDirectory(inWorkspace('checkpoint-30'));
    assertEqual(JSON.stringify(files.sort()), JSON.stringify(here.sort()), 'files');
    const config = vscode.Uri.joinPath(name, 'config.json');
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(config));
    assertTrue(text.includes('model_type'), `this is no config: ${text.slice(0, 100)}`);
    const { type, size } = await vscode.workspace.fs.stat(config);
    assertEqual(type, vscode.FileType.File, 'type');
    assertEqual(size, text.length, 'size');
    assertEqual((await vscode.workspace.fs.stat(name)).type, vscode.FileType.Directory, 'type of the root');
    let refused = false;
    await vscode.workspace.fs.writeFile(config, new Uint8Array(1)).then(undefined, () => (refused = true));
    assertTrue(refused, 'it was written to');
    let missing = '';
    await vscode.workspace.fs.stat(vscode.Uri.joinPath(name, 'none')).then(undefined, (error: Error) => (missing = error.name));
    assertTrue(missing.includes('FileNotFound') || missing.includes('EntryNotFound'), `a file that is not there: ${missing}`);
  });

  it('is a link in configs, which leads to its report', async () => {
    const content = 'base_model: Org/Name\nsave_folder: s3://bucket/run\nmodel_path: models/base\n';
    const models = vscode.Uri.joinPath(inWorkspace(), 'models');
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(models, 'base'));
    const file = vscode.Uri.joinPath(inWorkspace(), 'addresses.yaml');
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(content));
    try {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
      const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', file, 10);
      const own = links.filter(({ target }) => target?.scheme === 'command');
      assertEqual(own.length, 2, `links: ${JSON.stringify(links)}`);
      const model = own.find(({ target }) => target?.toString(true).includes('hf://Org/Name') === true);
      const [id = '', argument = '[]'] = model?.target?.toString(true).slice('command:'.length).split('?') ?? [];
      await vscode.commands.executeCommand(id, ...(JSON.parse(argument) as unknown[]));
      assertEqual((await waitForReport(name)).phase, 'done', 'phase of the report');
    } finally {
      await vscode.workspace.fs.delete(file);
      await vscode.workspace.fs.delete(models, { recursive: true });
    }
  });

  it('is named where it may not be read', async () => {
    process.env['HF_TOKEN'] = 'hf_other';
    await vscode.commands.executeCommand(commandIds.inspectRemote, 'hf://Org/Name');
    const state = await waitForReport(name);
    assertTrue(state.phase === 'failed', 'a report was made of nothing');
    assertTrue(state.failure.message.includes('the token that is used may not read it'), state.failure.message);
  });
});
