import * as vscode from 'vscode';
import { nameOf } from '../inspectedPath.js';
import { mayBeConfig } from './configSelector.js';

/** Names that configs of models and of training runs have, as the Explorer's menu takes them; what is in them decides. */
const configFiles =
  '**/{*.{yaml,yml,toml,sbatch,slurm},*config*.{json,jsonc},params.json,*{train,pretrain,finetune,launch,run}*.{sh,bash,py}}';

/** A longer list is no choice any more, and a search of a large workspace has to end. */
const mostListed = 500;

interface ConfigItem extends vscode.QuickPickItem {
  uri: vscode.Uri;
}

/** Offers the files of the workspace that may be configs; undefined where there is none or the user thinks better of it. */
export async function chooseConfig(): Promise<vscode.Uri | undefined> {
  const found = await vscode.workspace.findFiles(configFiles, '**/{node_modules,.git,.venv,venv}/**', mostListed);
  const items = found
    .filter((uri) => mayBeConfig({ uri }))
    .map((uri): ConfigItem => ({ uri, label: nameOf(uri), description: vscode.workspace.asRelativePath(uri) }))
    .sort((a, b) => (a.description ?? '').localeCompare(b.description ?? ''));
  if (items.length === 0) {
    await vscode.window.showInformationMessage(vscode.l10n.t('Open a config file first, or right-click one in the Explorer.'));
    return undefined;
  }
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Estimate Checkpoint Size'),
    placeHolder: vscode.l10n.t('Config of a model or of a training run'),
    matchOnDescription: true,
  });
  return chosen?.uri;
}
