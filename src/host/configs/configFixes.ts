import * as vscode from 'vscode';
import type { ConfigFact, ConfigFix } from '../../core/configs/assessConfig.js';
import type { ConfigEstimates } from './configEstimates.js';
import { rangeOf } from './configHover.js';
import { configSelector } from './configSelector.js';

/** Offers the change that a finding brings along. */
class ConfigFixProvider implements vscode.CodeActionProvider {
  constructor(private readonly estimates: ConfigEstimates) {}

  async provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const ours = diagnostics.filter(({ source }) => source === 'stowage');
    if (ours.length === 0) return [];
    const found = await this.estimates.of(document);
    return (found?.facts ?? []).flatMap((fact) => {
      const diagnostic = ours.find(
        ({ code, range }) => code === fact.code && range.isEqual(rangeOf(document, fact.key.node.span)),
      );
      return fact.fix === undefined || diagnostic === undefined ? [] : [actionOf(document, fact, fact.fix, diagnostic)];
    });
  }
}

function actionOf(
  document: vscode.TextDocument,
  fact: ConfigFact,
  fix: ConfigFix,
  diagnostic: vscode.Diagnostic,
): vscode.CodeAction {
  const key = fix.kind === 'add' ? fix.key : (fact.key.path[fact.key.path.length - 1] ?? '');
  const setting = `${key}: ${String(fix.value)}`;
  const title =
    fix.kind === 'add' ? vscode.l10n.t('Add {setting}', { setting }) : vscode.l10n.t('Change to {setting}', { setting });
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  action.isPreferred = true;
  action.edit = new vscode.WorkspaceEdit();
  const range = rangeOf(document, fact.key.node.span);
  if (fix.kind === 'set') action.edit.replace(document.uri, range, String(fix.value));
  else action.edit.insert(document.uri, range.end, additionOf(document, range, fix));
  return action;
}

/** One more key after this one, as the file's syntax writes it and as far to the right. */
function additionOf(
  document: vscode.TextDocument,
  { start, end }: vscode.Range,
  { key, value }: { key: string; value: unknown },
): string {
  const line = document.lineAt(start.line);
  const indentation = line.text.slice(0, line.firstNonWhitespaceCharacterIndex);
  const newLine = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const name = document.uri.path;
  if (/\.jsonc?$/i.test(name)) {
    const isOneLine = line.text.slice(0, start.character).includes('{');
    return isOneLine ? `, "${key}": ${String(value)}` : `,${newLine}${indentation}"${key}": ${String(value)}`;
  }
  if (/\.ya?ml$/i.test(name)) {
    const isFlow = /[{]/.test(line.text.slice(0, start.character));
    return isFlow ? `, ${key}: ${String(value)}` : `${newLine}${indentation}${key}: ${String(value)}`;
  }
  if (/\.(sh|bash|sbatch|slurm)$/i.test(name)) return ` --${key} ${String(value)}`;
  // TOML and Python: behind what may still stand in this line, a comment for example, nothing may be inserted.
  return line.range.end.isEqual(end) ? `${newLine}${indentation}${key} = ${String(value)}` : '';
}

export function registerConfigFixes(estimates: ConfigEstimates): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(configSelector, new ConfigFixProvider(estimates), {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}
