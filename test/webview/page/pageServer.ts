import { createServer, type Server } from 'node:http';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { isBandwidthScenario } from './bandwidthScenarios.js';
import { isCompareScenario } from './compareScenarios.js';
import { isEstimateScenario } from './estimateScenarios.js';
import { isPlanScenario } from './planScenarios.js';
import { isRunScenario } from './runScenarios.js';
import { themeSheet, type ThemeName } from './themes.js';

export interface PageServer {
  /** The page with a scenario in a theme. */
  url(scenario: string, theme: ThemeName): string;
  /** A document of the same origin without a panel. */
  emptyUrl: string;
  close(): Promise<void>;
}

const contentTypes: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };
const panels = ['report', 'estimate', 'planner', 'bandwidth', 'run', 'compare'] as const;
type Panel = (typeof panels)[number];

/** The script that plays the host of each panel. */
const hostScripts: Readonly<Record<Panel, string>> = {
  report: 'fakeHost.js',
  estimate: 'fakeEstimateHost.js',
  planner: 'fakePlanHost.js',
  bandwidth: 'fakeBandwidthHost.js',
  run: 'fakeRunHost.js',
  compare: 'fakeCompareHost.js',
};
const served = [...panels.flatMap((panel) => [`${panel}.js`, `${panel}.css`, hostScripts[panel]]), 'codicon.css', 'codicon.ttf'];

/** Serves a panel's bundle as VS Code does: the same document, the same content security policy, a fake host instead of the real one. */
export async function startPageServer(directory: string): Promise<PageServer> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const name = url.pathname.slice(1);
    const theme = (url.searchParams.get('theme') ?? 'vscode-dark') as ThemeName;
    if (name === '') {
      const nonce = randomBytes(16).toString('base64');
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policyOf(server, nonce) });
      response.end(documentOf(panelOf(url.searchParams.get('scenario')), theme, nonce));
    } else if (name === 'empty') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    } else if (name === 'theme.css') {
      response.writeHead(200, { 'content-type': 'text/css' }).end(themeSheet(theme));
    } else if (served.includes(name)) {
      readFile(path.join(directory, name)).then(
        (content) =>
          response
            .writeHead(200, { 'content-type': contentTypes[path.extname(name)] ?? '', 'cache-control': 'max-age=86400' })
            .end(content),
        () => response.writeHead(404).end(),
      );
    } else response.writeHead(name === 'favicon.ico' ? 204 : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    emptyUrl: `${originOf(server)}/empty`,
    url: (scenario, theme) => `${originOf(server)}/?scenario=${scenario}&theme=${theme}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function panelOf(scenario: string | null): Panel {
  if (isBandwidthScenario(scenario)) return 'bandwidth';
  if (isEstimateScenario(scenario)) return 'estimate';
  if (isRunScenario(scenario)) return 'run';
  if (isCompareScenario(scenario)) return 'compare';
  return isPlanScenario(scenario) ? 'planner' : 'report';
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function policyOf(server: Server, nonce: string): string {
  const source = originOf(server);
  return `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${source}; font-src ${source}; img-src ${source}`;
}

function documentOf(panel: Panel, theme: ThemeName, nonce: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Stowage</title>
    <link rel="stylesheet" href="theme.css?theme=${theme}" />
    <link rel="stylesheet" href="${panel}.css" />
    <link rel="stylesheet" id="vscode-codicon-stylesheet" href="codicon.css" />
  </head>
  <body class="${theme}">
    <stowage-${panel}></stowage-${panel}>
    <script nonce="${nonce}" src="${hostScripts[panel]}"></script>
    <script nonce="${nonce}" src="${panel}.js"></script>
  </body>
</html>`;
}
