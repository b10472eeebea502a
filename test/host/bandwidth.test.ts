import * as vscode from 'vscode';
import type { CheckSettings } from '../../src/core/bandwidth/checkSettings.js';
import { readBandwidthReport } from '../../src/core/bandwidth/readBandwidthReport.js';
import { commandIds } from '../../src/host/manifest/commandIds.js';
import type { BandwidthPanelEvents, BandwidthPanelRequests, BandwidthPanelSignals } from '../../src/protocol/messages.js';
import { assertEqual, assertRejects, assertTrue } from './support/assert.js';
import { closeAllEditors, inspectAndWait, inWorkspace, stowage, waitFor } from './support/extension.js';
import { withFakeWebview, type FakePanel } from './support/fakePanel.js';
import { withSaidMessages } from './support/saidMessages.js';

type Panel = FakePanel<BandwidthPanelRequests, BandwidthPanelSignals, BandwidthPanelEvents>;

const mebibyte = 1024 * 1024;
const target = (): vscode.Uri => inWorkspace('bandwidth');
const bounds = { spaceBytes: 8 * mebibyte, streams: 2, blockBytes: mebibyte, seconds: 600 } as const;
/** Writes and reads gigabytes, so that it runs still when it is cancelled. */
const long = { ...bounds, spaceBytes: 256 * mebibyte, repeats: 20 } as const;

