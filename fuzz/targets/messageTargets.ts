/** Messages between page, host and workers: any value may arrive; the end answers or ignores, and nothing else is thrown. */
import { unknownRoom } from '../../src/core/runs/storageRoom.js';
import { listedFolders } from '../../src/core/files/listedFolders.js';
import { InputError } from '../../src/app/useCaseError.js';
import { useCaseTable } from '../../src/app/useCaseTable.js';
import { readInput } from '../../src/app/readInput.js';
import { createInspectionService } from '../../src/platform/inspectionService.js';
import { createEstimateService } from '../../src/platform/estimateService.js';
import { RpcEndpoint, type RpcMessage } from '../../src/protocol/rpc.js';
import { buildNpy } from '../../test/builders/npyBuilder.js';
import { llamaConfig } from '../../test/builders/estimateText.js';
import { memoryTree } from '../../test/builders/memoryTree.js';
import type { FuzzTarget, Input } from '../target.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const jsonInput = (value: unknown): Input => ({ 'message.json': encoder.encode(JSON.stringify(value)) });
const request = (method: string, params: unknown): Input => jsonInput({ type: 'request', id: 1, method, params });

const query = {
  search: 'a',
  components: ['weights'],
  dtypes: ['f32'],
  files: ['a.npy'],
  layers: [''],
  sort: { column: 'name', descending: true },
};
const estimateParams = { key: 'a', path: 'config.json', place: { kind: 'virtual' }, text: llamaConfig() };

/** More than a page of rows of one tensor takes. */
const maxAnswerCharacters = 4 * 1024 * 1024;

export function messageTargets(): FuzzTarget[] {
  return [
    {
      name: 'messages-inspector',
      seeds: () => [
        request('tensorPage', { query, from: 0, count: 10 }),
        ...['tensorFacets', 'markdown', 'json', 'plan'].map((method) => request(method, {})),
        request('tensorDetail', { row: 0 }),
        request('exportTensors', { format: 'csv', query }),
        request('inspect', { allLengths: true, part: 'safetensors-file', tokenizer: { path: 'tokenizer.json', text: '{}' } }),
        request('describeDataset', { link: null }),
        ...others,
      ],
      formOf: () => 'json',
      dictionary: ['tensorPage', 'exportTensors', 'arrow', 'shape', 'elements', 'bytes', 'constructor', '__proto__', 'cancel'],
      execute: (input) => answer(input, inspector),
    },
    {
      name: 'messages-estimator',
      seeds: () => [
        request('estimate', estimateParams),
        request('card', { key: 'a', offset: 30, links: { plan: 'x', why: 'y' } }),
        request('page', { key: 'a', changes: { steps: 5, optimizer: 'adamw', keep: 2, precision: 'bf16' } }),
        request('plan', { key: 'a' }),
        request('forget', { key: 'a' }),
        ...others,
      ],
      formOf: () => 'json',
      dictionary: ['estimate', 'card', 'page', 'plan', 'forget', 'optimizer', 'precision', 'steps'],
      execute: (input) => answer(input, estimator),
    },
    {
      name: 'messages-use-cases',
      seeds: () => [
        jsonInput({ path: 'a', tensors: true, part: 'x', ranks: 3, seed: 1, allLengths: false }),
        jsonInput({ path: 'a', optimizer: 'adamw', precision: 'bf16', steps: 10, keep: 2 }),
        jsonInput({ preset: 'llama', set: { parameters: '8B', gpus: 8, overlapTarget: null } }),
        jsonInput({ path: 'a', size: '4GiB', streams: 2, seconds: 10, repeats: 2, replayOf: 'b' }),
      ],
      formOf: () => 'json',
      execute: checkInputs,
    },
  ];
}

const others: readonly Input[] = [
  jsonInput({ type: 'reply', id: 1, result: {} }),
  jsonInput({ type: 'failure', id: 1, code: 'a', message: 'b' }),
  jsonInput({ type: 'cancel', id: 1 }),
  jsonInput({ type: 'event', name: 'ready', payload: {} }),
];

async function inspector(): Promise<object> {
  const tree = memoryTree('fuzz', { 'a.npy': buildNpy({ shape: [2, 3], data: new Uint8Array(24) }) });
  const service = createInspectionService(
    {
      path: 'fuzz',
      openTree: () => Promise.resolve(tree),
      openFolders: () => Promise.resolve(listedFolders(tree)),
      openFollowed: () => Promise.resolve(listedFolders(tree)),
      room: () => Promise.resolve(unknownRoom),
      local: null,
      verifier: null,
      noteLoggedChecks: null,
      values: null,
      configs: null,
    },
    { inspected: () => undefined, verified: () => undefined, valuesRead: () => undefined },
  );
  await service.inspect({}, new AbortController().signal);
  return service;
}

function estimator(): object {
  const nothing = { read: () => Promise.resolve(null), readCached: () => Promise.resolve(null) };
  return createEstimateService({ sources: () => nothing, freeBytes: () => Promise.resolve(null) });
}

async function answer(input: Input, service: () => object | Promise<object>): Promise<void> {
  const message = parsed(input);
  const answers: RpcMessage[] = [];
  const endpoint = new RpcEndpoint({ post: (posted) => void answers.push(posted) }, await service());
  endpoint.receive(message);
  // Every request is answered once, whatever is in it.
  const isRequest = typeof message === 'object' && message !== null && (message as { type?: unknown }).type === 'request';
  for (let turn = 0; isRequest && answers.length === 0 && turn < 1_000; turn++) await new Promise(setImmediate);
  if (isRequest && answers.length !== 1) throw new Error(`${answers.length} answers to a request`);
  for (const posted of answers) {
    const size = JSON.stringify(posted, (_key, value: unknown) =>
      value instanceof Uint8Array ? value.byteLength : value,
    ).length;
    if (size > maxAnswerCharacters) throw new Error(`output: an answer of ${size} characters`);
  }
  endpoint.dispose();
}

/** What an assistant or the command line sends is accepted, or refused with a text. */
function checkInputs(input: Input): void {
  const value = parsed(input);
  for (const { input: schema } of Object.values(useCaseTable)) {
    try {
      readInput(schema, value);
    } catch (error) {
      if (!(error instanceof InputError) && !(error instanceof Error && error.message.startsWith('The input is not usable')))
        throw error;
    }
  }
}

function parsed(input: Input): unknown {
  try {
    return JSON.parse(decoder.decode(Object.values(input)[0])) as unknown;
  } catch {
    return null;
  }
}
