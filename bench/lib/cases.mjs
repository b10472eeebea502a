import path from 'node:path';
import { count, createCandidates, fail, goals, median, ms, readNote, times } from './candidates.mjs';
import { metadataBytes } from './prepare.mjs';

export const caseIds = [
  'shards',
  'compare',
  'large',
  'optimizer',
  'gguf',
  'metadata',
  'ranks',
  'listing',
  'repository',
  'run',
  'runs',
  'header',
];

const elsewhere = 'cited: 2-core AMD EPYC, Node 20.20.2, 2026-11-21';

/**
 * @param {import('./prepare.mjs').Setup} setup
 * @param {{ shards: string, wrapped: string, megatron: string, large: string, optimizer: string, lyingHeader: string, gguf: string, distributed: string, ranks: string, listing: string, repository: string, run: string, runs: string }} data
 * @returns {import('./candidates.mjs').BenchmarkCase[]}
 */
export function benchmarkCases(setup, data) {
  const { candidate, node, commandLine, core } = createCandidates(setup);
  const reportedTensors = (/** @type {any} */ report) =>
    Object.values(report.components).reduce(
      (/** @type {number} */ sum, /** @type {any} */ component) => sum + component.tensors,
      0,
    );
  const compared = (
    /** @type {string} */ id,
    /** @type {string} */ label,
    /** @type {string[]} */ args,
    /** @type {(result: any) => boolean} */ isRight,
  ) => ({
    id,
    label,
    ...node(setup.compare, ...args),
    check: (/** @type {any} */ result) => (isRight(result) ? null : fail(`compared otherwise: ${JSON.stringify(result)}`)),
  });
  const torch = (/** @type {string} */ target, /** @type {number} */ tensors) =>
    setup.torchPython === null
      ? []
      : ['mmap', 'meta'].map((mode) => ({
          id: `torch-${mode}`,
          label: mode === 'mmap' ? '`torch.load(mmap=True)`' : '`torch.load(map_location="meta")`',
          command: /** @type {string} */ (setup.torchPython),
          args: [candidate('torchLoad.py'), target, mode],
          check: expectTensors(tensors),
        }));
  const netron = (/** @type {string} */ target, /** @type {number} */ tensors) => {
    if (setup.netron === null) return [];
    const args = ['--no-warnings', candidate('netronHeadless.mjs'), setup.netron, target];
    return [
      { id: 'netron', label: 'Netron', ...node(...args), checkArgs: node(...args, 'count').args, check: expectTensors(tensors) },
    ];
  };

  return [
    {
      id: 'shards',
      title: '192,000 tensors in 64 safetensors shards',
      text: 'Each shard has 3,000 tensors; an index names all of them. The payload is sparse.',
      candidates: [
        commandLine(data.shards, (report) => expectTensors(192_000)({ tensors: reportedTensors(report) })),
        core(data.shards, expectTensors(192_000)),
        ...(setup.python === null
          ? []
          : [
              {
                id: 'rust',
                label: 'safetensors, its Rust reader through Python (`safe_open`)',
                command: setup.python,
                args: [candidate('safetensorsReader.py'), data.shards],
                check: expectTensors(192_000),
              },
            ]),
        ...(setup.npm === null
          ? []
          : [
              {
                id: 'huggingface',
                label: 'huggingface.js (`parseSafetensorsMetadata`)',
                ...node(candidate('huggingFaceHub.mjs'), setup.npm, data.shards, 'model.safetensors.index.json'),
                check: expectTensors(192_000),
              },
            ]),
      ],
      cited: [
        { label: 'Weightless 0.1.7', workMs: 557, processMs: 624, peakMiB: 193, where: elsewhere },
        { label: 'huggingface.js 2.17.5, in that run', workMs: 1171, processMs: 1274, peakMiB: 279, where: elsewhere },
        { label: 'Netron 9.2.1', workMs: 26_975, processMs: 27_111, peakMiB: 16_852, where: elsewhere },
      ],
      notes(rows) {
        const run = rows.find(({ id }) => id === 'core')?.last;
        if (!run) return [];
        const { headers, index } = metadataBytes(data.shards);
        const { bytesRead, reads } = run.io;
        return [
          `Stowage read ${count(bytesRead)} bytes in ${count(reads)} reads. The headers of the shards have ${count(headers)} bytes, the index ${count(index)}: ${((bytesRead / (headers + index)) * 100).toFixed(2)} % of the two together.`,
        ];
      },
      goals(rows) {
        const coreWork = median(rows, 'core', 'workMs');
        const process = median(rows, 'cli', 'processMs');
        const hub = median(rows, 'huggingface', 'workMs');
        const rust = median(rows, 'rust', 'processMs');
        const rustWork = median(rows, 'rust', 'workMs');
        const peak = median(rows, 'cli', 'peakBytes');
        // Weightless cannot be installed from a registry. Its place follows from huggingface.js, measured next to it elsewhere and here.
        const weightless = hub === null ? null : (557 / 1171) * hub;
        return goals([
          coreWork !== null &&
            weightless !== null && {
              goal: 'a third of the time of Weightless (its cited share of the time of huggingface.js)',
              measured: `${ms(coreWork)} of ${ms(weightless)}`,
              reached: coreWork <= weightless / 3,
            },
          coreWork !== null &&
            rustWork !== null && {
              goal: "ahead of safetensors' own reader, work",
              measured: `${ms(coreWork)} to ${ms(rustWork)}`,
              reached: coreWork < rustWork,
            },
          process !== null &&
            rust !== null && {
              goal: "ahead of safetensors' own reader, whole process",
              measured: `${ms(process)} to ${ms(rust)}`,
              reached: process < rust,
            },
          coreWork !== null &&
            hub !== null && {
              goal: '5 times as fast as huggingface.js',
              measured: times(hub / coreWork),
              reached: hub / coreWork >= 5,
            },
          peak !== null && { goal: 'peak memory below 300 MB', measured: `${Math.round(peak / 1e6)} MB`, reached: peak < 300e6 },
        ]);
      },
    },
    {
      id: 'compare',
      title: 'Two models of 192,000 tensors side by side',
      text: 'Both are inspected and compared in one process: the shards above against themselves, against names that all begin with `module.`, and against those that Megatron has for the same tensors.',
      candidates: [
        compared(
          'core',
          'Stowage, two inspections',
          [data.shards, data.wrapped, 'inspect'],
          ({ tensors }) => tensors === 384_000,
        ),
        compared('same', 'Stowage, the same names', [data.shards, data.shards], ({ matched }) => matched === 192_000),
        compared(
          'wrapped',
          'Stowage, all names with a wrapper',
          [data.shards, data.wrapped],
          ({ matched }) => matched === 192_000,
        ),
        compared('megatron', 'Stowage, names of Megatron', [data.shards, data.megatron], ({ matched }) => matched === 192_000),
      ],
      cited: [],
      notes: () => [],
      goals(rows) {
        const inspections = median(rows, 'core', 'workMs');
        return goals(
          ['same', 'wrapped', 'megatron'].map((id) => {
            const work = median(rows, id, 'workMs');
            if (inspections === null || work === null) return null;
            const label = rows.find((row) => row.id === id)?.label.replace('Stowage, ', '') ?? id;
            return {
              goal: `twice two inspections at most: ${label}`,
              measured: times(work / inspections),
              reached: work <= 2 * inspections,
            };
          }),
        );
      },
    },
    {
      id: 'large',
      title: 'A torch file of 100 GB',
      text: '1,016 tensors, 16 of them above 4 GiB, in one zip64 file; the payload is sparse.',
      candidates: [
        commandLine(data.large, (report) => expectTensors(1016)({ tensors: reportedTensors(report) })),
        core(data.large, expectTensors(1016)),
        ...torch(data.large, 1016),
        ...netron(data.large, 1016).map((peer) => ({ ...peer, apart: true })),
      ],
      cited: [],
      notes: readNote,
      goals(rows) {
        const work = median(rows, 'core', 'workMs');
        const process = median(rows, 'cli', 'processMs');
        return goals([
          work !== null && { goal: 'below 100 ms', measured: ms(work), reached: work < 100 },
          process !== null && { goal: 'below 100 ms, whole process', measured: ms(process), reached: process < 100 },
        ]);
      },
    },
    {
      id: 'optimizer',
      title: 'An optimizer.pt of 2.0 GB',
      text: setup.torchPython
        ? 'The state of a real `torch.optim.AdamW` with 2,000 parameters: 6,000 tensors, written by `torch.save`.'
        : 'The layout of the state of `torch.optim.AdamW` with 2,000 parameters: 6,000 tensors, sparse (torch is not there to write a real one).',
      candidates: [
        commandLine(data.optimizer, (report) => expectTensors(6000)({ tensors: reportedTensors(report) })),
        core(data.optimizer, expectTensors(6000)),
        ...torch(data.optimizer, 6000),
        ...netron(data.optimizer, 6000),
      ],
      cited: setup.netron ? [] : [{ label: 'Netron 9.2.1', workMs: 660, processMs: 837, peakMiB: 693, where: elsewhere }],
      notes: readNote,
      goals(rows) {
        const process = median(rows, 'cli', 'processMs');
        const loaded = median(rows, 'torch-mmap', 'processMs');
        const shown = median(rows, 'netron', 'processMs');
        return goals([
          process !== null &&
            loaded !== null && {
              goal: '10 times as fast as `torch.load(mmap=True)`, whole process',
              measured: times(loaded / process),
              reached: loaded / process >= 10,
            },
          process !== null &&
            shown !== null && {
              goal: '4 times as fast as Netron, whole process',
              measured: times(shown / process),
              reached: shown / process >= 4,
            },
        ]);
      },
    },
    {
      id: 'gguf',
      title: 'A GGUF with a vocabulary of 262,144 tokens',
      text: 'Tokens, scores and types, and 1,000 tensors in Q4_K; their data are sparse.',
      candidates: [
        commandLine(data.gguf, (report) => expectTensors(1000)({ tensors: reportedTensors(report) })),
        core(data.gguf, expectTensors(1000)),
        ...(setup.npm === null
          ? []
          : [
              {
                id: 'huggingface',
                label: '`@huggingface/gguf`',
                ...node(candidate('huggingFaceGguf.mjs'), setup.npm, data.gguf),
                check: expectTensors(1000),
              },
            ]),
      ],
      cited: [],
      notes: readNote,
      goals(rows) {
        const work = median(rows, 'core', 'workMs');
        const peer = median(rows, 'huggingface', 'workMs');
        return goals([
          work !== null &&
            peer !== null && {
              goal: 'twice as fast as `@huggingface/gguf`, work',
              measured: times(peer / work),
              reached: peer / work >= 2,
            },
        ]);
      },
    },
    {
      id: 'metadata',
      title: 'The index of a distributed save: 60,000 tensors in 24 chunks each',
      text: 'A `.metadata` of 203 MB for 1,440,000 chunks; the data files are sparse.',
      candidates: [
        commandLine(data.distributed, (report) => expectTensors(60_000)({ tensors: reportedTensors(report) })),
        core(data.distributed, expectTensors(60_000)),
        ...(setup.torchPython === null
          ? []
          : [
              {
                id: 'torch',
                label: '`FileSystemReader.read_metadata()` of torch',
                command: setup.torchPython,
                args: [candidate('readMetadata.py'), data.distributed],
                check: expectTensors(60_000),
              },
            ]),
      ],
      cited: [
        {
          label: 'torch 2.15, in the measurement that set the goal',
          workMs: 23_209,
          processMs: 34_856,
          peakMiB: 3568,
          where: elsewhere,
        },
      ],
      notes: readNote,
      goals(rows) {
        const work = median(rows, 'core', 'workMs');
        const peer = median(rows, 'torch', 'workMs');
        const peak = median(rows, 'cli', 'peakBytes');
        return goals([
          work !== null &&
            peer !== null && { goal: '5 times as fast as torch, work', measured: times(peer / work), reached: peer / work >= 5 },
          work !== null &&
            peer !== null && {
              goal: '10 times as fast as torch, work',
              measured: times(peer / work),
              reached: peer / work >= 10,
            },
          peak !== null && {
            goal: 'below 1.5 GB of memory',
            measured: `${count(Math.round(peak / 1e6))} MB`,
            reached: peak < 1.5e9,
          },
        ]);
      },
    },
    {
      id: 'ranks',
      title: 'A DeepSpeed ZeRO-3 save of 1,024 ranks',
      text: 'Two files a rank, 2,048 in all; payloads are sparse.',
      candidates: [
        commandLine(data.ranks, (report) => (report.ranks.length === 1024 ? null : fail(`${report.ranks.length} ranks`))),
        core(data.ranks, () => null),
      ],
      cited: [],
      notes: readNote,
      goals(rows) {
        const work = median(rows, 'core', 'workMs');
        return goals([
          work !== null && { goal: 'below 300 ms of work on a local disk', measured: ms(work), reached: work < 300 },
        ]);
      },
    },
    {
      id: 'listing',
      title: 'A directory of 100,000 files',
      text: 'What a wrong directory costs: empty log files in 100 folders.',
      candidates: [
        commandLine(data.listing, (report) => (report.files.length === 100_000 ? null : fail(`${report.files.length} files`))),
        core(data.listing, () => null),
      ],
      cited: [],
      notes: () => [],
      goals: (rows) => processGoals(rows, 5),
    },
    {
      id: 'repository',
      title: 'A repository of 100,000 files without a checkpoint',
      text: 'Sources, settings, notes, pictures and objects of git in 10,000 folders.',
      candidates: [
        commandLine(data.repository, (report) => (report.files.length === 100_000 ? null : fail(`${report.files.length} files`))),
        core(data.repository, () => null),
      ],
      cited: [],
      notes: () => [],
      goals: (rows) => processGoals(rows, 3),
    },
    ...[
      {
        id: 'run',
        title: 'The saves of a run: 500 checkpoints of 64 files',
        text: 'Names, sizes and times of 32,000 files. Python lists the same and derives nothing.',
        target: data.run,
        runs: 1,
        checkpoints: 500,
        filesOfRuns: 32_000,
        seconds: 2,
      },
      {
        id: 'runs',
        title: '5,000 runs in 100,020 directories',
        text: 'With 19 checkpoints of two files each, below directories of 20 teams.',
        target: data.runs,
        runs: 5_000,
        checkpoints: 95_000,
        filesOfRuns: 190_000,
        seconds: 60,
      },
    ].map(({ id, title, text, target, runs, checkpoints, filesOfRuns, seconds }) => ({
      id,
      title,
      text,
      candidates: [
        {
          id: 'cli',
          label: 'Stowage, command line',
          ...node(setup.cli, 'runs', target, '--json'),
          check: (/** @type {any} */ report) => {
            const found = report.runs.reduce(
              (/** @type {number} */ sum, /** @type {any} */ run) => sum + run.checkpoints.length,
              0,
            );
            return report.runs.length === runs && found === checkpoints
              ? null
              : fail(`${report.runs.length} runs, ${found} checkpoints`);
          },
        },
        ...(setup.python === null
          ? []
          : [
              {
                id: 'scandir',
                label: 'Python (`os.scandir`), sizes and times alone',
                command: setup.python,
                args: [candidate('walkFiles.py'), target],
                check: (/** @type {any} */ { files }) => (files === filesOfRuns ? null : fail(`${files} files`)),
              },
            ]),
      ],
      cited: [],
      notes: () => [],
      goals: (/** @type {import('./table.mjs').Row[]} */ rows) => processGoals(rows, seconds),
    })),
    {
      id: 'header',
      title: 'A file of 16 bytes that declares a header of 500 MiB',
      text: 'What a declared size costs before it is found to be wrong. Every reader has to refuse the file.',
      candidates: [
        commandLine(data.lyingHeader, (report) => (report.findings.length > 0 ? null : fail('no finding'))),
        {
          id: 'core',
          label: 'Stowage, core',
          // A young generation that holds everything, so that growth of the heap is all that was allocated.
          ...node('--min-semi-space-size=64', '--max-semi-space-size=64', setup.core, data.lyingHeader, 'allocations'),
          check: (result) => (result.findings.length > 0 ? null : fail('no finding')),
        },
        ...(setup.python === null
          ? []
          : [
              {
                id: 'rust',
                label: 'safetensors, its Rust reader through Python',
                command: setup.python,
                args: [candidate('safetensorsReader.py'), data.lyingHeader],
                check: expectError,
              },
            ]),
        ...(setup.npm === null
          ? []
          : [
              {
                id: 'huggingface',
                label: 'huggingface.js',
                ...node(
                  candidate('huggingFaceHub.mjs'),
                  setup.npm,
                  path.dirname(data.lyingHeader),
                  path.basename(data.lyingHeader),
                ),
                check: expectError,
              },
            ]),
      ],
      cited: [],
      notes(rows) {
        const run = rows.find(({ id }) => id === 'core')?.last;
        if (!run) return [];
        return [
          `Once its code is loaded, Stowage's core allocates ${count(run.allocatedBytes)} bytes for this file and takes ${ms(run.secondWorkMs)}.`,
        ];
      },
      goals(rows) {
        const run = rows.find(({ id }) => id === 'core')?.last;
        return goals([
          run && {
            goal: 'below 1 MB allocated',
            measured: `${count(run.allocatedBytes)} bytes`,
            reached: run.allocatedBytes < 1e6,
          },
          run && { goal: 'refused in milliseconds', measured: ms(run.workMs), reached: run.workMs < 50 },
        ]);
      },
    },
  ];
}

/** @param {number} tensors */
function expectTensors(tensors) {
  return (/** @type {any} */ result) => {
    if (result.error) fail(result.error);
    if (result.tensors !== tensors) return `lists ${result.tensors} of ${tensors} tensors`;
    return null;
  };
}

/**
 * Goals of a directory without a checkpoint: the command line's time, and 500 MB of memory.
 * @param {Parameters<typeof median>[0]} rows
 * @param {number} maxSeconds
 */
function processGoals(rows, maxSeconds) {
  const process = median(rows, 'cli', 'processMs');
  const peak = median(rows, 'cli', 'peakBytes');
  return goals([
    process !== null && {
      goal: `below ${maxSeconds} s as a process`,
      measured: ms(process),
      reached: process < maxSeconds * 1000,
    },
    peak !== null && { goal: 'below 500 MB of memory', measured: `${count(Math.round(peak / 1e6))} MB`, reached: peak < 500e6 },
  ]);
}

function expectError(/** @type {any} */ result) {
  return result.error ? null : fail('the file was accepted');
}
