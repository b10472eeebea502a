import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { inOrder, pairOfUri, uriOfPair } from '../../../src/host/comparison/comparedPair.js';
import { siblingCheckpoints } from '../../../src/host/comparison/siblingCheckpoints.js';
import { hasSelectedForCompare } from '../../../src/host/ids.js';
import { commandIds } from '../../../src/host/manifest/commandIds.js';
import type { ComparePanelEvents } from '../../../src/protocol/messages.js';
import { until } from '../../builders/until.js';
import { standIn, Uri } from '../../builders/vscodeStandIn.js';
import type { FakePanel } from '../../builders/vscodeValues.js';
import { activatedHost, writeWeights, type TestHost } from './activatedHost.js';

describe('comparisons', () => {
  let host: TestHost;
  beforeEach(() => {
    host = activatedHost();
    for (const step of [10, 20, 30]) writeWeights(`memfs:/runs/a/checkpoint-${step}/model.safetensors`);
  });
  afterEach(() => host.dispose());

  const at = (name: string): vscode.Uri => Uri.parse(`memfs:/runs/a/${name}`) as unknown as vscode.Uri;
  const comparisons = () => host.api.comparisons.panels();
  const titles = (): string[] => comparisons().map(({ title }) => title);
  const ended = async (): Promise<void> => {
    await until('all have ended', () => comparisons().every(({ state }) => state.kind !== 'running') || undefined);
  };
  const eventsOf = <K extends keyof ComparePanelEvents>(panel: FakePanel, name: K): ComparePanelEvents[K][] =>
    panel.posted
      .filter((message) => (message as { name?: string }).name === name)
      .map((message) => (message as { payload: ComparePanelEvents[K] }).payload);
  const isReady = (panel: FakePanel): void => panel.fromPage.fire({ type: 'event', name: 'ready', payload: {} });
  let id = 0;
  const ask = async (panel: FakePanel, method: string, params: object = {}): Promise<unknown> => {
    id += 1;
    const own = id;
    panel.fromPage.fire({ type: 'request', id: own, method, params });
    return until(`the answer to ${method}`, () => panel.posted.find((message) => (message as { id?: number }).id === own));
  };
  const opened = async (a = 'checkpoint-10', b = 'checkpoint-20'): Promise<FakePanel> => {
    await standIn.run(commandIds.selectForCompare, at(a));
    await standIn.run(commandIds.compareWithSelected, at(b));
    const panel = standIn.panels.at(-1) as FakePanel;
    isReady(panel);
    await ended();
    return panel;
  };

  it('are of the one that was selected and the one that was pointed at, once a key says that one was', async () => {
    await standIn.run(commandIds.compareWithSelected, at('checkpoint-20'));
    expect(titles()).toEqual([]);
    await standIn.run(commandIds.selectForCompare, at('checkpoint-30'));
    expect(standIn.openedWith.at(-1)).toEqual(['setContext', hasSelectedForCompare, true]);
    await standIn.run(commandIds.compareWithSelected, at('checkpoint-20/model.safetensors'));
    expect(titles()).toEqual(['checkpoint-30 ↔ model.safetensors']);
    await ended();
    expect(comparisons()[0]?.state).toMatchObject({ kind: 'done', report: { tensors: { same: 1 }, a: { step: 30 } } });
  });

  it('are of two that are selected at once, the smaller number on the left', async () => {
    const [one, other] = [at('checkpoint-30'), at('checkpoint-20')];
    await standIn.run(commandIds.compareSelected, one, [one, other]);
    expect(titles()).toEqual(['checkpoint-20 ↔ checkpoint-30']);
    await standIn.run(commandIds.compareSelected, one, [one, other, at('checkpoint-10')]);
    await standIn.run(commandIds.compareSelected, one, undefined);
    expect(titles()).toHaveLength(1);
  });

  it('are of two that are asked for, the second among the saves beside the first', async () => {
    standIn.answer = [at('checkpoint-10')];
    await standIn.run(commandIds.compareCheckpoints);
    expect(standIn.offered.map(({ label }) => label)).toEqual(['same run', 'a/checkpoint-30', 'a/checkpoint-20', '', 'Browse…']);
  });

  it('are begun by the button of a report', async () => {
    await standIn.run(commandIds.inspect, at('checkpoint-20'));
    const panel = standIn.panels[0] as FakePanel;
    isReady(panel);
    standIn.answer = 1;
    await ask(panel, 'compare');
    expect(titles()).toEqual(['checkpoint-10 ↔ checkpoint-20']);
  });

  it('are one panel a pair, and exchange their sides in it', async () => {
    const panel = await opened();
    await standIn.run(commandIds.compareWithSelected, at('checkpoint-20'));
    expect(comparisons()).toHaveLength(1);
    await ask(panel, 'swapSides');
    await ended();
    expect(titles()).toEqual(['checkpoint-20 ↔ checkpoint-10']);
    expect(eventsOf(panel, 'sides').at(-1)).toMatchObject({ a: { name: 'checkpoint-20' }, b: { name: 'checkpoint-10' } });
    expect(comparisons()[0]?.state).toMatchObject({ kind: 'done', report: { a: { step: 20 }, b: { step: 10 } } });
    // What was inspected once is not inspected again: its file may be gone.
    for (const step of [10, 20]) standIn.files.delete(`memfs:///runs/a/checkpoint-${step}/model.safetensors`);
    await ask(panel, 'swapSides');
    await ended();
    expect(comparisons()[0]?.state).toMatchObject({ kind: 'done', report: { a: { step: 10 }, b: { step: 20 } } });
    await ask(panel, 'swapSides');
    await ended();
    await standIn.run(commandIds.compareWithSelected, at('checkpoint-20'));
    expect(titles()).toEqual(['checkpoint-20 ↔ checkpoint-10', 'checkpoint-10 ↔ checkpoint-20']);
  });

  it('of names that occur twice are told apart by their folders', async () => {
    writeWeights('memfs:/runs/b/checkpoint-10/model.safetensors');
    await opened();
    await standIn.run(commandIds.compareCheckpoints);
    await standIn.run(commandIds.selectForCompare, Uri.parse('memfs:/runs/b/checkpoint-10'));
    await standIn.run(commandIds.compareWithSelected, at('checkpoint-20'));
    expect(titles()).toEqual(['checkpoint-10 ↔ checkpoint-20 (a)', 'checkpoint-10 ↔ checkpoint-20 (b ↔ a)']);
  });

  it('answer with Markdown and JSON, and open the report of a side', async () => {
    const panel = await opened();
    await ask(panel, 'copyMarkdown');
    expect(standIn.clipboard).toContain('Both checkpoints');
    standIn.answer = true;
    expect(await ask(panel, 'saveJson')).toMatchObject({ result: 'checkpoint-20.report.json' });
    const saved = standIn.files.get('memfs:///runs/a/checkpoint-20.report.json') as Uint8Array;
    expect(JSON.parse(new TextDecoder().decode(saved))).toMatchObject({ kind: 'comparison', tensors: { same: 1 } });
    await ask(panel, 'inspectSide', { side: 'a' });
    expect(host.api.reports().map(({ uri }) => uri.path)).toEqual(['/runs/a/checkpoint-10']);
  });

  it('read no values in a browser, and say so before', async () => {
    const panel = await opened();
    expect(eventsOf(panel, 'sides')[0]).toMatchObject({ readsValues: false });
    await ask(panel, 'compareValues', { share: 1 });
    const failed = await until('the failure', () => eventsOf(panel, 'values').find(({ kind }) => kind === 'failed'));
    expect(failed).toMatchObject({ message: 'values are not read in a browser' });
  });

  it('say why there are none, are cancelled and begun again', async () => {
    standIn.write('memfs:/runs/a/notes/readme.txt', 'nothing');
    const panel = await opened('checkpoint-10', 'notes');
    expect(comparisons()[0]?.state).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('is no checkpoint') as string,
    });
    await ask(panel, 'refresh');
    await ask(panel, 'cancel');
    expect(comparisons()[0]?.state).toEqual({ kind: 'none' });
  });

  it('are there again after the window was reloaded; a panel whose page kept no pair is closed', async () => {
    const serializer = standIn.serializers.get('stowage.compare') as vscode.WebviewPanelSerializer;
    const restore = (source: string): Thenable<void> =>
      serializer.deserializeWebviewPanel(standIn.newPanel('Compare') as unknown as vscode.WebviewPanel, { source });
    await restore(uriOfPair({ a: at('checkpoint-10'), b: at('checkpoint-30') }).toString());
    await restore('stowage-compare:/a?{"a":1}');
    await restore('memfs:/runs/a/checkpoint-10');
    await ended();
    expect(comparisons()).toMatchObject([{ title: 'checkpoint-10 ↔ checkpoint-30', state: { kind: 'done' } }]);
  });
});

