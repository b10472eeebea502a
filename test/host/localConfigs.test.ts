import * as vscode from 'vscode';
import { assertTrue } from './support/assert.js';
import { closeAllEditors, inWorkspace, stowage } from './support/extension.js';

describe('configs on a local disk', () => {
  afterEach(closeAllEditors);

  it('are compared with the free space there', async () => {
    await stowage();
    const uri = inWorkspace('configs', 'train-megatron-llama3-8b', 'train_llama3_8b.sh');
    const document = await vscode.workspace.openTextDocument(uri);
    const position = document.positionAt(document.getText().indexOf('--save-interval') + 2);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, position);
    const text = hovers.flatMap(({ contents }) => contents.map((content) => (content as vscode.MarkdownString).value)).join('\n');
    assertTrue(/All 50 kept × 112 GB = \*\*5\.62 TB\*\* · free here: [\d.]+ [MGTP]B/.test(text), text);
  });

  it('find the models that they name, beside them', async () => {
    await stowage();
    const uri = inWorkspace('configs', 'train-axolotl-lora', 'axolotl.yaml');
    await vscode.workspace.openTextDocument(uri);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 10);
    assertTrue(
      lenses.some(({ command }) => command?.title.startsWith('8.03 B parameters · 41.9 M trained')),
      JSON.stringify(lenses),
    );
  });
});
