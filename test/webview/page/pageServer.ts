import { createServer, type Server } from 'node:http';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { themeSheet, type ThemeName } from './themes.js';

export interface PageServer {
  /** The page with a scenario in a theme. */
  url(scenario: string, theme: ThemeName): string;
  close(): Promise<void>;
}

const contentTypes: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };
const served = ['report.js', 'report.css', 'codicon.css', 'codicon.ttf', 'fakeHost.js'];

/** Serves the panel's bundle as VS Code does: the same document, the same content security policy, a fake host instead of the real one. */
export async function startPageServer(directory: string): Promise<PageServer> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const name = url.pathname.slice(1);
    const theme = (url.searchParams.get('theme') ?? 'vscode-dark') as ThemeName;
    if (name === '') {
      const nonce = randomBytes(16).toString('base64');
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policyOf(server, nonce) });
      response.end(documentOf(theme, nonce));
    } else if (name === 'theme.css') {
      response.writeHead(200, { 'content-type': 'text/css' }).end(themeSheet(theme));
    } else if (served.includes(name)) {
      readFile(path.join(directory, name)).then(
        (content) => response.writeHead(200, { 'content-type': contentTypes[path.extname(name)] ?? '' }).end(content),
        () => response.writeHead(404).end(),
      );
    } else response.writeHead(name === 'favicon.ico' ? 204 : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: (scenario, theme) => `${originOf(server)}/?scenario=${scenario}&theme=${theme}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function policyOf(server: Server, nonce: string): string {
  const source = originOf(server);
  return `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${source}; font-src ${source}; img-src ${source}`;
}

function documentOf(theme: ThemeName, nonce: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Stowage</title>
    <link rel="stylesheet" href="theme.css?theme=${theme}" />
    <link rel="stylesheet" href="report.css" />
    <link rel="stylesheet" id="vscode-codicon-stylesheet" href="codicon.css" />
  </head>
  <body class="${theme}">
    <stowage-report></stowage-report>
    <script nonce="${nonce}" src="fakeHost.js"></script>
    <script nonce="${nonce}" src="report.js"></script>
  </body>
</html>`;
}
