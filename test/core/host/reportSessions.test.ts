import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { editorIds } from '../../../src/host/ids.js';
import { commandIds } from '../../../src/host/manifest/commandIds.js';
import { reveal } from '../../../src/host/report/reveal.js';
import { standIn, Uri } from '../../builders/vscodeStandIn.js';
import type { FakePanel } from '../../builders/vscodeValues.js';
import { until } from '../../builders/until.js';
import { activatedHost, writeWeights, type TestHost } from './activatedHost.js';

const file = 'memfs:/run/model.safetensors';

describe('reports', () => {
  let host: TestHost;
  let uri: vscode.Uri;
  beforeEach(() => {
    host = activatedHost();
    uri = writeWeights(file);
  });
  afterEach(() => host.dispose());

  const phases = (): string[] => host.api.reports().map(({ state }) => state.phase);
  const allDone = (): Promise<true> => until('all reports are done', () => phases().every((phase) => phase === 'done'));
  const inspect = (target: vscode.Uri): unknown => standIn.run(commandIds.inspect, target);

  const openInEditor = (target: vscode.Uri): FakePanel => {
    const panel = standIn.newPanel('model.safetensors');
    const provider = standIn.editors.get(editorIds.checkpointEditor) as vscode.CustomReadonlyEditorProvider;
    const document = { uri: target, dispose: () => undefined };
    void provider.resolveCustomEditor(document, panel as unknown as vscode.WebviewPanel, undefined as never);
    return panel;
  };

  it('are one for each path that is inspected', async () => {
    await inspect(uri);
    await inspect(uri.with({ path: `${uri.path}/` }));
    expect(host.api.reports()).toHaveLength(1);
    expect(standIn.panels.map(({ reveals }) => reveals)).toEqual([1]);
    await allDone();
  });

  it('are there again after the window was reloaded, inspected anew', async () => {
    const serializer = standIn.serializers.get('stowage.report') as vscode.WebviewPanelSerializer;
    const panel = standIn.newPanel('Report');
    await serializer.deserializeWebviewPanel(panel as unknown as vscode.WebviewPanel, { tab: 'files', source: uri.toString() });
    await allDone();
    expect(host.api.reports()).toMatchObject([{ title: 'model.safetensors', state: { phase: 'done' } }]);
    await inspect(uri);
    expect(host.api.reports()).toHaveLength(1);
    await serializer.deserializeWebviewPanel(standIn.newPanel('Report') as unknown as vscode.WebviewPanel, {
      source: uri.toString(),
    });
    expect(host.api.reports()).toHaveLength(1);
  });

  it('of a part of a directory are others than that of the directory', async () => {
    await inspect(uri);
    await inspect(uri.with({ fragment: 'checkpoint' }));
    expect(host.api.reports()).toHaveLength(2);
    await inspect(uri.with({ fragment: 'checkpoint' }));
    expect(host.api.reports()).toHaveLength(2);
  });

  it('say what is in the file', async () => {
    await inspect(uri);
    await allDone();
    const [report] = host.api.reports();
    expect(report?.state).toMatchObject({ phase: 'done', report: { kind: 'checkpoint', tensorCount: 1 } });
  });

  it('are refreshed in the panel in front, also where a second editor shows the same path', async () => {
    await inspect(uri);
    const editor = openInEditor(uri);
    expect(host.api.reports()).toHaveLength(2);
    await allDone();
    standIn.bringToFront(editor);
    standIn.run(commandIds.refreshReport);
    expect(phases()).toEqual(['done', 'running']);
    await allDone();
    standIn.bringToFront(standIn.panels[0] as FakePanel);
    standIn.run(commandIds.refreshReport);
    expect(phases()).toEqual(['running', 'done']);
    await allDone();
  });

  it('stay known where the other panel of their path is closed', async () => {
    await inspect(uri);
    const editor = openInEditor(uri);
    standIn.panels[0]?.dispose();
    expect(host.api.reports()).toHaveLength(1);
    await inspect(uri);
    expect(editor.reveals).toBe(1);
    expect(standIn.panels).toHaveLength(2);
    await allDone();
  });

  describe('are copied as JSON', () => {
    const copy = (): unknown => standIn.run(commandIds.copyReportJson);

    it('from the panel in front, as the command line prints them', async () => {
      await inspect(uri);
      await inspect(writeWeights('memfs:/other/x.safetensors'));
      await allDone();
      standIn.bringToFront(standIn.panels[0] as FakePanel);
      await copy();
      const [first] = host.api.reports();
      expect(first?.state).toMatchObject({ phase: 'done', report: JSON.parse(standIn.clipboard) as object });
      expect(standIn.clipboard).toMatch(/^\{\n {2}"schemaVersion": \d+,\n[^]*\n\}\n$/);
      expect(standIn.messages).toEqual([]);
    });

    it('only when they are complete, and not from another editor', async () => {
      await copy();
      await inspect(uri);
      await copy();
      expect(standIn.messages.map(({ text }) => text)).toEqual(
        Array(2).fill('Open a report first, or wait until it is complete.'),
      );
      await allDone();
      standIn.newPanel('another');
      await copy();
      expect(standIn.clipboard).toBe('');
    });
  });

  it('show the tab Integrity to a page that begins to listen only after the verification, once', async () => {
    await standIn.run(commandIds.verify, uri);
    await allDone();
    await until('the verification has ended', () => host.api.reports()[0]?.verification.kind === 'failed');
    const [panel] = standIn.panels as [FakePanel];
    const shown = (): unknown[] =>
      (panel.posted as { name?: string; payload?: unknown }[]).filter(({ name }) => name === 'showTab');
    expect(shown()).toEqual([]);
    for (const _time of [1, 2]) panel.fromPage.fire({ type: 'event', name: 'ready', payload: {} });
    expect(shown().map((event) => (event as { payload: unknown }).payload)).toEqual([{ tab: 'integrity' }]);
  });

  it('of several things ask to open one of them before it is verified', async () => {
    writeWeights('memfs:/many/a/model.safetensors');
    const several = writeWeights('memfs:/many/b/model.safetensors').with({ path: '/many' });
    await standIn.run(commandIds.verify, several);
    await allDone();
    if (host.api.reports()[0]?.state.phase !== 'done') expect.fail('no report');
    expect(host.api.reports()).toMatchObject([{ state: { report: { kind: 'collection' } }, verification: { kind: 'none' } }]);
    expect(standIn.messages.map(({ text }) => text)).toEqual([
      'Several checkpoints or datasets are here: open the report of one of them to verify it.',
    ]);
  });

  it('tell a page that is shown again what a scan of values came to while it was hidden', async () => {
    await inspect(uri);
    await allDone();
    const [panel] = standIn.panels as [FakePanel];
    const statesOf = (): unknown[] =>
      (panel.posted as { type: string; name?: string; payload?: { kind: string } }[])
        .filter(({ type, name }) => type === 'event' && name === 'values')
        .map(({ payload }) => payload);
    const ready = (): void => panel.fromPage.fire({ type: 'event', name: 'ready', payload: {} });
    ready();
    panel.fromPage.fire({ type: 'request', id: 1, method: 'scanValues', params: {} });
    expect(statesOf().at(-1)).toEqual({ kind: 'running', progress: null });
    const failed = { kind: 'failed', message: 'values are not read in a browser' };
    await until('the scan has ended', () => (statesOf().at(-1) as { kind: string }).kind === 'failed');
    ready();
    expect(statesOf().at(-1)).toEqual(failed);
    panel.fromPage.fire({ type: 'request', id: 2, method: 'cancelValues', params: {} });
    await until('nothing is known', () => (statesOf().at(-1) as { kind: string }).kind === 'none');
  });

  it('tell a page that is shown again what reading one tensor came to while it was hidden', async () => {
    await inspect(uri);
    await allDone();
    const [panel] = standIn.panels as [FakePanel];
    const readings = (): unknown[] =>
      (panel.posted as { type: string; name?: string; payload?: unknown }[])
        .filter(({ type, name }) => type === 'event' && name === 'tensorValues')
        .map(({ payload }) => payload);
    const kind = (): string | undefined => (readings().at(-1) as { state: { kind: string } } | undefined)?.state.kind;
    const ready = (): void => panel.fromPage.fire({ type: 'event', name: 'ready', payload: {} });
    ready();
    panel.fromPage.fire({ type: 'request', id: 1, method: 'readTensorValues', params: { row: 0 } });
    // Hidden and shown again: the new page knows nothing.
    ready();
    await until('the reading has ended', () => kind() === 'failed');
    ready();
    expect(readings().at(-1)).toEqual({ row: 0, state: { kind: 'failed', message: 'values are not read in a browser' } });
    panel.fromPage.fire({ type: 'request', id: 1, method: 'cancelTensorValues', params: {} });
    await until('nothing is known', () => kind() === 'none');
  });

  it.each([
    { isTrusted: true, isSet: true, log: true },
    { isTrusted: true, isSet: false, log: false },
    { isTrusted: false, isSet: true, log: false },
  ])('enter what is found into the log where that is set and the workspace is trusted: %j', async ({ isTrusted, isSet, log }) => {
    if (isSet) standIn.settings.set('stowage.integrity.log', true);
    standIn.isTrusted = isTrusted;
    const askedOf = (method: string): unknown[] =>
      host.asked.filter((request) => request.method === method).map(({ params }) => params);
    await inspect(uri);
    await inspect(uri.with({ fragment: 'checkpoint' }));
    await until('both were inspected', () => !phases().includes('running'));
    for (const panel of standIn.panels) {
      panel.fromPage.fire({ type: 'event', name: 'ready', payload: {} });
      panel.fromPage.fire({ type: 'request', id: 1, method: 'verify', params: { create: false, log: 'by the page' } });
      panel.fromPage.fire({ type: 'request', id: 2, method: 'scanValues', params: { log: 'by the page' } });
    }
    await until('all were asked for', () => askedOf('scanValues').length === 2);
    expect(askedOf('verify')).toEqual([
      { create: false, log },
      { create: false, log },
    ]);
    // Values of a part are not all values of the directory.
    expect(askedOf('scanValues')).toEqual([{ log }, { log: false }]);
  });

  it('have tabs that are told apart where their names repeat', async () => {
    for (const path of ['run-a/checkpoint-30', 'run-b/checkpoint-30'])
      await inspect(writeWeights(`memfs:/${path}/model.safetensors`).with({ path: `/${path}` }));
    expect(standIn.panels.map(({ title }) => title)).toEqual(['checkpoint-30 (run-a)', 'checkpoint-30 (run-b)']);
    await inspect(uri);
    const editor = openInEditor(writeWeights('memfs:/other/model.safetensors'));
    expect(standIn.panels.map(({ title }) => title)).toEqual([
      'checkpoint-30 (run-a)',
      'checkpoint-30 (run-b)',
      'model.safetensors (run)',
      'model.safetensors',
    ]);
    editor.dispose();
    standIn.panels[0]?.dispose();
    expect(standIn.panels.slice(1, 3).map(({ title }) => title)).toEqual(['checkpoint-30', 'model.safetensors']);
    await allDone();
  });

  it('show what they are of in the Explorer, or outside of the workspace in the file manager', async () => {
    standIn.folder = { uri: Uri.parse('memfs:/run'), name: 'run', index: 0 };
    await reveal(uri);
    await reveal(Uri.file('/scratch/run') as unknown as vscode.Uri);
    expect(standIn.openedWith.map(([command, target]) => [command, String(target)])).toEqual([
      ['revealInExplorer', 'memfs:///run/model.safetensors'],
      ['revealFileInOS', 'file:///scratch/run'],
    ]);
    await expect(reveal(Uri.parse('memfs:/elsewhere/x') as unknown as vscode.Uri)).rejects.toThrow('outside of the workspace');
  });

  it('are not refreshed while another editor is in front', async () => {
    await inspect(uri);
    await allDone();
    standIn.newPanel('another');
    standIn.run(commandIds.refreshReport);
    expect(phases()).toEqual(['done']);
  });

  it('of a shard in an editor are those of the folder around it', () => {
    openInEditor(standIn.write('memfs:/run/step_3/__0_0.distcp', 'shard'));
    expect(host.api.reports().map(({ uri: inspected }) => inspected.path)).toEqual(['/run/step_3']);
  });

  it('close with the extension', async () => {
    await inspect(uri);
    openInEditor(uri);
    host.dispose();
    expect(host.api.reports()).toEqual([]);
  });
});
