import * as vscode from 'vscode';
import { CheckError } from '../../src/core/bandwidth/checkError.js';
import { BandwidthPanel } from '../../src/host/bandwidth/bandwidthPanel.js';
import { BegunCheck, offerLeftovers } from '../../src/host/bandwidth/begunCheck.js';
import { CheckHistory } from '../../src/host/bandwidth/checkHistory.js';
import type { BandwidthChecker } from '../../src/platform/bandwidth/bandwidthChecker.js';
import type { BandwidthPanelEvents, BandwidthPanelRequests, BandwidthPanelSignals } from '../../src/protocol/messages.js';
import { checkSettings } from '../builders/bandwidthCheck.js';
import { assertEqual, assertRejects, assertTrue } from './support/assert.js';
import { inWorkspace } from './support/extension.js';
import { begunCheck, errorLog, fakeChecker, memento, other, target } from './support/fakeChecker.js';
import { withFakeWebview } from './support/fakePanel.js';
import { withSaidMessages } from './support/saidMessages.js';

describe('what an unfinished bandwidth check left', () => {
  it('is removed when the user says so, and nothing else is', () => {
    const checker = fakeChecker();
    return withSaidMessages(
      (_message, items) => {
        assertEqual(checker.asked, [], 'removed unasked');
        assertEqual(items, [vscode.l10n.t('Remove')], 'answers');
        return items[0];
      },
      async (said) => {
        const begun = await begunCheck();
        await offerLeftovers(begun, checker, errorLog());
        assertEqual(said.length, 1, 'messages');
        assertTrue(said[0]?.text.includes(target), said[0]?.text ?? 'nothing was said');
        assertEqual(checker.asked, ['remove a', 'remove d'], 'removed');
        assertEqual(begun.target(), null, 'note');
      },
    );
  });

  it('stays when the user declines, and is asked about again', () =>
    withSaidMessages(
      () => undefined,
      async (said) => {
        const [begun, checker] = [await begunCheck(), fakeChecker()];
        await offerLeftovers(begun, checker, errorLog());
        await offerLeftovers(begun, checker, errorLog());
        assertEqual(said.length, 2, 'messages');
        assertEqual(checker.asked, [], 'removed');
        assertEqual(begun.target(), target, 'note');
      },
    ));

  it('is not asked about where there is none, and forgotten', () =>
    withSaidMessages(
      (_message, items) => items[0],
      async (said) => {
        const begun = await begunCheck();
        const checker = fakeChecker({ others: () => Promise.resolve([other('b', 'running'), other('c', 'elsewhere')]) });
        await offerLeftovers(begun, checker, errorLog());
        await offerLeftovers(begun, fakeChecker(), errorLog());
        assertEqual([said.length, checker.asked.length], [0, 0], 'messages and removals');
        assertEqual(begun.target(), null, 'note');
      },
    ));

  for (const [what, method] of [
    ['cannot be looked for', 'others'],
    ['cannot be removed', 'removeLeft'],
  ] as const)
    it(`is asked about at the next start where it ${what}`, () =>
      withSaidMessages(
        (_message, items) => items[0],
        async () => {
          const [begun, log] = [await begunCheck(), errorLog()];
          const failing = fakeChecker({ [method]: () => Promise.reject(new CheckError('not-removed', 'the disk is away')) });
          await offerLeftovers(begun, failing, log);
          assertEqual(begun.target(), target, 'note');
          assertTrue(log.errors.length === 1 && log.errors[0]?.includes('the disk is away'), log.errors.join());
          await offerLeftovers(begun, fakeChecker(), log);
          assertEqual(begun.target(), null, 'note after the next start');
        },
      ));
});

describe('a bandwidth check that others may feel', () => {
  /** Asks a panel for a check and answers whether it began. */
  async function startOf(checker: BandwidthChecker, begun: BegunCheck): Promise<boolean> {
    let isStarted = false;
    const settings = checkSettings({ target });
    const open = (): Promise<void> => {
      const panel = vscode.window.createWebviewPanel('stowage.test', '', vscode.ViewColumn.Active);
      const storageUri = inWorkspace('nothing');
      void new BandwidthPanel(panel, settings, {
        extensionUri: inWorkspace(),
        checker: () => checker,
        history: new CheckHistory({ storageUri, globalStorageUri: storageUri }),
        begun,
        log: errorLog(),
        openPlan: () => Promise.resolve(),
        running: { target: null },
      });
      return Promise.resolve();
    };
    await withFakeWebview<BandwidthPanelRequests, BandwidthPanelSignals, BandwidthPanelEvents>(open, async (panel) => {
      panel.endpoint.send('ready', {});
      isStarted = await panel.endpoint.request('start', { settings });
    });
    await assertRejects(vscode.workspace.fs.stat(inWorkspace('nothing')), 'the storage of results');
    return isStarted;
  }

  for (const isAgreed of [false, true])
    it(isAgreed ? 'begins when the user agrees' : 'writes nothing when the user declines', () => {
      const checker = fakeChecker();
      return withSaidMessages(
        (_message, items) => {
          assertEqual(checker.asked, [], 'begun unasked');
          return isAgreed ? items[0] : undefined;
        },
        async (said) => {
          const kept = memento();
          assertEqual(await startOf(checker, new BegunCheck(kept)), isAgreed, 'begun');
          assertTrue(said[0]?.detail.includes('its name'), JSON.stringify(said));
          assertEqual(checker.asked, isAgreed ? [`check ${target}`] : [], 'asked for');
          assertEqual(kept.keys().length, isAgreed ? 1 : 0, 'notes');
        },
      );
    });
});
