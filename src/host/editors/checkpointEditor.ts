import * as vscode from 'vscode';
import { editorIds } from '../ids.js';
import type { ReportSessions } from '../report/reportSessions.js';

/** Shows the report of a single file in place of its bytes. There is no document model: the inspection holds what is known. */
class CheckpointEditorProvider implements vscode.CustomReadonlyEditorProvider {
  constructor(private readonly sessions: ReportSessions) {}

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  resolveCustomEditor(document: vscode.CustomDocument, panel: vscode.WebviewPanel): void {
    this.sessions.adopt(document.uri, panel);
  }
}

/** Registers the editor under all of its ids: the default for `*.safetensors`, the offers for extensions that others use too. */
export function registerCheckpointEditors(sessions: ReportSessions): vscode.Disposable {
  const provider = new CheckpointEditorProvider(sessions);
  const register = (id: string): vscode.Disposable =>
    vscode.window.registerCustomEditorProvider(id, provider, { supportsMultipleEditorsPerDocument: false });
  return vscode.Disposable.from(...[editorIds.checkpoint, editorIds.checkpointOption, editorIds.datasetOption].map(register));
}
