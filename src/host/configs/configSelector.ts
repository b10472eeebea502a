import type * as vscode from 'vscode';
import { syntaxOf } from '../../core/configs/document/configSyntax.js';

/** Documents that may be configs, by the ends of their names; what is in them decides. */
export const configSelector: vscode.DocumentFilter[] = [{ pattern: '**/*.{json,jsonc,yaml,yml,toml,sh,bash,sbatch,slurm,py}' }];

export function mayBeConfig({ uri }: { uri: vscode.Uri }): boolean {
  return syntaxOf(uri.path) !== null && (uri.scheme === 'file' || uri.scheme.startsWith('vscode-') || uri.scheme === 'untitled');
}
