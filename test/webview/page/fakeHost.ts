import { failingLoad } from '../../builders/loadReports.js';
import type { ReportPanelEvents, ReportPanelRequests, ReportPanelSignals } from '../../../src/protocol/messages.js';
import { RpcEndpoint, RpcError } from '../../../src/protocol/rpc.js';
import { hostileReport, hostileTexts } from '../../builders/hostileReport.js';
import { emptyReport } from '../../builders/emptyReport.js';
import { ranksReport } from '../../builders/ranksReport.js';
import { cacheCollectionReport, collectionReport } from '../../builders/collectionReports.js';
import { runReport } from '../../builders/runReport.js';
import {
  datasetReport,
  emptyDatasetReport,
  hostileDatasetReport,
  hugeDatasetReport,
  textDatasetReport,
  untokenizedDatasetReport,
} from '../../builders/datasetReports.js';
import type { CollectionReport } from '../../../src/core/inspection/collection/collectionReport.js';
import type { DatasetReport } from '../../../src/core/datasets/datasetReport.js';
import type { ValuesReport } from '../../../src/core/values/valuesReport.js';
import { sampleGrid, sampleHeatMap } from '../../builders/sampleSlice.js';
import { valuesCheck, verifyCheck } from '../../builders/logEntry.js';
import { sampleReport } from '../../builders/sampleReport.js';
import { installHost, noting, type NotedRequest } from './hostWindow.js';
import type { Scenario } from './scenarios.js';
import { manyTensors, sampleTensors, tensorsNamed } from './sampleTensors.js';
import { TensorStore } from './tensorStore.js';
import '../../../webview/shared/hostApi.js';

interface FakeHost {
  /** Every request in order, for tests to look at. */
  requests: NotedRequest[];
  /** Sends an event as the host does. */
  send: RpcEndpoint<object, ReportPanelEvents, ReportPanelSignals>['send'];
  /** How long a page of tensors and what they can be filtered by take. */
  delayMs: number;
  /** Ends the reading of values of a tensor that is under way. */
  endReading?: (report: ValuesReport) => void;
  /** Why there are no slices from now on. */
  noSlice?: string;
}

declare global {
  interface Window {
    fakeHost: FakeHost;
    violations?: string[];
  }
}

const scenario = new URLSearchParams(location.search).get('scenario') as Scenario;

function storeOf(): TensorStore {
  if (scenario === 'many') return new TensorStore(manyTensors(200_000));
  if (scenario === 'hostile') return new TensorStore(tensorsNamed(Object.values(hostileTexts)));
  return new TensorStore(scenario === 'empty' ? [] : sampleTensors());
}

const store = storeOf();
let isTokenizerChosen = false;
const requests: FakeHost['requests'] = [];

const delay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, window.fakeHost.delayMs));

const handlers = noting<ReportPanelRequests>(requests, {
  tensorPage: async ({ query, from, count }, signal) => {
    await delay();
    if (signal.aborted) throw new RpcError('cancelled', 'cancelled');
    return store.page(query, from, count);
  },
  modulePage: ({ query, toggled, from, count }) => store.modulePage(query, toggled, from, count),
  tensorFacets: async () => {
    await delay();
    return store.facets();
  },
  tensorDetail: ({ row }) => store.detail(row),
  // Stays under way until a test ends it.
  readTensorValues: ({ row }) => {
    const totalBytes = store.detail(row).bytes;
    const progress = { bytesRead: totalBytes / 4, totalBytes };
    endpoint.send('tensorValues', { row, state: { kind: 'running', progress } });
    window.fakeHost.endReading = (report) => {
      delete window.fakeHost.endReading;
      endpoint.send('tensorValues', { row, state: { kind: 'done', report } });
    };
    return null;
  },
  cancelTensorValues: () => {
    endpoint.send('tensorValues', { row: null, state: { kind: 'none' } });
    return null;
  },
  tensorGrid: ({ row, ...choice }) => {
    const { noSlice } = window.fakeHost;
    return noSlice === undefined ? sampleGrid(store.detail(row).shape, choice) : { why: noSlice };
  },
  tensorHeatMap: ({ row }) => sampleHeatMap(store.detail(row).shape),
  // Stays under way until a test sends how it ended.
  verify: () => {
    endpoint.send('verification', { kind: 'running', progress: null });
    const progress = { doneBytes: 2.1e9, totalBytes: 9.26e9, doneFiles: 1, totalFiles: 4 };
    endpoint.send('verification', { kind: 'running', progress });
    return null;
  },
  cancelVerification: () => {
    endpoint.send('verification', { kind: 'none' });
    return null;
  },
  copyVerification: () => null,
  scanValues: () => {
    endpoint.send('values', { kind: 'running', progress: null });
    endpoint.send('values', { kind: 'running', progress: { bytesRead: 28e9, totalBytes: 112e9 } });
    return null;
  },
  cancelValues: () => {
    endpoint.send('values', { kind: 'none' });
    return null;
  },
  copyValues: () => null,
  copyMarkdown: () => null,
  copyText: () => null,
  saveJson: () => 'report.json',
  saveTensors: ({ format }) => `tensors.${format}`,
  openFile: () => null,
  inspectCheckpoint: () => null,
  reveal: () => null,
  plan: () => null,
  checkBandwidth: () => null,
  compare: () => null,
  refresh: () => {
    begin();
    return null;
  },
  chooseTokenizer: () => {
    isTokenizerChosen = true;
    begin();
    return '/models/tokenizer.json';
  },
  cancel: () => {
    endpoint.send('failed', { code: 'cancelled', message: 'the inspection was cancelled', path: sampleReport().path });
    return null;
  },
});

