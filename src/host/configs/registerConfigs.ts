import * as vscode from 'vscode';
import { ConfigDiagnostics } from './configDiagnostics.js';
import type { ConfigEstimates } from './configEstimates.js';
import { registerConfigFixes } from './configFixes.js';
import { registerConfigHovers } from './configHover.js';
import { registerConfigLenses } from './configLens.js';
import { registerEstimatePages } from './estimatePage.js';

/** All that the editor says of configs: hovers, the line above, marks with fixes, and the whole page. */
export function registerConfigs(estimates: ConfigEstimates): vscode.Disposable {
  return vscode.Disposable.from(
    registerConfigHovers(estimates),
    registerConfigLenses(estimates),
    new ConfigDiagnostics(estimates),
    registerConfigFixes(estimates),
    registerEstimatePages(estimates),
  );
}
