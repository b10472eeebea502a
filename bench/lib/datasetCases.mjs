import { statSync } from 'node:fs';
import path from 'node:path';
import { count, createCandidates, fail, goals, median, ms, readNote, times } from './candidates.mjs';
import { arrowShards, documents, tarMembers } from './datasetData.mjs';

export const datasetCaseIds = ['arrow', 'index', 'lengths', 'parquet', 'tar'];

/** Rows and tokens of one Arrow shard, as `writeArrowShards.py` writes it. */
const arrowRows = 8000;
const arrowTokens = arrowRows * 512;

/**
 * Tokenized datasets. Cases whose data could not be written for want of Python are left out.
 * @param {import('./prepare.mjs').Setup} setup
 * @param {import('./datasetData.mjs').DatasetData} data
 * @returns {import('./candidates.mjs').BenchmarkCase[]}
 */
export function datasetCases(setup, data) {
  const { candidate, node, commandLine, core } = createCandidates(setup);
  const prefix = path.join(data.indexed, 'corpus');

  /**
   * A reader in `datasetReaders.py`, where the interpreter has what it imports.
   * @returns {import('./candidates.mjs').Candidate[]}
   */
  const python = (
    /** @type {string} */ id,
    /** @type {string} */ label,
    /** @type {string} */ target,
    /** @type {string[]} */ needs,
    /** @type {Record<string, number>} */ expected,
  ) => {
    const interpreter = setup.interpreterWith(needs);
    if (interpreter === null) return [];
    const args = ['-W', 'ignore', candidate('datasetReaders.py'), id, target];
    return [{ id, label, command: interpreter, args, check: expect(expected) }];
  };
  const own = (
    /** @type {string} */ target,
    /** @type {Record<string, number>} */ expected,
    /** @type {boolean} */ allLengths = false,
  ) => [
    commandLine(target, (report) => expect(expected)(totalsOf(report)), ...(allLengths ? ['--all-lengths'] : [])),
    core(target, expect(expected), ...(allLengths ? ['all-lengths'] : [])),
  ];

  const arrow = { samples: arrowShards * arrowRows, tokens: arrowShards * arrowTokens };
  const chunks = 2000 * 11;
  /** @type {import('./candidates.mjs').BenchmarkCase[]} */
  const withPython = [
    {
      id: 'arrow',
      title: 'An Arrow dataset of 1,000 shards',
      text: 'What `save_to_disk` writes: 8 record batches of 1,000 rows in each shard, 4,096,000,000 tokens, 16 GB; the tokens are sparse.',
      candidates: [
        ...own(data.arrow, { ...arrow, shards: arrowShards }),
        ...python('arrow_streams', '`pyarrow.ipc.open_stream` on mapped files', data.arrow, ['pyarrow'], arrow),
        ...python('load_from_disk', '`datasets.load_from_disk`', data.arrow, ['datasets'], arrow),
      ],
      cited: [],
      notes: readNote,
      goals(rows) {
        const work = median(rows, 'core', 'workMs');
        const peer = median(rows, 'load_from_disk', 'workMs') ?? median(rows, 'arrow_streams', 'workMs');
        return goals([
          work !== null && peer !== null && { goal: 'ahead of Python', measured: times(peer / work), reached: work < peer },
        ]);
      },
    },
    {
      id: 'parquet',
      title: 'A Parquet file of 2,000 row groups',
      text: '11 columns of lists, written by pyarrow: 22,000 column chunks in a footer of 2.7 MB.',
      candidates: [
        ...own(data.rowGroups, { samples: 100_000, tokens: 6_400_000 }),
        {
          id: 'hyparquet',
          label: 'hyparquet (`parquetMetadataAsync`)',
          ...node(setup.hyparquet, data.rowGroups),
          check: expect({ samples: 100_000, chunks }),
        },
        ...python('parquet', '`pyarrow.parquet`, every chunk visited', data.rowGroups, ['pyarrow'], { samples: 100_000, chunks }),
      ],
      cited: [],
      notes: readNote,
      goals(rows) {
        const work = median(rows, 'core', 'workMs');
        const peer = median(rows, 'hyparquet', 'workMs');
        const process = median(rows, 'cli', 'processMs');
        const whole = median(rows, 'hyparquet', 'processMs');
        return goals([
          work !== null &&
            peer !== null && { goal: 'ahead of hyparquet, work', measured: `${ms(work)} to ${ms(peer)}`, reached: work < peer },
          process !== null &&
            whole !== null && {
              goal: 'ahead of hyparquet, whole process',
              measured: `${ms(process)} to ${ms(whole)}`,
              reached: process < whole,
            },
        ]);
      },
    },
  ];
  return [
    ...(setup.interpreterWith(['pyarrow']) === null ? [] : withPython),
    {
      id: 'index',
      title: 'Tokens of 50,000,000 documents in a file of 1 TB',
      text: "Megatron's indexed dataset: an index of 1 GB beside a sparse `.bin` of 1 TB. How many tokens are there?",
      candidates: [
        ...own(data.indexed, { samples: documents }),
        ...python('megatron', '`IndexedDataset` of megatron-core, lengths summed', prefix, ['megatron-core', 'torch'], {
          samples: documents,
        }),
        ...python('numpy_sum', 'numpy, the mapped lengths summed', prefix, ['numpy'], { samples: documents }),
      ],
      cited: [
        {
          label: 'megatron-core, in the measurement that set the goal',
          workMs: 27,
          processMs: 4983,
          peakMiB: 931,
          where: 'cited: 2-core AMD EPYC, 2026-11-21',
        },
      ],
      notes: readNote,
      goals(rows) {
        const process = median(rows, 'cli', 'processMs');
        return goals([
          process !== null && { goal: 'below 100 ms, whole process', measured: ms(process), reached: process < 100 },
        ]);
      },
    },
    {
      id: 'lengths',
      title: 'The lengths of 50,000,000 documents',
      text: 'The same dataset with `--all-lengths`: a histogram of all lengths, read in pieces.',
      candidates: [
        ...own(data.indexed, { samples: documents, lengths: documents }, true),
        ...python('numpy_histogram', '`numpy.histogram` of the mapped lengths', prefix, ['numpy'], { samples: documents }),
      ],
      cited: [],
      notes: readNote,
      goals(rows) {
        const process = median(rows, 'cli', 'processMs');
        const peak = median(rows, 'cli', 'peakBytes');
        return goals([
          process !== null && { goal: 'below 2 s, whole process', measured: ms(process), reached: process < 2000 },
          peak !== null && { goal: 'below 300 MB of memory', measured: `${Math.round(peak / 1e6)} MB`, reached: peak < 300e6 },
        ]);
      },
    },
    {
      id: 'tar',
      title: 'A WebDataset shard of 100,000 members',
      text: '50,000 samples of two files of 100 kB each: 10 GB, the files sparse.',
      candidates: [
        ...own(data.tar, { samples: tarMembers / 2 }),
        ...python('tar', '`tarfile.getmembers` of Python', data.tar, [], { members: tarMembers }),
      ],
      cited: [],
      notes: readNote,
      goals(rows) {
        const run = rows.find(({ id }) => id === 'core')?.last;
        if (!run) return [];
        const share = run.io.bytesRead / statSync(data.tar).size;
        return [{ goal: 'reads below 1 % of the bytes', measured: `${(share * 100).toFixed(2)} %`, reached: share < 0.01 }];
      },
    },
  ];
}

/** What the report of the command line says of the whole, as the other candidates say it. */
function totalsOf(/** @type {any} */ report) {
  const { samples, tokens, lengths, shards } = report;
  return { samples, tokens: tokens?.count ?? null, lengths: lengths?.count ?? null, shards: shards.length };
}

/** @param {Record<string, number>} expected */
function expect(expected) {
  return (/** @type {any} */ result) => {
    for (const [name, value] of Object.entries(expected))
      if (result[name] !== value) fail(`${name}: ${count(result[name] ?? 0)} in place of ${count(value)}`);
    return null;
  };
}
