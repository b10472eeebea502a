import type { EstimatePanelEvents, EstimatePanelRequests, EstimatePanelSignals } from '../../../src/protocol/messages.js';
import { RpcEndpoint } from '../../../src/protocol/rpc.js';
import { createEstimateService } from '../../../src/platform/estimateService.js';
import type { Estimator } from '../../../src/platform/estimator.js';
import { startInPage } from '../../../src/platform/inPageService.js';
import { sourcesOf } from '../../builders/estimateText.js';
import '../../../webview/shared/hostApi.js';
import { estimatedConfigs, type EstimatedConfigText } from './estimatedConfigs.js';
import { isEstimateScenario } from './estimateScenarios.js';
import { installHost, noting } from './hostWindow.js';

const scenario = new URLSearchParams(location.search).get('scenario');
if (!isEstimateScenario(scenario)) throw new Error(`there is no scenario ${scenario}`);

let estimator: Estimator['endpoint'] | undefined;
const requests: Window['fakeHost']['requests'] = [];
const endpoint = new RpcEndpoint<object, EstimatePanelEvents, EstimatePanelSignals>(
  { post: (message) => window.postMessage({ toPage: message }) },
  noting<EstimatePanelRequests>(requests, {
    copyMarkdown: () => null,
    copyText: () => null,
    plan: () => null,
    reveal: () => null,
    openConfig: () => null,
    whatIf: ({ changes }) => estimator?.request('changed', { key: path, changes }) ?? null,
  }),
);

const config = estimatedConfigs[scenario];
const name = config?.name ?? 'notes.yaml';
const path = `/data/runs/llama-8b/${name}`;

/** What the extension's own estimator answers for a config. */
async function estimateOf({
  text,
  beside = {},
  freeBytes = null,
}: EstimatedConfigText): Promise<EstimatePanelEvents['estimate']> {
  const started: Estimator = startInPage(() =>
    createEstimateService({ sources: () => sourcesOf(beside), freeBytes: () => Promise.resolve(freeBytes) }),
  );
  estimator = started.endpoint;
  await estimator.request('estimate', { key: path, path, place: { kind: 'virtual' }, text });
  return { name, path, estimate: await estimator.request('report', { key: path }) };
}

endpoint.on('ready', () => {
  if (scenario === 'estimate-failed') endpoint.send('failed', { name, path, message: 'EACCES: permission denied' });
  else if (config === null) endpoint.send('estimate', { name, path, estimate: null });
  else void estimateOf(config).then((shown) => endpoint.send('estimate', shown));
});
installHost(endpoint);

/** A test edits the config: the payload is its new text. */
const send = (event: string, payload: unknown): void => {
  if (event === 'estimate' && config !== null)
    void estimateOf({ ...config, text: String(payload) }).then((shown) => endpoint.send('estimate', shown));
};
window.fakeHost = { requests, send, delayMs: 0 };
