import * as vscode from 'vscode';
import { useCaseTable } from '../../src/app/useCaseTable.js';
import { editorIds, panelIds } from '../../src/host/ids.js';
import { commandIds } from '../../src/host/manifest/commandIds.js';
import { assertEqual, assertRejects, assertTrue } from './support/assert.js';
import {
  closeAllEditors,
  inspectAndWait,
  inspectAnything,
  inWorkspace,
  stowage,
  waitFor,
  waitForReport,
} from './support/extension.js';
import { note } from './support/runMocha.js';

const script = (): vscode.Uri => inWorkspace('configs', 'train-megatron-llama3-8b', 'train_llama3_8b.sh');

describe('every window', () => {
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

  it('opens a safetensors file in the editor by default', async () => {
    const uri = inWorkspace('checkpoint-30', 'model.safetensors');
    await vscode.commands.executeCommand('vscode.open', uri);
    const state = await waitForReport(uri);
    assertTrue(state.phase === 'done', `no report: ${JSON.stringify(state)}`);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assertTrue(
      input instanceof vscode.TabInputCustom && input.viewType === editorIds.checkpointEditor,
      'another editor was opened',
    );
  });

  it('inspects a dataset', async () => {
    const { report } = await inspectAnything(inWorkspace('megatron-corpus'));
    assertTrue(report.kind === 'dataset' && report.tokens?.count === 5065, JSON.stringify(report).slice(0, 400));
  });

  it('has a line above a config, and a card over its keys', async () => {
    await stowage();
    const document = await vscode.workspace.openTextDocument(script());
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', script(), 10);
    assertTrue(
      lenses.some(({ command }) => command?.command === commandIds.estimate),
      'no line above',
    );
    const position = document.positionAt(document.getText().indexOf('--num-layers') + 2);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', script(), position);
    const text = hovers.flatMap(({ contents }) => contents.map((content) => (content as vscode.MarkdownString).value)).join();
    assertTrue(text.includes('8,030,261,248 parameters'), text);
  });

  it('marks what is unusable in a config', async () => {
    const uri = inWorkspace('unusable.json');
    const text = JSON.stringify({ dim: -4096, n_layers: 32, n_heads: 32, vocab_size: 1 });
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    await stowage();
    await vscode.workspace.openTextDocument(uri);
    const find = (): vscode.Diagnostic | undefined =>
      vscode.languages.getDiagnostics(uri).find(({ code }) => code === 'value-unusable');
    await waitFor(vscode.languages.onDidChangeDiagnostics, find, 'the mark');
  });

  it('opens a plan with the numbers of a config', async () => {
    await vscode.commands.executeCommand(commandIds.plan, script());
    const find = (): vscode.Uri | undefined =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs.map(({ input }) => input))
        .filter((input): input is vscode.TabInputCustom => input instanceof vscode.TabInputCustom)
        .find(({ viewType }) => viewType === editorIds.planEditor)?.uri;
    const uri = await waitFor(vscode.window.tabGroups.onDidChangeTabs, find, 'the planner');
    const { inputs } = JSON.parse((await vscode.workspace.openTextDocument(uri)).getText()) as { inputs: object };
    assertEqual((inputs as { parameters?: number }).parameters, 8_030_261_248, 'parameters');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('opens a panel with the whole estimate of a config', async () => {
    const config = inWorkspace('configs', 'gpt-oss-20b', 'config.json');
    await vscode.commands.executeCommand(commandIds.estimate, config);
    const isShown = () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .some(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(panelIds.estimate));
    await waitFor(vscode.window.tabGroups.onDidChangeTabs, () => (isShown() ? true : undefined), 'the panel');
  });

  it('answers an assistant', async () => {
    await stowage();
    const ask = async (tool: string, input: object) => {
      const { content } = await vscode.lm.invokeTool(tool, { input, toolInvocationToken: undefined });
      return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
    };
    const config = inWorkspace('configs', 'gpt-oss-20b', 'config.json').path;
    assertTrue(
      (await ask(useCaseTable.estimate.tool.name, { path: config })).includes('20,914,757,184 parameters'),
      'no estimate',
    );
    const lion = await ask(useCaseTable.estimate.tool.name, { path: config, optimizer: 'lion', precision: 'bf16' });
    assertTrue(lion.includes('10.00 bytes per parameter'), lion.slice(0, 600));
    assertTrue((await ask(useCaseTable.inspect.tool.name, { path: 'checkpoint-30' })).includes('parameters'), 'no report');
    await assertRejects(
      ask(useCaseTable.estimate.tool.name, { path: inWorkspace('other-files', 'package.json').path }),
      'not a config',
    );
    await assertRejects(
      ask(useCaseTable.estimate.tool.name, { path: config, optimizer: 'no such thing' }),
      'an unknown optimizer',
    );
  });
});
