import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { commandIds } from '../../../src/host/manifest/commandIds.js';
import type { CheckpointsLine } from '../../../src/host/runs/checkpointsView.js';
import type { RunPanelEvents } from '../../../src/protocol/messages.js';
import { until } from '../../builders/until.js';
import { standIn, Uri } from '../../builders/vscodeStandIn.js';
import type { FakePanel } from '../../builders/vscodeValues.js';
import { activatedHost, writeWeights, type TestHost } from './activatedHost.js';

describe('runs', () => {
  let host: TestHost;
  beforeEach(() => {
    host = activatedHost();
    standIn.folder = { uri: Uri.parse('file:/project'), name: 'project', index: 0 };
    for (const step of [10, 20, 30])
      for (const name of ['model.safetensors', 'optimizer.safetensors'])
        writeWeights(`file:/project/runs/a/checkpoint-${step}/${name}`);
  });
  afterEach(() => host.dispose());

  const provider = () => standIn.trees.get('stowage.checkpoints')?.provider as vscode.TreeDataProvider<CheckpointsLine>;
  const linesOf = async (line?: CheckpointsLine) => (await provider().getChildren(line)) ?? [];
  const labelsOf = (lines: readonly CheckpointsLine[]) => lines.map(({ item }) => item.label);
  const eventsOf = <K extends keyof RunPanelEvents>(panel: FakePanel, name: K): RunPanelEvents[K][] =>
    panel.posted
      .filter((message) => (message as { name?: string }).name === name)
      .map((message) => (message as { payload: RunPanelEvents[K] }).payload);
  const isReady = (panel: FakePanel): void => panel.fromPage.fire({ type: 'event', name: 'ready', payload: {} });
  const ask = async (panel: FakePanel, method: string, params: object = {}): Promise<unknown> => {
    const id = 1_000 + panel.posted.length;
    panel.fromPage.fire({ type: 'request', id, method, params });
    return until(`the answer to ${method}`, () => panel.posted.find((message) => (message as { id?: number }).id === id));
  };
  const opened = async (): Promise<FakePanel> => {
    await standIn.run(commandIds.showSaves, Uri.parse('file:/project/runs/a'));
    const panel = standIn.panels.at(-1) as FakePanel;
    isReady(panel);
    await until('the saves', () => eventsOf(panel, 'runs')[0]);
    return panel;
  };

  it('are in the tree once they were looked for, the newest checkpoint first', async () => {
    expect(await linesOf()).toEqual([]);
    await standIn.run(commandIds.findRuns);
    const runs = await linesOf();
    expect(labelsOf(runs)).toEqual(['a']);
    const checkpoints = await linesOf(runs[0]);
    expect(labelsOf(checkpoints)).toEqual(['checkpoint-30', 'checkpoint-20', 'checkpoint-10']);
    const item = await provider().getTreeItem(checkpoints[0] as CheckpointsLine);
    expect(item).toMatchObject({ contextValue: 'checkpoint', command: { command: commandIds.inspect } });
    expect(standIn.trees.get('stowage.checkpoints')?.badge).toBeUndefined();
  });

  it('with something to look at are counted on the view', async () => {
    standIn.files.delete(Uri.parse('file:/project/runs/a/checkpoint-30/optimizer.safetensors').toString());
    await standIn.run(commandIds.findRuns);
    expect(standIn.trees.get('stowage.checkpoints')?.badge).toMatchObject({ value: 1 });
  });

  it('with something to look at are counted on no view where that is turned off', async () => {
    standIn.files.delete(Uri.parse('file:/project/runs/a/checkpoint-30/optimizer.safetensors').toString());
    standIn.settings.set('stowage.checkpoints.badge', false);
    await standIn.run(commandIds.findRuns);
    expect(standIn.trees.get('stowage.checkpoints')?.badge).toBeUndefined();
  });

  it('are compared, the earlier one on the left', async () => {
    await standIn.run(commandIds.findRuns);
    standIn.answer = 0;
    await standIn.run(commandIds.compareLine, await lineOf('checkpoint-20'));
    expect(standIn.offered.map(({ label }) => label)).toEqual(['same run', 'a/checkpoint-30', 'a/checkpoint-10', '', 'Browse…']);
    expect(host.api.comparisons.panels().map(({ title }) => title)).toEqual(['checkpoint-20 ↔ checkpoint-30']);
    standIn.answer = 1;
    await standIn.run(commandIds.compareLine, await lineOf('checkpoint-20'));
    expect(host.api.comparisons.panels().map(({ title }) => title)).toEqual([
      'checkpoint-20 ↔ checkpoint-30',
      'checkpoint-10 ↔ checkpoint-20',
    ]);
    standIn.answer = undefined;
    await standIn.run(commandIds.compareLine, await lineOf('checkpoint-20'));
    expect(host.api.comparisons.panels()).toHaveLength(2);
  });

  it('are none where the workspace has none, or no folder', async () => {
    standIn.files.clear();
    await standIn.run(commandIds.findRuns);
    expect(await linesOf()).toEqual([]);
    standIn.folder = null;
    await standIn.run(commandIds.findRuns);
    expect(await linesOf()).toEqual([]);
  });

  it('copy the path of a line and show it', async () => {
    await standIn.run(commandIds.findRuns);
    const [run] = await linesOf();
    await standIn.run(commandIds.copyLinePath, run);
    expect(standIn.clipboard).toBe('/project/runs/a');
    await standIn.run(commandIds.revealLine, run);
    expect(standIn.openedWith.at(-1)?.[0]).toBe('revealInExplorer');
  });

  const holdsFile = 'file:///project/runs/a/.stowage/holds.yaml';
  const textOf = (uri: string) => new TextDecoder().decode(standIn.files.get(uri));
  const lineOf = async (label: string): Promise<CheckpointsLine> => {
    const [run] = await linesOf();
    return (await linesOf(run)).find(({ item }) => item.label === label) ?? expect.fail(`no ${label}`);
  };

  it('hold a checkpoint for a reason, and take that back', async () => {
    await standIn.run(commandIds.findRuns);
    standIn.answer = 0;
    await standIn.run(commandIds.holdCheckpoint, await lineOf('checkpoint-20'));
    expect(textOf(holdsFile)).toContain('path: checkpoint-20');
    expect(textOf(holdsFile)).toContain('reason: golden');
    const held = await lineOf('checkpoint-20');
    expect(held.item.description).toContain('held: golden');
    expect(await provider().getTreeItem(held)).toMatchObject({ contextValue: 'heldCheckpoint' });
    await standIn.run(commandIds.releaseCheckpoint, held);
    expect(textOf(holdsFile)).not.toContain('checkpoint-20');
    expect((await lineOf('checkpoint-20')).item.isHeld).toBe(false);
  });

  it('are not held where nothing is chosen, or over a file with an error', async () => {
    await standIn.run(commandIds.findRuns);
    standIn.answer = undefined;
    await standIn.run(commandIds.holdCheckpoint, await lineOf('checkpoint-20'));
    expect(standIn.files.has(holdsFile)).toBe(false);
    standIn.write(holdsFile, 'holds: 3\n');
    standIn.answer = 1;
    await standIn.run(commandIds.holdCheckpoint, await lineOf('checkpoint-20'));
    expect(textOf(holdsFile)).toBe('holds: 3\n');
    expect(standIn.messages.at(-1)?.text).toContain('were not changed');
  });

  it('show holds that have not ended, of the run and beside it, and say why one stays', async () => {
    standIn.write(
      holdsFile,
      'holds:\n  - { path: checkpoint-10, reason: legal, until: 2001-01-01 }\n  - { path: checkpoint-20/model.safetensors, reason: paper }\n',
    );
    standIn.write('file:///project/runs/.stowage/holds.yaml', 'holds:\n  - { path: a/checkpoint-30, reason: golden }\n');
    await standIn.run(commandIds.findRuns);
    const [run] = await linesOf();
    expect((await linesOf(run)).map(({ item }) => item.isHeld)).toEqual([true, true, false]);
    await standIn.run(commandIds.releaseCheckpoint, await lineOf('checkpoint-20'));
    expect(standIn.messages.at(-1)?.text).toContain('a file in it');
    expect(textOf(holdsFile)).toContain('paper');
  });

  it('get a first policy, and say why nothing is proposed where files are not of this machine', async () => {
    await standIn.run(commandIds.findRuns);
    const [run] = await linesOf();
    const policy = 'file:///project/runs/a/.stowage/retention.yaml';
    standIn.answer = 'Create Policy';
    standIn.open(policy, '');
    await standIn.run(commandIds.planRetention, run);
    expect(textOf(policy)).toContain('keepLast: 2');
    await standIn.run(commandIds.planRetention, run);
    expect(standIn.messages.at(-1)?.text).toContain('Nothing is proposed');
  });

  it('have one panel a directory, with plan, report and Markdown', async () => {
    const panel = await opened();
    await standIn.run(commandIds.showSaves, Uri.parse('file:/project/runs/a'));
    expect(standIn.panels).toHaveLength(1);
    expect(panel.title).toBe('Saves of a');
    expect(eventsOf(panel, 'source')).toEqual([{ uri: 'file:///project/runs/a' }]);
    expect(eventsOf(panel, 'runs')[0]?.report.runs[0]?.checkpoints.map(({ step }) => step)).toEqual([10, 20, 30]);
    await ask(panel, 'copyMarkdown');
    expect(standIn.clipboard).toContain('| 30 |');
    await ask(panel, 'inspectCheckpoint', { path: 'checkpoint-30' });
    expect(standIn.panels.at(-1)?.title).toBe('checkpoint-30');
    expect(await ask(panel, 'plan', { path: 'no such run' })).toMatchObject({ type: 'failure' });
  });

  it('are listed again when files are written, for as long as they are followed', async () => {
    const panel = await opened();
    await ask(panel, 'follow', { isFollowed: true });
    await until('the followed run', () => eventsOf(panel, 'runs').find(({ isFollowed }) => isFollowed));
    expect(standIn.statusBar.at(-1)).toMatchObject({ isShown: true, text: '$(sync) a' });
    standIn.written.fire(writeWeights('file:/project/runs/a/checkpoint-40/model.safetensors'));
    await until('the new save', () =>
      eventsOf(panel, 'runs').find(({ report }) => report.runs[0]?.checkpoints.some(({ step }) => step === 40)),
    );
    await ask(panel, 'follow', { isFollowed: false });
    expect(standIn.statusBar.at(-1)).toMatchObject({ isShown: false });
  });

  it('say why a directory cannot be listed', async () => {
    await standIn.run(commandIds.showSaves, Uri.parse('file:/gone'));
    const panel = standIn.panels[0] as FakePanel;
    isReady(panel);
    const failed = await until('the failure', () => eventsOf(panel, 'failed')[0]);
    expect(failed).toMatchObject({ name: 'gone', path: '/gone' });
  });

  it('are there again after the window was reloaded', async () => {
    const serializer = standIn.serializers.get('stowage.run') as vscode.WebviewPanelSerializer;
    const panel = standIn.newPanel('Saves');
    await serializer.deserializeWebviewPanel(panel as unknown as vscode.WebviewPanel, { source: 'file:/project/runs/a' });
    isReady(panel);
    await until('the saves', () => eventsOf(panel, 'runs')[0]);
    expect(panel.title).toBe('Saves of a');
  });
});
