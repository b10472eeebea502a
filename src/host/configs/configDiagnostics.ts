import * as vscode from 'vscode';
import type { ConfigFact } from '../../core/estimates/assessConfig.js';
import { configFindingWords } from '../../core/estimates/configFindingWords.js';
import { settingIds } from '../ids.js';
import type { ConfigEstimates } from './configEstimates.js';
import { rangeOf } from './configHover.js';
import { mayBeConfig } from './configSelector.js';

/** While somebody types, nothing is said. */
const quietMs = 400;

const severities: Readonly<Record<ConfigFact['severity'], vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  note: vscode.DiagnosticSeverity.Information,
};

/** Marks in open configs what will hurt. Names itself as the source, so that the quick fixes find their diagnostics. */
export class ConfigDiagnostics implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('stowage');
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly estimates: ConfigEstimates) {
    const { workspace } = vscode;
    this.subscriptions = [
      workspace.onDidOpenTextDocument((document) => this.schedule(document, 0)),
      workspace.onDidChangeTextDocument(({ document }) => this.schedule(document, quietMs)),
      workspace.onDidSaveTextDocument((document) => this.schedule(document, 0)),
      workspace.onDidCloseTextDocument((document) => this.close(document)),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(settingIds.diagnostics)) this.refresh();
      }),
    ];
    this.refresh();
  }

  private refresh(): void {
    for (const document of vscode.workspace.textDocuments) this.schedule(document, 0);
  }

  private schedule(document: vscode.TextDocument, delayMs: number): void {
    if (!mayBeConfig(document)) return;
    const key = document.uri.toString();
    clearTimeout(this.timers.get(key));
    this.timers.set(
      key,
      setTimeout(() => void this.update(document), delayMs),
    );
  }

  private async update(document: vscode.TextDocument): Promise<void> {
    this.timers.delete(document.uri.toString());
    const isOn = vscode.workspace.getConfiguration().get<boolean>(settingIds.diagnostics, true);
    const { version } = document;
    const found = isOn ? await this.estimates.of(document) : null;
    // Another version is on its way, or the document was closed meanwhile.
    if (document.isClosed || document.version !== version) return;
    this.collection.set(document.uri, found === null ? undefined : found.facts.map((fact) => diagnosticOf(document, fact)));
  }

  private close(document: vscode.TextDocument): void {
    clearTimeout(this.timers.get(document.uri.toString()));
    this.timers.delete(document.uri.toString());
    this.collection.delete(document.uri);
    this.estimates.forget(document);
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    for (const subscription of this.subscriptions) subscription.dispose();
    this.collection.dispose();
  }
}

function diagnosticOf(document: vscode.TextDocument, fact: ConfigFact): vscode.Diagnostic {
  const { message, advice } = configFindingWords(fact);
  const diagnostic = new vscode.Diagnostic(
    rangeOf(document, fact.key.node.span),
    `${message} ${advice}`,
    severities[fact.severity],
  );
  diagnostic.source = 'stowage';
  diagnostic.code = fact.code;
  return diagnostic;
}
