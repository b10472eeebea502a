import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { EstimatePanelEvents } from '../../../src/protocol/messages.js';
import { commandIds } from '../../../src/host/manifest/commandIds.js';
import { llamaConfig } from '../../builders/estimateText.js';
import { until } from '../../builders/until.js';
import { standIn } from '../../builders/vscodeStandIn.js';
import type { FakePanel } from '../../builders/vscodeValues.js';
import { activatedHost, type TestHost } from './activatedHost.js';

const uri = 'file:/run/config.json';

describe('panels of estimates', () => {
  let host: TestHost;
  let document: vscode.TextDocument;
  beforeEach(() => {
    host = activatedHost();
    document = standIn.open(uri, llamaConfig());
  });
  afterEach(() => host.dispose());

  const open = (config: vscode.Uri | string = document.uri): unknown => standIn.run(commandIds.estimate, config);
  const panelAt = (index: number): FakePanel => standIn.panels[index] as FakePanel;

  const eventsOf = <K extends keyof EstimatePanelEvents>(panel: FakePanel, name: K): EstimatePanelEvents[K][] =>
    panel.posted
      .filter((message) => (message as { type: string }).type === 'event' && (message as { name: string }).name === name)
      .map((message) => (message as { payload: EstimatePanelEvents[K] }).payload);
  const reportsOf = (panel: FakePanel): (string | null)[] =>
    eventsOf(panel, 'estimate').map(({ estimate }) => (estimate === null ? null : String(estimate.report.parameters?.unique)));
  const isReady = (panel: FakePanel): void => panel.fromPage.fire({ type: 'event', name: 'ready', payload: {} });
  const shown = async (panel: FakePanel, count: number): Promise<void> => {
    await until(`estimate ${count}`, () => reportsOf(panel).length >= count);
  };

  const ask = async (panel: FakePanel, method: string, params: object = {}): Promise<unknown> => {
    const id = 1_000 + panel.posted.length;
    panel.fromPage.fire({ type: 'request', id, method, params });
    return until(`the answer to ${method}`, () => panel.posted.find((message) => (message as { id?: number }).id === id));
  };

  it('are one for each config, by its address or its text', async () => {
    await open();
    await open(document.uri.toString());
    standIn.open('file:/other/config.json', llamaConfig());
    await open('file:/other/config.json');
    expect(standIn.panels.map(({ title, reveals }) => [title, reveals])).toEqual([
      ['Estimate of config.json (run)', 1],
      ['Estimate of config.json (other)', 0],
    ]);
  });

  it('show the whole estimate once their page listens, and again after it was hidden', async () => {
    await open();
    const panel = panelAt(0);
    expect(panel.posted).toEqual([]);
    isReady(panel);
    await shown(panel, 1);
    isReady(panel);
    await shown(panel, 2);
    const [first] = eventsOf(panel, 'estimate');
    expect(first).toMatchObject({ name: 'config.json', path: '/run/config.json' });
    expect(first?.estimate?.report.checkpoint.terms.length).toBeGreaterThan(2);
    expect(reportsOf(panel)).toEqual(['8030261248', '8030261248']);
  });

  it('follow their config while it is edited, and no other', async () => {
    await open();
    const panel = panelAt(0);
    isReady(panel);
    await shown(panel, 1);
    standIn.edit(standIn.open('file:/other/config.json', llamaConfig()), llamaConfig({ num_hidden_layers: 1 }));
    document = standIn.edit(document, llamaConfig({ num_hidden_layers: 30 }));
    document = standIn.edit(document, llamaConfig({ num_hidden_layers: 31 }));
    await shown(panel, 2);
    document = standIn.edit(document, '{}');
    await shown(panel, 3);
    expect(reportsOf(panel)).toEqual(['8030261248', '7812149248', null]);
  });

  it('open the config at the place of a finding or a key', async () => {
    await open();
    const panel = panelAt(0);
    await ask(panel, 'openConfig', { offset: document.getText().indexOf('num_hidden_layers') });
    await ask(panel, 'openConfig', { offset: null });
    expect(standIn.shown.map(({ document: { uri: where }, options }) => [where.toString(), options.selection?.start])).toEqual([
      [document.uri.toString(), { line: 7, character: 3 }],
      [document.uri.toString(), undefined],
    ]);
  });

  it('give places of findings in the text', async () => {
    const text = 'per_device_train_batch_size: 4\nlearning_rate: 1.0e-4\nmax_steps: 10000\nsave_steps: 200\nbf16: true\n';
    await open(standIn.open('file:/run/train.yaml', text).uri);
    const panel = panelAt(0);
    isReady(panel);
    await shown(panel, 1);
    const estimate = eventsOf(panel, 'estimate')[0]?.estimate;
    expect(estimate?.report.findings.map(({ key }) => key)).toEqual(['save_steps']);
    expect(estimate?.offsets.findings.map((offset) => text.slice(offset, offset + 3))).toEqual(['200']);
  });

  it('copy Markdown, open a plan, and say why not of what is no config', async () => {
    await open();
    await ask(panelAt(0), 'copyMarkdown');
    expect(standIn.clipboard).toContain('8,030,261,248 parameters');
    await open(standIn.open('file:/run/other.json', '{}').uri);
    const reply = await ask(panelAt(1), 'plan');
    expect(reply).toMatchObject({ type: 'failure', code: 'not-a-config' });
  });

  it('are there again after the window was reloaded, one for each config', async () => {
    await open();
    isReady(panelAt(0));
    const [source] = eventsOf(panelAt(0), 'source');
    expect(source).toEqual({ uri: document.uri.toString() });
    const serializer = standIn.serializers.get('stowage.estimate') as vscode.WebviewPanelSerializer;
    const restored = async (state: unknown): Promise<FakePanel> => {
      const panel = standIn.newPanel('Estimate');
      await serializer.deserializeWebviewPanel(panel as unknown as vscode.WebviewPanel, state);
      return panel;
    };
    // The command was run before the tab of the panel was shown.
    const second = await restored({ source: source?.uri });
    isReady(second);
    expect(second.posted).toEqual([]);
    panelAt(0).dispose();
    const panel = await restored({ tab: 'terms', source: source?.uri });
    expect(panel.title).toBe('Estimate of config.json');
    isReady(panel);
    await shown(panel, 1);
    expect(reportsOf(panel)).toEqual(['8030261248']);
  });

  it.each([[undefined], [null], ['file:/a'], [{}], [{ source: 7 }], [{ source: 'no address' }]])(
    'that are given back with the state %j are closed',
    async (state) => {
      const panel = standIn.newPanel('Estimate');
      const closed = vi.fn();
      panel.onDidDispose(closed);
      const serializer = standIn.serializers.get('stowage.estimate') as vscode.WebviewPanelSerializer;
      await serializer.deserializeWebviewPanel(panel as unknown as vscode.WebviewPanel, state);
      expect(closed).toHaveBeenCalledOnce();
    },
  );

  it('say why a config cannot be read', async () => {
    await open('file:/gone/config.json');
    isReady(panelAt(0));
    const failed = await until('the failure', () => eventsOf(panelAt(0), 'failed')[0]);
    expect(failed).toMatchObject({ name: 'config.json', path: '/gone/config.json' });
  });

  it('estimate nothing more once they are closed', async () => {
    vi.useFakeTimers();
    try {
      await open();
      const panel = panelAt(0);
      panel.dispose();
      standIn.edit(document, '{}');
      await vi.runAllTimersAsync();
      expect(panel.posted).toEqual([]);
      vi.useRealTimers();
      await open();
      expect(standIn.panels).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('are copied from by the context menu of their rows', async () => {
    await open();
    isReady(panelAt(0));
    await standIn.run(commandIds.copyRow);
    expect(eventsOf(panelAt(0), 'copyFromTable')).toEqual([{ extent: 'row' }]);
  });
});
