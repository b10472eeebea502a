import * as vscode from 'vscode';
import { addressesIn } from '../../core/files/remote/addressesIn.js';
import { configSelector } from '../configs/configSelector.js';
import { commandIdOf } from '../manifest/commandId.js';

/** A longer document is no config that people write. */
const longestText = 1024 * 1024;
const mostLinks = 200;

/** Addresses of stores in configs and scripts are links to their reports. Nothing is asked for before a click. */
export function registerAddressLinks(): vscode.Disposable {
  return vscode.languages.registerDocumentLinkProvider(configSelector, {
    provideDocumentLinks(document) {
      const text = document.getText();
      if (text.length > longestText) return [];
      return addressesIn(text, mostLinks).map(({ start, end, address }) => {
        const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
        const link = new vscode.DocumentLink(range, commandLink(address));
        link.tooltip = vscode.l10n.t('Inspect with Stowage');
        return link;
      });
    },
  });
}

function commandLink(address: string): vscode.Uri {
  return vscode.Uri.parse(`command:${commandIdOf('inspectRemote')}?${encodeURIComponent(JSON.stringify([address]))}`);
}
