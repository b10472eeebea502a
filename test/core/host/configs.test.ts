import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { syntaxOf } from '../../../src/core/configs/document/configSyntax.js';
import { mayBeConfig } from '../../../src/host/configs/configSelector.js';
import { settingIds } from '../../../src/host/ids.js';
import { commandIds } from '../../../src/host/manifest/commandIds.js';
import { type MarkdownString, Position, standIn, Uri } from '../../builders/vscodeStandIn.js';
import { activatedHost, type TestHost } from './activatedHost.js';

const config = JSON.stringify({ dim: 4096, n_layers: 32, n_heads: 32, vocab_size: 32_000, multiple_of: 256 }, null, 2);
const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };

async function hoversOver(document: vscode.TextDocument, word: string): Promise<MarkdownString[]> {
  const position = document.positionAt(document.getText().indexOf(word));
  const found = await Promise.all(
    standIn.hovers.map(async ({ provider }) =>
      provider.provideHover(document, position, token as unknown as vscode.CancellationToken),
    ),
  );
  return found.flatMap((hover) => (hover == null ? [] : (hover.contents as unknown as MarkdownString[])));
}

async function lensesOf(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
  const found = await Promise.all(standIn.lenses.map(async (provider) => provider.provideCodeLenses(document, token as never)));
  return found.flatMap((lenses) => lenses ?? []);
}

describe('configs in the editor', () => {
  let host: TestHost;
  afterEach(() => host.dispose());

  it('have a card over a key, from which only own commands may run', async () => {
    host = activatedHost();
    const [card] = await hoversOver(standIn.open('file:/run/params.json', config), 'n_layers');
    expect(card?.value).toContain('parameters');
    expect(card?.isTrusted).toEqual({ enabledCommands: [commandIds.estimate, commandIds.plan] });
    expect(card?.supportHtml).toBe(false);
  });

  it('have a line above, unless it is turned off', async () => {
    host = activatedHost();
    const document = standIn.open('file:/run/params.json', config);
    expect((await lensesOf(document)).map(({ command }) => command?.command)).toEqual([commandIds.estimate, commandIds.plan]);
    standIn.settings.set(settingIds.codeLens, false);
    expect(await lensesOf(document)).toEqual([]);
  });

  it('start no estimator for manifests and settings of other programs', async () => {
    host = activatedHost();
    for (const name of ['package.json', 'tsconfig.base.json', '.vscode/settings.json', 'pyproject.toml', 'notes.txt']) {
      const document = standIn.open(`file:/project/${name}`, '{"dim": 1}');
      expect(await lensesOf(document), name).toEqual([]);
      expect(await hoversOver(document, 'dim'), name).toEqual([]);
    }
    expect(host.estimators()).toBe(0);
  });

  it('are offered for an estimate from the palette where none is in front', async () => {
    host = activatedHost();
    standIn.write('file:/project/runs/train.yaml', 'max_steps: 1');
    standIn.write('file:/project/llama/config.json', config);
    standIn.write('file:/project/package.json', '{}');
    standIn.answer = 0;
    await standIn.run(commandIds.estimate);
    expect(standIn.offered.map(({ label, description }) => `${label}: ${description}`)).toEqual([
      'config.json: project/llama/config.json',
      'train.yaml: project/runs/train.yaml',
    ]);
    expect(standIn.panels.map(({ title }) => title)).toEqual(['Estimate of config.json']);
  });

  it('are asked for where there is none to offer', async () => {
    host = activatedHost();
    await standIn.run(commandIds.estimate);
    expect(standIn.panels).toEqual([]);
    expect(standIn.messages.map(({ text }) => text)).toEqual(['Open a config file first, or right-click one in the Explorer.']);
  });

  it('may have every name that configs in the tests have', () => {
    host = activatedHost();
    const root = 'test/fixtures/configs';
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (file) => syntaxOf(file) !== null && !file.startsWith('not-configs'),
    );
    expect(files.length).toBeGreaterThan(20);
    const refused = files.filter((file) => !mayBeConfig({ uri: Uri.file(path.posix.join('/', file)) as unknown as vscode.Uri }));
    expect(refused).toEqual([]);
  });

  it('are of files, not the settings of the editor itself', () => {
    host = activatedHost();
    const of = (uri: string): boolean => mayBeConfig({ uri: Uri.parse(uri) as unknown as vscode.Uri });
    expect([
      of('vscode-userdata:/User/settings.json'),
      of('vscode-remote://host/run/config.json'),
      of('untitled:/a.yaml'),
    ]).toEqual([false, true, true]);
  });
});

describe('indexes of datasets in the editor', () => {
  let host: TestHost;
  afterEach(() => host.dispose());

  const index = JSON.stringify({ version: 2, shards: [{ format: 'mds', samples: 12, raw_data: { bytes: 100 } }] });

  it('have a card, from which only the inspection may run', async () => {
    host = activatedHost();
    standIn.write('memfs:/set/index.json', index);
    const document = standIn.open('memfs:/set/index.json', index);
    const cards = await hoversOver(document, 'shards');
    expect(cards).toHaveLength(1);
    expect(cards[0]?.value).toContain(commandIds.inspect);
    expect(cards[0]?.isTrusted).toEqual({ enabledCommands: [commandIds.inspect] });
  });

  it('have none where the name is that of another file', async () => {
    host = activatedHost();
    expect(await hoversOver(standIn.open('memfs:/web/index.json', '{"pages": 1}'), 'pages')).toEqual([]);
    expect(new Position(0, 0)).toEqual({ line: 0, character: 0 });
  });
});
