import * as vscode from 'vscode';
import type { ConfigFact, ConfigFix } from '../../core/estimates/assessConfig.js';
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
    if (ours.length === 0 || !isFixable(document)) return [];
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
  else addKey(action.edit, document, range, fix.key, fix.value);
  return action;
}

/** One more key after this one, as the file's syntax writes it and as far to the right. */
function addKey(
  edit: vscode.WorkspaceEdit,
  document: vscode.TextDocument,
  { start, end }: vscode.Range,
  key: string,
  value: unknown,
): void {
  const line = document.lineAt(start.line);
  const indentation = line.text.slice(0, line.firstNonWhitespaceCharacterIndex);
  const newLine = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const isInline = line.text.slice(0, start.character).includes('{');
  const name = isYaml(document) ? key : `"${key}"`;
  const member = `${name}: ${String(value)}`;
  if (isInline) edit.insert(document.uri, end, `, ${member}`);
  else if (!isYaml(document)) edit.insert(document.uri, end, `,${newLine}${indentation}${member}`);
  // Behind the comment that may stand in this line.
  else edit.insert(document.uri, document.lineAt(end.line).range.end, `${newLine}${indentation}${member}`);
}

function isYaml({ uri }: vscode.TextDocument): boolean {
  return /\.ya?ml$/i.test(uri.path);
}

/** Of scripts and Python, a flag may be its own value, and a value is written in more than one way: there nothing is offered. */
function isFixable(document: vscode.TextDocument): boolean {
  return isYaml(document) || /\.jsonc?$/i.test(document.uri.path);
}

export function registerConfigFixes(estimates: ConfigEstimates): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(configSelector, new ConfigFixProvider(estimates), {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  });
}
