// @vitest-environment happy-dom
import { html, render } from 'lit';
import { afterEach, describe, expect, it } from 'vitest';
import { RpcEndpoint, type RpcMessage } from '../../src/protocol/rpc.js';
import type { ReportPanelEvents, ReportPanelSignals } from '../../src/protocol/messages.js';
import { connectToHost, type VsCodeApi } from '../../webview/shared/hostApi.js';
import { cssProperties } from '../../webview/shared/cssProperties.js';
import '../../webview/report/stowageReport.js';
import type { ReportHost } from '../../webview/panel/reportHost.js';
import { sampleReport } from '../builders/sampleReport.js';
import { sampleTensors } from './page/sampleTensors.js';
import { TensorStore } from './page/tensorStore.js';
import './standInPage.js';

/** A panel in the document, and the host's end of its connection. */
function openPanel(saved?: unknown): {
  panel: HTMLElementTagNameMap['stowage-report'];
  host: RpcEndpoint<object, ReportPanelEvents, ReportPanelSignals>;
  states: unknown[];
  ready: () => boolean;
} {
  const page = new EventTarget();
  const store = new TensorStore(sampleTensors());
  const toPage = (data: RpcMessage): void => void page.dispatchEvent(new MessageEvent('message', { data }));
  const host = new RpcEndpoint<object, ReportPanelEvents, ReportPanelSignals>(
    { post: toPage },
    { tensorFacets: () => store.facets() },
  );
  let ready = false;
  host.on('ready', () => (ready = true));
  const states: unknown[] = [];
  const api: VsCodeApi = {
    postMessage: (message) => host.receive(message),
    getState: () => saved,
    setState: (state) => states.push(state),
  };
  const panel = document.createElement('stowage-report');
  document.body.append(panel);
  const connection: ReportHost = connectToHost(api, page);
  panel.connect(connection);
  return { panel, host, states, ready: () => ready };
}

const path = sampleReport().path;

describe('stowage-report', () => {
  afterEach(() => document.body.replaceChildren());

  it('shows its frame before anything has come, and is ready', async () => {
    const { panel, ready } = openPanel();
    await panel.updateComplete;
    expect(ready()).toBe(true);
    expect(panel.shadowRoot?.querySelector('stowage-loading-view')).not.toBeNull();
  });

  it('goes from loading to the report, and to a failure', async () => {
    const { panel, host } = openPanel();
    host.send('started', { path, name: 'checkpoint-1000' });
    host.send('progress', { filesDone: 18, filesTotal: 64, bytesRead: 1, file: 'optimizer.pt' });
    await panel.updateComplete;
    expect(panel.shadowRoot?.querySelector('stowage-loading-view')?.progress?.filesDone).toBe(18);
    host.send('report', { name: 'checkpoint-1000', report: sampleReport() });
    await panel.updateComplete;
    expect(panel.shadowRoot?.querySelector('stowage-report-view')?.report.totalBytes).toBe(sampleReport().totalBytes);
    host.send('failed', { code: 'io', message: 'gone', path });
    await panel.updateComplete;
    const failure = panel.shadowRoot?.querySelector('stowage-failure-view');
    expect(failure?.failure.message).toBe('gone');
    expect(failure?.shadowRoot?.querySelector('vscode-button')?.textContent).toBe('Inspect again');
    host.send('failed', { code: 'out-of-memory', message: 'more than 2 GiB', path });
    await panel.updateComplete;
    await failure?.updateComplete;
    expect(failure?.shadowRoot?.querySelector('vscode-button')?.textContent).toBe('Inspect with twice the memory');
  });

  it('stands where it stood for the same path, and afresh for another', async () => {
    const saved = { path, tab: 'findings', query: { search: 'norm' } };
    const { panel, host, states } = openPanel(saved);
    host.send('started', { path, name: 'checkpoint-1000' });
    host.send('report', { name: 'checkpoint-1000', report: sampleReport() });
    await panel.updateComplete;
    expect(panel.shadowRoot?.querySelector('stowage-report-view')?.view).toMatchObject({
      tab: 'findings',
      query: { search: 'norm' },
    });
    host.send('started', { path: '/other', name: 'other' });
    expect(states.at(-1)).toMatchObject({ path: '/other', tab: null, query: {} });
  });

  it('keeps the old report while the same path is inspected again', async () => {
    const { panel, host } = openPanel();
    host.send('started', { path, name: 'checkpoint-1000' });
    host.send('report', { name: 'checkpoint-1000', report: sampleReport() });
    host.send('started', { path, name: 'checkpoint-1000' });
    await panel.updateComplete;
    expect(panel.shadowRoot?.querySelector('stowage-report-view')?.refreshing).toBe(true);
    host.send('failed', { code: 'cancelled', message: 'cancelled', path });
    await panel.updateComplete;
    expect(panel.shadowRoot?.querySelector('stowage-report-view')?.refreshing).toBe(false);
  });
});

describe('cssProperties', () => {
  it('sets, changes and removes properties', () => {
    const container = document.createElement('div');
    const draw = (properties: Record<string, string>): unknown => render(html`<p ${cssProperties(properties)}></p>`, container);
    draw({ width: '10px', '--level': '1' });
    const style = container.querySelector('p')?.style;
    expect(style?.getPropertyValue('--level')).toBe('1');
    draw({ width: '20px' });
    expect(style?.width).toBe('20px');
    expect(style?.getPropertyValue('--level')).toBe('');
  });
});
