import * as vscode from 'vscode';

/**
 * Gives panels back after the window was reloaded, each once its tab is shown. What a panel shows is in the state that its page keeps; one
 * without is closed.
 * @param restore shows what is at the address in the panel
 */
export function registerRestoredPanels(
  panelId: string,
  restore: (uri: vscode.Uri, panel: vscode.WebviewPanel) => void,
): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer(panelId, {
    deserializeWebviewPanel(panel, state: unknown) {
      const uri = sourceOf(state);
      if (uri === undefined) panel.dispose();
      else restore(uri, panel);
      return Promise.resolve();
    },
  });
}

/** What the page wrote into its state, which an earlier version may have done. */
function sourceOf(state: unknown): vscode.Uri | undefined {
  const source = typeof state === 'object' && state !== null && 'source' in state ? state.source : undefined;
  if (typeof source !== 'string') return undefined;
  try {
    return vscode.Uri.parse(source, true);
  } catch {
    return undefined;
  }
}
