import * as vscode from 'vscode';
import { assertEqual, assertTrue } from './support/assert.js';
import { stowage } from './support/extension.js';

declare const PROJECT_ROOT: string;

/** Files of a folder and of all folders in it, relative to it. */
async function filesBelow(folder: vscode.Uri, prefix = ''): Promise<string[]> {
  const entries = await vscode.workspace.fs.readDirectory(folder);
  const found: string[] = [];
  for (const [name, type] of entries) {
    if (type === vscode.FileType.Directory)
      found.push(...(await filesBelow(vscode.Uri.joinPath(folder, name), `${prefix}${name}/`)));
    else found.push(`${prefix}${name}`);
  }
  return found.sort();
}

describe('the installed package', () => {
  it('has every file that was built', async () => {
    await stowage();
    const extension = vscode.extensions.getExtension('stowage.stowage');
    assertTrue(extension !== undefined && extension.extensionPath !== PROJECT_ROOT, 'this is not the installed extension');
    for (const folder of ['dist', 'l10n']) {
      const built = await filesBelow(vscode.Uri.joinPath(extension.extensionUri.with({ path: PROJECT_ROOT }), folder));
      const installed = await filesBelow(vscode.Uri.joinPath(extension.extensionUri, folder));
      const isPacked = (file: string): boolean => !file.endsWith('.map');
      assertTrue(built.length > 0, `nothing was built in ${folder}`);
      assertEqual(installed, built.filter(isPacked), folder);
    }
  });

  it('has every file that its manifest names', async () => {
    const extension = vscode.extensions.getExtension('stowage.stowage');
    assertTrue(extension !== undefined, 'the extension is not installed');
    const { main, browser, icon, contributes } = extension.packageJSON as {
      main: string;
      browser: string;
      icon: string;
      contributes: { jsonValidation: { url: string }[] };
    };
    for (const file of [main, browser, icon, ...contributes.jsonValidation.map(({ url }) => url)])
      await vscode.workspace.fs.stat(vscode.Uri.joinPath(extension.extensionUri, file));
  });
});
