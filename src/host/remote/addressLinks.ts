import * as vscode from 'vscode';
import { type AddressInText, addressesIn } from '../../core/files/remote/addressesIn.js';
import { modelIdsIn } from '../../core/files/remote/modelIdsIn.js';
import { configSelector } from '../configs/configSelector.js';
import { commandIdOf } from '../manifest/commandId.js';

/** A longer document is no config that people write. */
const longestText = 1024 * 1024;
const mostLinks = 200;
/** Directories are looked for under the names of so many models. */
const mostModels = 20;

/** Addresses of stores and models of the Hub in configs and scripts are links to their reports. Nothing is asked for before a click. */
export function registerAddressLinks(): vscode.Disposable {
  return vscode.languages.registerDocumentLinkProvider(configSelector, {
    async provideDocumentLinks(document) {
      const text = document.getText();
      if (text.length > longestText) return [];
      const models = await Promise.all(
        modelIdsIn(text, mostModels).map(async (model) => ((await isDirectory(document, model)) ? [] : [model])),
      );
      return [...addressesIn(text, mostLinks), ...models.flat()].map((found) => linkOf(document, found));
    },
  });
}

/** Whether a directory of the name is there, which is what programs look for first. */
async function isDirectory({ uri }: vscode.TextDocument, { address }: AddressInText): Promise<boolean> {
  const name = address.slice('hf://'.length);
  const workspace = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  const around = [vscode.Uri.joinPath(uri, '..'), ...(workspace === undefined ? [] : [workspace])];
  const looked = around.map((folder) =>
    vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, name)).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(looked)).includes(true);
}

function linkOf(document: vscode.TextDocument, { start, end, address }: AddressInText): vscode.DocumentLink {
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  const link = new vscode.DocumentLink(range, commandLink(address));
  link.tooltip = vscode.l10n.t('Inspect {address} with Stowage', { address });
  return link;
}

function commandLink(address: string): vscode.Uri {
  return vscode.Uri.parse(`command:${commandIdOf('inspectRemote')}?${encodeURIComponent(JSON.stringify([address]))}`);
}