describe('pairs', () => {
  const uri = (text: string): vscode.Uri => Uri.parse(text) as unknown as vscode.Uri;

  it('are kept in one address, whatever is in their names', () => {
    const pair = { a: uri('file:/runs/a 1/"x"'), b: uri('vscode-remote://ssh%2Bhost/b/ä ↔ b') };
    const back = pairOfUri(uriOfPair(pair));
    expect([back?.a.toString(), back?.b.toString()]).toEqual([pair.a.toString(), pair.b.toString()]);
    for (const query of ['', '{', 'null', '[]', '[1, 2]', '["file:/a"]', '["file:/a", ""]'])
      expect(
        pairOfUri(Uri.from({ scheme: 'stowage-compare', path: '/', query }) as unknown as vscode.Uri),
        query,
      ).toBeUndefined();
  });

  it('of one folder have the smaller number on the left; others stay as they are', () => {
    const [ten, nine, other] = [uri('file:/a/step-10'), uri('file:/a/step-9'), uri('file:/b/step-1')];
    expect(inOrder(ten, nine)).toEqual({ a: nine, b: ten });
    expect(inOrder(nine, ten)).toEqual({ a: nine, b: ten });
    expect(inOrder(ten, other)).toEqual({ a: ten, b: other });
  });
});

describe('saves beside a checkpoint', () => {
  it('differ from it in numbers alone, the largest first', () => {
    const names = ['checkpoint-9', 'checkpoint-10', 'checkpoint-100', 'checkpoint-final', 'notes', 'Checkpoint-1'];
    expect(siblingCheckpoints('checkpoint-10', names)).toEqual(['checkpoint-100', 'checkpoint-9']);
    expect(siblingCheckpoints('model', ['model', 'other'])).toEqual([]);
  });
});
