import { createComparisonService } from '../../../src/platform/comparison/comparisonService.js';
import type { ComparerEvents, ComparerRequests, Comparer } from '../../../src/platform/comparison/comparer.js';
import { startInPage } from '../../../src/platform/inPageService.js';
import type { ComparisonReport } from '../../../src/core/comparison/comparisonReport.js';
import { readPairs } from '../../../src/core/comparison/values/readPairs.js';
import type { ComparePanelEvents, ComparePanelRequests, ComparePanelSignals } from '../../../src/protocol/messages.js';
import { RpcEndpoint } from '../../../src/protocol/rpc.js';
import {
  expertPair,
  hostilePair,
  resizedPair,
  runPair,
  trainedPair,
  unlikePair,
  type CheckpointFiles,
  type CheckpointPair,
} from '../../builders/comparedCheckpoints.js';
import { hostileTexts } from '../../builders/hostileReport.js';
import { memoryTree } from '../../builders/memoryTree.js';
import '../../../webview/shared/hostApi.js';
import { isCompareScenario, type CompareScenario } from './compareScenarios.js';
import { installHost, noting } from './hostWindow.js';

const scenario = new URLSearchParams(location.search).get('scenario');
if (!isCompareScenario(scenario)) throw new Error(`there is no scenario ${scenario}`);

const same = (): CheckpointPair => ({ a: trainedPair().a, b: trainedPair().a });

const pairs: Readonly<Record<CompareScenario, () => CheckpointPair>> = {
  compare: trainedPair,
  'compare-values': trainedPair,
  'compare-experts': expertPair,
  'compare-tensors': unlikePair,
  'compare-resized': resizedPair,
  'compare-same': same,
  'compare-many': unlikePair,
  'compare-hostile': hostilePair,
  'compare-runs': runPair,
  'compare-web': trainedPair,
  'compare-running': trainedPair,
  'compare-failed': trainedPair,
};

const folder = scenario === 'compare-hostile' ? `/runs/${hostileTexts.image}` : '/runs/llama-8b';
const names = scenario === 'compare-runs' ? { a: 'run-a', b: 'run-b' } : { a: 'checkpoint-500', b: 'checkpoint-1000' };

/** A comparer over files in memory, as the extension's own answers. */
function start(pair: CheckpointPair): Comparer {
  const encoded = (files: CheckpointFiles): Record<string, Uint8Array> =>
    Object.fromEntries(
      Object.entries(files).map(([path, file]) => [path, typeof file === 'string' ? new TextEncoder().encode(file) : file]),
    );
  return startInPage<ComparerRequests, ComparerEvents>((events) =>
    createComparisonService(
      {
        paths: { a: `${folder}/${names.a}`, b: `${folder}/${names.b}` },
        openTree: (side) => Promise.resolve(memoryTree(names[side], encoded(pair[side]))),
        readPairs: async ({ a, b, tasks }, hooks) => {
          const results = [];
          for (const task of tasks) results.push(...(await readPairs({ a: a.tree, b: b.tree }, task, hooks)));
          return results;
        },
      },
      {
        inspecting: (progress) => events.send('inspecting', progress),
        valuesRead: (progress) => events.send('readingValues', progress),
      },
    ),
  );
}

const { endpoint: comparer } = start(pairs[scenario]());
const requests: Window['fakeHost']['requests'] = [];
const endpoint: RpcEndpoint<object, ComparePanelEvents, ComparePanelSignals> = new RpcEndpoint(
  { post: (message) => window.postMessage({ toPage: message }) },
  noting<ComparePanelRequests>(requests, {
    copyMarkdown: () => null,
    copyText: () => null,
    saveJson: () => 'checkpoint-1000.report.json',
    swapSides: () => null,
    refresh: () => null,
    cancel() {
      endpoint.send('comparison', { kind: 'none' });
      return null;
    },
    inspectSide: () => null,
    compareValues() {
      endpoint.send('values', { kind: 'running', progress: { bytesRead: 4e9, totalBytes: 16e9 } });
      return null;
    },
    cancelValues() {
      endpoint.send('values', { kind: 'none' });
      return null;
    },
  }),
);

/** As two frameworks store one attention. */
function withFused(report: ComparisonReport): ComparisonReport {
  const { tensors } = report;
  const a = ['q', 'k', 'v'].map((part) => `model.layers.0.self_attn.${part}_proj.weight`);
  const counts = { a: 3, b: 12 };
  return {
    ...report,
    tensors: {
      ...tensors,
      fused: [{ a, b: [`decoder.layers.self_attention.linear_qkv.${hostileTexts.image}`], counts }],
      fusedCount: 1,
    },
  };
}

