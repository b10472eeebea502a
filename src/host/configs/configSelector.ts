import type * as vscode from 'vscode';
import { syntaxOf } from '../../core/configs/document/configSyntax.js';

/** Documents that may be configs, by the ends of their names; what is in them decides. */
export const configSelector: vscode.DocumentFilter[] = [{ pattern: '**/*.{json,jsonc,yaml,yml,toml,sh,bash,sbatch,slurm,py}' }];

/**
 * Manifests and settings of other programs, which most projects have and no training uses. Reading one to find that out would start
 * the worker that reads configs in every project.
 */
const otherPrograms =
  /(^|\/)(package|package-lock|npm-shrinkwrap|composer|[jt]sconfig[^/]*|deno)\.jsonc?$|(^|\/)(pyproject|Cargo|uv)\.toml$|(^|\/)(pnpm-lock|mkdocs|\.pre-commit-config|(docker-)?compose[^/]*)\.ya?ml$|(^|\/)(setup|conftest|__init__|test_[^/]*)\.py$|(^|\/)\.(vscode|github|devcontainer)\//;

export function mayBeConfig({ uri }: { uri: vscode.Uri }): boolean {
  return syntaxOf(uri.path) !== null && isFileScheme(uri.scheme) && !otherPrograms.test(uri.path);
}

/** Settings of the editor itself are documents, too. */
function isFileScheme(scheme: string): boolean {
  return scheme === 'file' || scheme === 'untitled' || (scheme.startsWith('vscode-') && scheme !== 'vscode-userdata');
}
