import type { PlanPanelEvents, PlanPanelRequests, PlanPanelSignals } from '../../../src/protocol/messages.js';
import { RpcEndpoint } from '../../../src/protocol/rpc.js';
import '../../../webview/shared/hostApi.js';
import { installHost, noting } from './hostWindow.js';
import { isPlanScenario, planFileOf } from './planScenarios.js';

const scenario = new URLSearchParams(location.search).get('scenario');
if (!isPlanScenario(scenario)) throw new Error(`there is no scenario ${scenario}`);

const file = planFileOf(scenario);

/** Of a Slurm partition of two nodes. */
const clusterAnswer = {
  place: { system: 'linux', userId: 1000, directory: '/scratch' },
  outputs: {
    nodes: 'gpu|2|gpu:h100:8|2051000|2-00:00:00|up\n',
    room: 'Filesystem Type 1024-blocks Used Available Capacity Mounted on\nserver:/x nfs4 1000 500 500 50% /scratch\n',
  },
} as const;
const requests: Window['fakeHost']['requests'] = [];

const endpoint = new RpcEndpoint<object, PlanPanelEvents, PlanPanelSignals>(
  { post: (message) => window.postMessage({ toPage: message }) },
  noting<PlanPanelRequests>(requests, {
    change: ({ text }) => {
      file.text = text;
      endpoint.send('file', { fileName: file.fileName, isChanged: true });
      return null;
    },
    save: () => {
      endpoint.send('file', { fileName: file.fileName, isChanged: false });
      return null;
    },
    openText: () => null,
    exportPlan: ({ ending }) => `plan.${ending}`,
    askVolume: () => 'fast-lustre',
    readCluster: () => clusterAnswer,
    copyText: () => null,
  }),
);

endpoint.on('ready', () => endpoint.send('plan', { text: file.text, fileName: file.fileName }));
installHost(endpoint);

const sendPlan = (event: string, payload: unknown): void => {
  if (event === 'plan') endpoint.send('plan', payload as PlanPanelEvents['plan']);
};
window.fakeHost = { requests, send: sendPlan, delayMs: 0 };
