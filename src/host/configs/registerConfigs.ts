import * as vscode from 'vscode';
import { ConfigDiagnostics } from './configDiagnostics.js';
import type { ConfigEstimates } from './configEstimates.js';
import { registerConfigFixes } from './configFixes.js';
import { registerConfigHovers } from './configHover.js';
import { registerConfigLenses } from './configLens.js';

/** All that the editor says of configs: hovers, the line above, and marks with fixes. */
export function registerConfigs(estimates: ConfigEstimates): vscode.Disposable {
  return vscode.Disposable.from(
    registerConfigHovers(estimates),
    registerConfigLenses(estimates),
    new ConfigDiagnostics(estimates),
    registerConfigFixes(estimates),
  );
}
