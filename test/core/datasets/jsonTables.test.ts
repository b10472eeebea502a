/** Which bare `.json` files are records, by what they hold: data sets of all shapes, and none of the data of programs. */
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { utf8 } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';

const sentence = 'a sentence with some words in it';

const inspectJson = async (files: Record<string, unknown>): Promise<unknown> => {
  const bytes = Object.entries(files).map(([name, value]) => [name, utf8(JSON.stringify(value))] as const);
  const { report } = await inspect(memoryTree('d', Object.fromEntries(bytes)), { path: 'd' });
  return report.kind === 'dataset' ? report.samples : report.kind;
};

describe('records are', () => {
  it.each([
    ['instructions', [{ instruction: 'go', output: 'x' }]],
    ['instructions of which the first lacks a text', [{ id: 1, text: null }, { id: 2, text: 'b' }]], // prettier-ignore
    ['chats', [{ id: 1, conversations: [{ from: 'human', value: 'hi' }] }]],
    ['prompts that are chats', [{ prompt: [{ role: 'user', content: 'hi' }] }]],
    ['tokens', [{ input_ids: [1, 2, 3] }]],
    ['translations', [1, 2].map((id) => ({ id, translation: { de: sentence, en: sentence } }))],
    ['rows with members of any name', [1, 2, 3].map((id) => ({ id, query: sentence, label: 0 }))],
    ['flat rows that leave members out', [{ query: sentence }, { query: sentence, note: 'x' }, { query: 'y' }]],
    ['texts that are escaped', ['\u4f60\u597d\u4f60\u597d\u4f60\u597d\u4f60\u597d', 'b'].map((query) => ({ query }))],
    ['rows of numbers', [1, 2, 3].map((id) => ({ id, a: 0.5, b: [1, 2] }))],
  ])('%s', async (_, records) => {
    expect(await inspectJson({ 'train.json': records })).toBe(records.length);
  });

  it('texts that are written in ASCII', async () => {
    const text = utf8('[{"query": "\\u4f60\\u597d\\u4f60\\u597d"}, {"query": "\\u4f60\\u597d\\u4f60\\u597d"}]');
    const { report } = await inspect(memoryTree('d', { 'train.json': text }), { path: 'd' });
    expect(report).toMatchObject({ kind: 'dataset', samples: 2 });
  });

  it('tables beside one list of another kind', async () => {
    const rows = [1, 2].map((id) => ({ id, query: sentence }));
    const other = [{ name: 'a' }, { name: 'b', options: [1] }];
    expect(await inspectJson({ 'train.json': rows, 'valid.json': rows, 'labels.json': other })).toBe(4);
  });
});

describe('records are not', () => {
  it.each([
    [
      'operators',
      [
        { name: 'Abs', description: sentence, inputs: [{ name: 'A' }] },
        { name: 'Acos', category: 'Layer' },
      ],
    ],
    ['names and categories', ['Abs', 'Acos', 'Add'].map((name) => ({ name, category: 'Layer' }))],
    ['test cases', [1, 2].map((start) => ({ name: 'slice/one', input: { start: [start] }, output: [{ offset: 0 }] }))],
    ['messages of an interface in one line', { messages: { save: sentence, title: sentence }, pad: 'x'.repeat(2000) }],
    ['settings of a bundler in one line', { input: { main: 'a.js' }, content: ['./src'], pad: 'x'.repeat(2000) }],
    ['features of a map', { type: 'FeatureCollection', features: [{ type: 'Feature', properties: { text: sentence } }] }],
    ['a package', { name: 'x', version: '1.0.0', scripts: { test: 'vitest' }, dependencies: { a: '^1' } }],
    ['a notebook', { cells: [{ cell_type: 'markdown', source: [sentence] }], metadata: {}, nbformat: 4 }],
  ])('%s', async (_, document) => {
    expect(await inspectJson({ 'data.json': document })).toBe('checkpoint');
  });

  it('tables among more lists of other kinds', async () => {
    const rows = [1, 2].map((id) => ({ id, description: sentence, inputs: [{ name: 'A' }] }));
    const other = [{ name: 'a' }, { name: 'b', options: [1] }];
    expect(await inspectJson({ 'a.json': rows, 'b.json': other, 'c.json': other })).toBe('checkpoint');
  });
});