const endpoint = new RpcEndpoint<object, ReportPanelEvents, ReportPanelSignals>(
  { post: (message) => window.postMessage({ toPage: message }) },
  handlers,
);

const collections: Partial<Record<Scenario, () => CollectionReport>> = {
  collection: collectionReport,
  'hub-cache': cacheCollectionReport,
};

const datasets: Partial<Record<Scenario, () => DatasetReport>> = {
  dataset: datasetReport,
  'dataset-huge': hugeDatasetReport,
  'dataset-text': textDatasetReport,
  'dataset-untokenized': () => (isTokenizerChosen ? textDatasetReport() : untokenizedDatasetReport()),
  'dataset-hostile': hostileDatasetReport,
  'dataset-empty': emptyDatasetReport,
};

function begin(): void {
  const inspected = datasets[scenario]?.() ?? collections[scenario]?.();
  const { path } = inspected ?? (scenario === 'empty' ? emptyReport() : scenario === 'run' ? runReport() : sampleReport());
  const name = path.slice(path.lastIndexOf('/') + 1);
  endpoint.send('started', { path, name });
  const progress = { filesDone: 18, filesTotal: 64, bytesRead: 402_113, file: 'optimizer.pt' };
  if (scenario === 'loading') endpoint.send('progress', progress);
  else if (scenario === 'failed')
    endpoint.send('failed', { code: 'io', message: 'The directory cannot be read: permission denied.', path });
  else endpoint.send('report', reportOf(name));
}

function reportOf(name: string): ReportPanelEvents['report'] {
  const dataset = datasets[scenario]?.();
  if (dataset !== undefined) return { name: scenario === 'dataset-hostile' ? hostileTexts.bidi : name, report: dataset };
  const collection = collections[scenario]?.();
  if (collection !== undefined) return { name, report: collection };
  if (scenario === 'empty') return { name, report: emptyReport() };
  if (scenario === 'ranks') return { name, report: ranksReport(1024, { 517: 336_000_000 }) };
  if (scenario === 'run') return { name, report: runReport() };
  if (scenario === 'hostile') {
    return {
      name: `${hostileTexts.bidi}${hostileTexts.image}`,
      report: { ...hostileReport(), tensorCount: Object.keys(hostileTexts).length },
    };
  }
  const report = sampleReport();
  if (scenario === 'logged')
    report.loggedChecks = [
      verifyCheck({ matched: 11, unverifiable: 1 }),
      valuesCheck({ notFinite: 2, changed: { files: 12, newer: 3 } }),
    ];
  if (scenario === 'load') report.load = failingLoad();
  if (scenario === 'many') report.tensorCount = 200_000;
  if (scenario === 'clean') report.findings = [];
  if (scenario === 'broken') Object.assign(report.resume, { verdict: 'broken', blockedBy: ['rng-count-differs'] });
  return { name, report };
}

endpoint.on('ready', begin);
installHost(endpoint);
window.fakeHost = { requests, send: (event, payload) => endpoint.send(event, payload), delayMs: 5 };
