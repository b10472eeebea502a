/** Index files are known by what is in them; and what hovers say of them. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recogniseIndex } from '../../../src/core/datasets/indexFiles.js';
import { companionNames } from '../../../src/core/files/companions.js';
import { datasetHover } from '../../../src/core/pages/dataset/datasetHover.js';
import { indexHover } from '../../../src/core/pages/dataset/indexHover.js';
import {
  datasetReport,
  emptyDatasetReport,
  hostileDatasetReport,
  hugeDatasetReport,
  textDatasetReport,
} from '../../builders/datasetReports.js';

const mds = {
  version: 2,
  shards: [
    { format: 'mds', samples: 8, raw_data: { bytes: 9 }, zip_data: null },
    { format: 'mds', samples: 4, raw_data: { bytes: 9 }, zip_data: { bytes: 3 } },
  ],
};

describe('index files', () => {
  it.each([
    ['index.json', mds, { kind: 'mds', shards: 2, samples: 12, bytes: 12 }],
    [
      'index.json',
      { chunks: [{ filename: 'chunk-0-0.bin', chunk_bytes: 5 }], config: {} },
      { kind: 'litdata', shards: 1, bytes: 5 },
    ],
    [
      'index.json',
      { __kind__: 'wids-shard-index-v1', shardlist: [{ nsamples: 25, filesize: 7 }] },
      { kind: 'wids', samples: 25, bytes: 7 },
    ],
    [
      'dataset_info.json',
      { features: { input_ids: {} }, splits: { train: { num_examples: 3 } } },
      { kind: 'huggingface', samples: 3 },
    ],
    ['dataset_dict.json', { splits: ['train'] }, { kind: 'huggingface', samples: null }],
    [
      'state.json',
      { _data_files: [{ filename: 'data-00000-of-00001.arrow' }], _fingerprint: 'f' },
      { kind: 'huggingface', shards: 1 },
    ],
  ])('%s %#', (name, value, expected) => {
    expect(recogniseIndex(name, JSON.stringify(value))).toMatchObject(expected);
  });

  it.each([
    ['index.json', { name: 'app', version: '1.0.0', main: 'index.js' }],
    ['index.json', { shards: [{ format: 'docker' }], version: 1 }],
    ['index.json', []],
    ['state.json', { open: true }],
    ['state.json', { _data_files: [{ filename: 'a.json' }], _fingerprint: 'f' }],
    ['dataset_info.json', { title: 'mine' }],
    ['package.json', mds],
  ])('%s of something else is none %#', (name, value) => {
    expect(recogniseIndex(name, JSON.stringify(value))).toBeNull();
  });

  it('is none where the text is cut, too long or binary', () => {
    expect(recogniseIndex('index.json', JSON.stringify(mds).slice(0, -1))).toBeNull();
    expect(recogniseIndex('index.json', `${' '.repeat(9 * 1024 * 1024)}${JSON.stringify(mds)}`)).toBeNull();
    expect(recogniseIndex('pack.idx', '\u00fftOc\u0000\u0000\u0000\u0002')).toBeNull();
  });

  it('states no number that is none', () => {
    const odd = { version: 2, shards: [{ format: 'mds', samples: -1, raw_data: { bytes: 1e300 } }] };
    expect(recogniseIndex('index.json', JSON.stringify(odd))).toMatchObject({ samples: null, bytes: null, shards: 1 });
  });

  it('knows the index that Megatron wrote', () => {
    const file = 'test/fixtures/frameworks/megatron-indexed/u16-multidoc/data/corpus_text_document.idx';
    expect(recogniseIndex('corpus_text_document.idx', readFileSync(file, 'latin1'))).toMatchObject({
      kind: 'megatron-indexed',
      isPair: true,
    });
  });
});

describe('hovers', () => {
  const link = 'command:stowage.inspect?%5B%5D';

  it.each([datasetReport, textDatasetReport, hugeDatasetReport, emptyDatasetReport, hostileDatasetReport])(
    '%o: at most twelve lines',
    (build) => {
      const lines = datasetHover(build(), link).split('\n');
      expect(lines.length).toBeLessThanOrEqual(12);
      expect(lines.every((line) => line.length < 400)).toBe(true);
      expect(lines.at(-1)).toBe(`[Inspect](${link})`);
    },
  );

  it('say tokens, samples, how they are stored, shards and findings', () => {
    expect(datasetHover(datasetReport(), link).replaceAll('\\', '')).toBe(
      [
        '**MosaicML streaming (MDS) · 344 MB**',
        '170,917,888 tokens',
        '83,456 samples in train, validation',
        '2 bytes a token (uint16); 50.9 % of the bytes are tokens',
        '12 shards, median 33.6 MB, from 2.1 MB to 33.6 MB',
        'Padding: ~8.1 % of token positions',
        'Findings: 2 notes',
        `[Inspect](${link})`,
      ].join('  \n'),
    );
  });

  it('have one link, whatever the names are', () => {
    const text = datasetHover(hostileDatasetReport(), link);
    expect([...text.matchAll(/(?<!\\)\]\(/g)]).toHaveLength(1);
    expect(text).not.toMatch(/(?<!\\)<(img|script)/);
  });

  it('say what the index says, where the folder was not looked at', () => {
    const index = recogniseIndex('index.json', JSON.stringify(mds));
    if (index === null) throw new Error('it is an index');
    expect(indexHover(index, link)).toContain('12 samples, declared by this file');
  });
});

it.each([
  ['a.idx', ['a.bin']],
  ['a.b.bin', ['a.b.idx']],
  ['00000.ds', ['00000.ds.index', '00000.ds.metadata']],
  ['model.safetensors', []],
  ['adapter_model.safetensors', ['adapter_config.json']],
  [
    'model-00002-of-00003.safetensors',
    [
      'model-00001-of-00003.safetensors',
      'model-00003-of-00003.safetensors',
      'model.safetensors.index.json',
      'config.json',
      'tokenizer.json',
      'tokenizer_config.json',
      'tokenizer.model',
    ],
  ],
  ['m-00001-of-00002.gguf', ['m-00002-of-00002.gguf']],
  ['m-00001-of-99999.gguf', []],
  ['.idx', []],
  ['idx', []],
])('companions of %s', (name, names) => {
  expect(companionNames(name)).toEqual(names);
});
