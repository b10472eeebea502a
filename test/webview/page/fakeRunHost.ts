import { reportOfFiles } from '../../builders/reportOfFiles.js';
import { sampleRun } from '../../../scripts/samples/sampleRun.mjs';
import type { FileEntry } from '../../../src/core/files/fileTree.js';
import { underWayWords } from '../../../src/core/pages/runs/underWayWords.js';
import { saveUnderWay } from '../../../src/core/runs/saveUnderWay.js';
import type { RunPanelEvents, RunPanelRequests, RunPanelSignals } from '../../../src/protocol/messages.js';
import { RpcEndpoint } from '../../../src/protocol/rpc.js';
import { hostileTexts } from '../../builders/hostileReport.js';
import { writtenRun } from '../../builders/writtenRun.js';
import '../../../webview/shared/hostApi.js';
import { installHost, noting } from './hostWindow.js';
import { isRunScenario, type RunScenario } from './runScenarios.js';

const scenario = new URLSearchParams(location.search).get('scenario');
if (!isRunScenario(scenario)) throw new Error(`there is no scenario ${scenario}`);

const endMs = Date.UTC(2026, 10, 27, 9);
const sampleEntries: FileEntry[] = sampleRun(endMs).map((file) => ({ ...file, allocatedBytes: file.sizeBytes }));
const below = (folder: string, entries: readonly FileEntry[]): FileEntry[] =>
  entries.map((entry) => ({ ...entry, path: `${folder}/${entry.path}` }));

/** Files below the directory of each scenario. */
const entriesOf: Readonly<Record<RunScenario, () => FileEntry[]>> = {
  saves: () => sampleEntries,
  'saves-followed': () => sampleEntries,
  // All at one time, as an archive that was unpacked.
  'saves-copied': () => sampleEntries.map((entry) => ({ ...entry, createdMs: endMs, modifiedMs: endMs })),
  'saves-hostile': () =>
    sampleEntries.map((entry) => ({
      ...entry,
      path: entry.path.replace('zero_pp_rank_3', `rank3_${hostileTexts.image.replaceAll('/', '')}`),
    })),
  'saves-of-runs': () => [
    ...below('llama-8b', sampleEntries),
    ...below('ablations/small', writtenRun(7, true).entries),
    ...below('ablations/wide', writtenRun(8, false).entries),
  ],
  // Exports of a Megatron run beside its checkpoints.
  'saves-of-two': () => [
    ...sampleEntries,
    ...[1000, 2000, 3000].flatMap((step) =>
      ['config.json', 'model.safetensors'].map((file, index) => ({
        path: `hf_step_${step}/${file}`,
        sizeBytes: index === 0 ? 900 : 16e9,
        modifiedMs: endMs - (6000 - step) * 20_000,
        allocatedBytes: index === 0 ? 4096 : 16e9,
      })),
    ),
  ],
  'saves-none': () => [],
  'saves-failed': () => [],
};

const requests: Window['fakeHost']['requests'] = [];
let isFollowed = scenario === 'saves-followed';
const endpoint = new RpcEndpoint<object, RunPanelEvents, RunPanelSignals>(
  { post: (message) => window.postMessage({ toPage: message }) },
  noting<RunPanelRequests>(requests, {
    copyMarkdown: () => null,
    copyText: () => null,
    reveal: () => null,
    checkBandwidth: () => null,
    inspectCheckpoint: () => null,
    openRun: () => null,
    plan: () => null,
    refresh: () => null,
    follow(params) {
      isFollowed = params.isFollowed;
      void send(entriesOf[scenario]());
      return null;
    },
  }),
);

const name = scenario === 'saves-of-runs' ? 'training' : 'llama-8b';
const path = `/scratch/training/${name}`;

async function send(entries: FileEntry[]): Promise<void> {
  const nowMs = endMs + 40_000;
  const report = await reportOfFiles(path, entries, { freeBytes: 3e12, nowMs });
  const save = isFollowed ? (report.runs.map((run) => saveUnderWay(run, nowMs)).find((one) => one !== null) ?? null) : null;
  endpoint.send('runs', { name, path, report, isFollowed, underWay: save === null ? '' : underWayWords(save) });
}

endpoint.on('ready', () => {
  if (scenario === 'saves-failed') endpoint.send('failed', { name, path, message: 'EACCES: permission denied' });
  else void send(entriesOf[scenario]());
});
installHost(endpoint);

/** A test has the newest save finished: the payload is nothing. */
window.fakeHost = {
  requests,
  send: () => void send(sampleEntries.filter((entry) => !entry.path.startsWith('checkpoint-5200/'))),
  delayMs: 0,
};
