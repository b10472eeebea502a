import * as vscode from 'vscode';
import { reportRoot } from '../inspectedPath.js';
import { reportEditors, viewTypeOf } from '../manifest/editorTable.js';
import type { ReportSessions } from './reportSessions.js';

/** Shows the report of a single file in place of its bytes. There is no document model: the inspection holds what is known. */
class ReportEditorProvider implements vscode.CustomReadonlyEditorProvider {
  constructor(private readonly sessions: ReportSessions) {}

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  resolveCustomEditor(document: vscode.CustomDocument, panel: vscode.WebviewPanel): void {
    this.sessions.adopt(reportRoot(document.uri), panel);
  }
}

/** Registers the editor under all of its ids: the defaults for formats of training alone, the offers for extensions that others use too. */
export function registerReportEditors(sessions: ReportSessions): vscode.Disposable {
  const provider = new ReportEditorProvider(sessions);
  const register = (viewType: string): vscode.Disposable =>
    vscode.window.registerCustomEditorProvider(viewType, provider, { supportsMultipleEditorsPerDocument: false });
  return vscode.Disposable.from(...reportEditors.map((name) => register(viewTypeOf(name))));
}
