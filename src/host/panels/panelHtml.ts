import * as vscode from 'vscode';

/** The only folder that a panel may load files from. */
export function webviewRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}

/** Panels by the name of their script and style sheet; each is one element. */
export type PanelName = 'report' | 'estimate' | 'planner' | 'bandwidth' | 'run' | 'compare';

/**
 * The document of a panel. It holds nothing of the inspected files: the panel asks for everything by message, so that no
 * text of a file is ever parsed as markup.
 */
export function panelHtml(panel: PanelName, webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = createNonce();
  const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(webviewRoot(extensionUri), name)).toString();
  const source = webview.cspSource;
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${source}`,
    `font-src ${source}`,
    `img-src ${source}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return /* html */ `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stowage</title>
<link rel="stylesheet" id="vscode-codicon-stylesheet" href="${file('codicon.css')}">
<link rel="stylesheet" href="${file(`${panel}.css`)}">
</head>
<body>
<stowage-${panel}></stowage-${panel}>
<script nonce="${nonce}" src="${file(`${panel}.js`)}"></script>
</body>
</html>`;
}

/** 128 random bits. A nonce that can be guessed would let injected markup run as ours. */
function createNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
