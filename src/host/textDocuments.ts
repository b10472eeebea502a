import * as vscode from 'vscode';

/** Of documents whose text is made here; each is read and never saved. */
export const textScheme = 'stowage-text';

/** The texts of such documents, by their addresses. */
export class TextDocuments implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  /**
   * Answers the address of the text.
   * @param name of the document, with its extension
   * @param of what it is about: documents of one name and of different things are different
   */
  put(name: string, of: vscode.Uri, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: textScheme, path: `/${name.replaceAll('/', ' ')}`, query: of.toString() });
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    return uri;
  }
}