/** As a resume finds moments of an embedding that was resized, of a layer that went on, and of one that no file here has. */
function withOptimizerValues(report: ComparisonReport): ComparisonReport {
  const moment = { elements: 64, compared: 64, isEqual: false, notFinite: 0, notFiniteIn: { a: 0, b: 0 } };
  const name = (parameter: string): string => `optimizer.state.model.${parameter}.weight.exp_avg`;
  const values = {
    tensors: 3,
    equal: 1,
    different: 2,
    differences: [
      {
        ...moment,
        ...{ name: name('embed_tokens'), isEqual: true, maxAbs: 0, meanAbs: 0, cosine: 1, relativeL2: 0 },
        rows: { common: 8, a: 8, b: 10 },
      },
      { ...moment, name: name('layers.1.mlp.up_proj'), maxAbs: 0.002, meanAbs: 0.0004, cosine: 0.998, relativeL2: 0.061 },
    ],
    notRead: [{ name: name('layers.0.mlp.up_proj'), reason: 'The shapes differ.' }],
    notReadCount: 1,
  };
  return { ...report, optimizer: { ...report.optimizer, values } };
}

/** Lists of 10,000 entries, of a million differences. */
function withMany(report: ComparisonReport): ComparisonReport {
  const name = (index: number): string => `model.layers.${index % 100}.experts.${index}.weight`;
  const form = { dtype: 'bf16', shape: [4096, 4096] };
  const listed = Array.from({ length: 10_000 }, (_, index) => ({ ...form, name: name(index) }));
  const counts = { added: 1_000_000, removed: 1_000_000, renamed: 0, changed: 0 };
  const values = listed.map((own, index) => ({
    name: own.name,
    elements: 16,
    compared: 16,
    isEqual: index % 3 === 0,
    maxAbs: 0.1,
    meanAbs: 0.01,
    cosine: 0.9999,
    relativeL2: index % 3 === 0 ? 0 : 10 ** -(index % 8),
    notFinite: 0,
    notFiniteIn: { a: 0, b: 0 },
  }));
  const notRead = Array.from({ length: 10_000 }, (_, index) => ({ name: `other.${index}.weight`, reason: 'The shapes differ.' }));
  return {
    ...report,
    tensors: { ...report.tensors, added: listed, removed: listed, counts },
    values,
    valuesCompared: {
      tensors: 1_000_000,
      equal: 333_333,
      different: 666_667,
      layers: [],
      layerCount: 100,
      sample: { share: 0.01, seed: 1 },
      notRead,
      notReadCount: 1_000_000,
      bytesRead: 32,
    },
  };
}

async function show(): Promise<void> {
  const sideOf = (side: 'a' | 'b') => ({ name: names[side], path: `${folder}/${names[side]}` });
  endpoint.send('source', { uri: 'stowage-compare:/pair' });
  endpoint.send('sides', { a: sideOf('a'), b: sideOf('b'), readsValues: scenario !== 'compare-web' });
  if (scenario === 'compare-failed') {
    endpoint.send('comparison', {
      kind: 'failed',
      message: `${folder}/${names.b} is no checkpoint: nothing in it is known as one`,
    });
    return;
  }
  if (scenario === 'compare-running') {
    const progress = { filesDone: 3, filesTotal: 12, bytesRead: 4e6, file: 'model.safetensors' } as const;
    endpoint.send('comparison', { kind: 'running', progress });
    return;
  }
  const compared = await comparer.request('compare', { values: null });
  const report = scenario === 'compare-tensors' ? withFused(compared) : compared;
  endpoint.send('comparison', { kind: 'done', report });
  if (scenario === 'compare-many') endpoint.send('values', { kind: 'done', report: withMany(report) });
  else if (
    ['compare-values', 'compare-experts', 'compare-resized', 'compare-hostile', 'compare-same'].includes(scenario as string)
  )
    await endValues();
}

async function endValues(): Promise<void> {
  const report = await comparer.request('compare', { values: 1 });
  endpoint.send('values', { kind: 'done', report: scenario === 'compare-resized' ? withOptimizerValues(report) : report });
}

endpoint.on('ready', () => void show());
installHost(endpoint);

window.fakeHost = {
  requests,
  send: (name, payload) => {
    if ((name as string) === 'endValues') void endValues();
    else endpoint.send(name as never, payload as never);
  },
  delayMs: 0,
};
