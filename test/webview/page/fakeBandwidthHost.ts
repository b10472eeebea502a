import { CheckError } from '../../../src/core/bandwidth/checkError.js';
import { previewCheck } from '../../../src/core/bandwidth/checkPreview.js';
import type { BandwidthPanelEvents, BandwidthPanelRequests, BandwidthPanelSignals } from '../../../src/protocol/messages.js';
import { RpcEndpoint } from '../../../src/protocol/rpc.js';
import { savedFiles } from '../../builders/bandwidthCheck.js';
import '../../../webview/shared/hostApi.js';
import { isBandwidthScenario, situationOf } from './bandwidthScenarios.js';
import { installHost, noting } from './hostWindow.js';

const scenario = new URLSearchParams(location.search).get('scenario');
if (!isBandwidthScenario(scenario)) throw new Error(`there is no scenario ${scenario}`);

const situation = situationOf(scenario);
const requests: Window['fakeHost']['requests'] = [];

const endpoint = new RpcEndpoint<object, BandwidthPanelEvents, BandwidthPanelSignals>(
  { post: (message) => window.postMessage({ toPage: message }) },
  noting<BandwidthPanelRequests>(requests, {
    preview: async ({ settings }) => {
      await new Promise((resolve) => setTimeout(resolve, window.fakeHost.delayMs));
      if (settings.target === '/data/gone') throw new CheckError('not-found', '/data/gone');
      const facts = { ...situation.facts, path: settings.target };
      return previewCheck(
        settings,
        facts,
        settings.replayOf === null ? null : { replayOf: settings.replayOf, files: savedFiles },
      );
    },
    // Who was asked a second time thought better of it.
    start: () => situation.facts.loginNode === null,
    cancel: () => null,
    chooseDirectory: ({ purpose }) => (purpose === 'target' ? '/scratch/runs' : '/scratch/runs/step-20'),
    removeLeft: ({ path }) => {
      situation.facts = { ...situation.facts, others: situation.facts.others.filter((other) => other.path !== path) };
      return null;
    },
    plan: () => null,
    save: ({ what }) => `runs.bandwidth-${what}`,
    copyText: () => null,
  }),
);

endpoint.on('ready', () => {
  endpoint.send('opened', { settings: situation.settings, state: situation.state });
  endpoint.send('history', { reports: situation.history });
});
installHost(endpoint);

const events = ['progress', 'done', 'failed', 'history'] as const;
const send = (event: string, payload: unknown): void => {
  const known = events.find((name) => name === event);
  if (known !== undefined) endpoint.send(known, payload as never);
};
window.fakeHost = { requests, send, delayMs: 0 };
