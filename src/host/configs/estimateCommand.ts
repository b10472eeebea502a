import * as vscode from 'vscode';
import { uriOfArgument } from '../inspectedPath.js';
import { chooseConfig } from './chooseConfig.js';
import { mayBeConfig } from './configSelector.js';
import type { EstimatePanels } from './estimatePanels.js';

/** "Estimate Checkpoint Size". Opens the panel of a config: the one that is given, the one in the active editor, or one that is chosen. */
export async function estimateCommand(panels: EstimatePanels, argument: unknown): Promise<void> {
  const config = uriOfArgument(argument) ?? activeConfig() ?? (await chooseConfig());
  if (config !== undefined) panels.open(config);
}

function activeConfig(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document !== undefined && mayBeConfig(document) ? document.uri : undefined;
}