async function namesIn(folder: vscode.Uri): Promise<string[]> {
  return (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
}

/** Opens the panel of a directory whose document is the test, and answers what it begins with. */
function withCheck(use: (panel: Panel, opened: BandwidthPanelEvents['opened']) => Promise<void>): Promise<void> {
  const open = (): Thenable<unknown> => vscode.commands.executeCommand(commandIds.checkBandwidth, target());
  return withFakeWebview<BandwidthPanelRequests, BandwidthPanelSignals, BandwidthPanelEvents>(open, async (panel) => {
    const opened = panel.nextEvent('opened');
    panel.endpoint.send('ready', {});
    await use(panel, await opened);
  });
}

/** This machine may look like one that people log in to: whoever is asked agrees. */
function agreeing(use: () => Promise<void>): Promise<void> {
  return withSaidMessages((_message, items) => items[0], use);
}

describe('bandwidth checks', () => {
  before(() => vscode.workspace.fs.createDirectory(target()));
  after(() => vscode.workspace.fs.delete(target(), { recursive: true }));
  afterEach(closeAllEditors);

  it('open a panel that writes nothing by itself', async () => {
    await vscode.commands.executeCommand(commandIds.checkBandwidth, target());
    const { bandwidth } = await stowage();
    assertTrue(bandwidth !== null, 'there are no checks');
    assertEqual(
      bandwidth.panels().map((panel) => [panel.target, panel.state.phase]),
      [[target().fsPath, 'before']],
      'panels',
    );
    await vscode.commands.executeCommand(commandIds.checkBandwidth, target());
    assertEqual(bandwidth.panels().length, 1, 'panels of one directory');
    await closeAllEditors();
    await waitFor(bandwidth.onDidChange, () => (bandwidth.panels().length === 0 ? true : undefined), 'the panel to be closed');
    assertEqual(await namesIn(target()), [], 'files');
  });

  it('are asked for beside a checkpoint, in its shape', async () => {
    const checkpoint = inWorkspace('checkpoint-30');
    await inspectAndWait(checkpoint);
    await vscode.commands.executeCommand(commandIds.checkBandwidth, checkpoint);
    const { bandwidth } = await stowage();
    assertEqual(bandwidth?.panels()[0]?.target, inWorkspace().fsPath, 'target');
  });

  it('refuse virtual file systems in words', () =>
    withSaidMessages(
      () => undefined,
      async (said) => {
        await vscode.commands.executeCommand(commandIds.checkBandwidth, vscode.Uri.parse('memfs:/runs'));
        assertTrue(said[0]?.text.includes('virtual file systems'), said[0]?.text ?? 'nothing was said');
      },
    ));

  it('tell what would be written, measure it, leave nothing behind and keep the result', () =>
    agreeing(() =>
      withCheck(async (panel, { settings, state }) => {
        assertEqual(state, { phase: 'before' }, 'state');
        const small: CheckSettings = { ...settings, ...bounds, repeats: 2 };
        const preview = await panel.endpoint.request('preview', { settings: small });
        assertEqual(preview.request?.shape.totalBytes, 8 * mebibyte, 'bytes');
        assertEqual(preview.space, { bytes: 8 * mebibyte, boundBy: 'given' }, 'space');
        const phases = new Set<string>();
        panel.endpoint.on('progress', ({ phase }) => phases.add(phase));
        const done = panel.nextEvent('done');
        const kept = new Promise<void>((resolve) => {
          panel.endpoint.on('history', ({ reports }) => reports.length > 0 && resolve());
        });
        assertEqual(await panel.endpoint.request('start', { settings: small }), true, 'started');
        const again = await assertRejects(panel.endpoint.request('start', { settings: small }), 'a second check');
        assertEqual(again.code, 'busy', 'code');
        const { report } = await done;
        assertTrue(readBandwidthReport(report) !== null, 'the report is no report');
        assertEqual(
          report.write.samples.map(({ bytes }) => bytes),
          [8 * mebibyte, 8 * mebibyte],
          'written bytes of each repeat',
        );
        assertEqual(await namesIn(target()), [], 'files that are left');
        assertTrue(phases.size > 0, 'there was no progress');

        await kept;
        const endpoint = panel.reload();
        const opened = panel.nextEvent('opened');
        const history = panel.nextEvent('history');
        endpoint.send('ready', {});
        assertEqual((await opened).state.phase, 'done', 'state of a page that comes back');
        assertEqual((await history).reports.length, 1, 'results');
      }),
    ));

  it('can be cancelled, and leave nothing behind', () =>
    agreeing(() =>
      withCheck(async (panel, { settings }) => {
        const running = panel.nextEvent('progress');
        const failed = panel.nextEvent('failed');
        await panel.endpoint.request('start', { settings: { ...settings, ...long } });
        await running;
        await panel.endpoint.request('cancel', {});
        assertEqual((await failed).code, 'cancelled', 'code');
        assertEqual(await namesIn(target()), [], 'files that are left');
      }),
    ));

  it('are cancelled with their panel, which a notification reports', () =>
    withSaidMessages(
      (_message, items) => items[0],
      async (said) => {
        await withCheck(async (panel, { settings }) => {
          const running = panel.nextEvent('progress');
          await panel.endpoint.request('start', { settings: { ...settings, ...long } });
          await running;
          panel.close();
          const { bandwidth } = await stowage();
          assertTrue(bandwidth !== null, 'there are no checks');
          await waitFor(bandwidth.onDidChange, () => (bandwidth.panels().length === 0 ? true : undefined), 'the end');
        });
        assertTrue(
          said.some(({ text }) => text.includes('was cancelled with its panel')),
          JSON.stringify(said),
        );
        assertEqual(await namesIn(target()), [], 'files that are left');
      },
    ));

  it('can be asked for again as soon as their panel was closed', () =>
    withCheck(async (panel) => {
      panel.close();
      await withCheck((_again, { state }) => Promise.resolve(assertEqual(state, { phase: 'before' }, 'state')));
    }));

  it('remove nothing that no preview has named', () =>
    withCheck(async (panel) => {
      const refused = await assertRejects(panel.endpoint.request('removeLeft', { path: target().fsPath }), 'a removal');
      assertEqual(refused.code, 'not-listed', 'code');
    }));

  it('say what is wrong with a directory and a setting, by their codes', () =>
    withCheck(async (panel, { settings }) => {
      const gone = { ...settings, target: inWorkspace('gone').fsPath };
      assertEqual(
        (await assertRejects(panel.endpoint.request('preview', { settings: gone }), 'preview')).code,
        'not-found',
        'code',
      );
      const { refusal } = await panel.endpoint.request('preview', { settings: { ...settings, repeats: 0 } });
      assertEqual(refusal?.code, 'bad-setting', 'code');
      const started = panel.endpoint.request('start', { settings: { ...settings, repeats: 0 } });
      assertEqual((await assertRejects(started, 'start')).code, 'bad-setting', 'code');
    }));
});
