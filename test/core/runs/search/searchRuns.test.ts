/** Runs are found wherever they are below a directory, each once, and nothing else is. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/core/bytes/limits.js';
import { FormatError } from '../../../../src/core/bytes/formatError.js';
import type { FileEntry } from '../../../../src/core/files/fileTree.js';
import type { Folders } from '../../../../src/core/files/folders.js';
import { listedFolders } from '../../../../src/core/files/listedFolders.js';
import { searchRuns, type FoundRuns } from '../../../../src/core/runs/search/searchRuns.js';

const hourMs = 3_600_000;

function checkpoint(path: string, hours = 1): FileEntry[] {
  return ['model.safetensors', 'optimizer.pt', 'scheduler.pt', 'trainer_state.json'].map((name) => ({
    path: `${path}/${name}`,
    sizeBytes: 1000,
    allocatedBytes: 4096,
    modifiedMs: hours * hourMs,
  }));
}

const run = (path: string, steps = [100, 200, 300]): FileEntry[] =>
  steps.flatMap((step) => checkpoint(path === '' ? `checkpoint-${step}` : `${path}/checkpoint-${step}`, step));

function foldersOf(entries: FileEntry[], unreadable: string[] = []): Folders {
  const errors = unreadable.map((path) => ({ path, detail: 'permission denied' }));
  return listedFolders({
    rootName: 'scratch',
    list: () => Promise.resolve({ entries, errors, truncated: false }),
    open: () => Promise.reject(new Error('a listing alone')),
  });
}

const search = (entries: FileEntry[]): Promise<FoundRuns> => searchRuns(foldersOf(entries));
const found = async (entries: FileEntry[]): Promise<[string, number][]> =>
  (await search(entries)).runs.map(({ path, checkpoints }) => [path, checkpoints.length]);

describe('runs below a directory', () => {
  it('are found at any depth, with paths from there', async () => {
    const { runs, coverage } = await search([...run('home/ann/llm/exp/7/out'), ...run('shared/run')]);
    expect(runs.map(({ path }) => path)).toEqual(['home/ann/llm/exp/7/out', 'shared/run']);
    expect(runs[0]?.checkpoints[0]?.path).toBe('home/ann/llm/exp/7/out/checkpoint-100');
    expect(runs[0]?.newest).toBe('home/ann/llm/exp/7/out/checkpoint-300');
    expect(coverage).toMatchObject({ files: 24, isWhole: true, unreadable: [] });
  });

  it('are not models in directories that are called after years, unless they have state of training', async () => {
    const years = (name: string) =>
      [2023, 2024, 2025].map((year) => ({ path: `models/${year}/${name}`, sizeBytes: 10, modifiedMs: 1 }));
    expect(await found(years('model.safetensors'))).toEqual([]);
    expect(await found([...years('model.safetensors'), ...years('optimizer.pt')])).toEqual([['models', 3]]);
  });

  it('are the directory itself, or one that has saved once', async () => {
    expect(await found(run(''))).toEqual([['', 3]]);
    const saved = ['mp_rank_00_model_states.pt', 'zero_pp_rank_0_mp_rank_00_optim_states.pt'];
    const once = saved.map((name) => ({ path: `a/global_step5/${name}`, sizeBytes: 10, modifiedMs: 1 }));
    expect(await found([...once, { path: 'a/latest', sizeBytes: 12, modifiedMs: 1 }])).toEqual([['a', 1]]);
  });

  it('are no directory within a checkpoint that is called after a step', async () => {
    const deepspeed = ['mp_rank_00_model_states.pt', 'zero_pp_rank_0_mp_rank_00_optim_states.pt'].map((name) => ({
      path: `checkpoint-100/global_step100/${name}`,
      sizeBytes: 10,
      modifiedMs: 1,
    }));
    expect(await found([...run(''), ...deepspeed])).toEqual([['', 3]]);
    expect(await found(deepspeed.map((entry) => ({ ...entry, path: entry.path.slice('checkpoint-100/'.length) })))).toEqual([
      ['', 1],
    ]);
  });

  it('are those below years and days, whatever these are called', async () => {
    const entries = [...run('2026/11/27/a'), ...run('20261126/b'), { path: '2026/notes.txt', sizeBytes: 1, modifiedMs: 1 }];
    expect(await found(entries)).toEqual([
      ['2026/11/27/a', 3],
      ['20261126/b', 3],
    ]);
  });

  it('are beside others, and below a directory with checkpoints of its own', async () => {
    const entries = [...run('exp'), ...run('exp/ablation'), ...run('exp/step_ablations/small')];
    expect(await found(entries)).toEqual([
      ['exp', 3],
      ['exp/ablation', 3],
      ['exp/step_ablations/small', 3],
    ]);
  });

  it('are single files of Lightning, two at least', async () => {
    const files = (count: number): FileEntry[] =>
      [1, 2, 3].slice(0, count).map((epoch) => ({
        path: `logs/version_0/checkpoints/epoch=${epoch}-step=${epoch * 10}.ckpt`,
        sizeBytes: 10,
        modifiedMs: epoch,
      }));
    expect(await found(files(2))).toEqual([['logs/version_0/checkpoints', 2]]);
    expect(await found(files(1))).toEqual([]);
  });

  it('have the model that the trainer left in their own directory', async () => {
    const model = ['config.json', 'model.safetensors'].map((name) => ({
      path: `a/b/${name}`,
      sizeBytes: 500,
      modifiedMs: 9e9,
    }));
    const [own] = (await search([...run('a/b'), ...model])).runs;
    expect(own?.checkpoints.map(({ path }) => path)).toContain('a/b');
    expect(own?.bytes).toBe(13_000);
  });

  it('are not looked for in packages, object databases, and what this program keeps', async () => {
    const places = ['.git/objects', 'node_modules/x', '.venv/lib', '.stowage/trash'];
    expect(await found(places.flatMap((place) => run(place)))).toEqual([]);
  });

  it('are no directories of data with numbers for names', async () => {
    const shards = Array.from({ length: 20 }, (_, index) => ({ path: `laion/${index}/part.txt`, sizeBytes: 1, modifiedMs: 1 }));
    expect(await found(shards)).toEqual([]);
    expect(await found(shards.map((entry) => ({ ...entry, path: entry.path.replace('part.txt', 'data.bin') })))).toEqual([]);
  });
});

describe('what was searched', () => {
  it('has the directories that could not be listed', async () => {
    const { coverage, runs } = await searchRuns(foldersOf(run('a'), ['b/secret', 'a/checkpoint-400']));
    expect(runs).toHaveLength(1);
    expect(coverage.isWhole).toBe(false);
    expect([...coverage.unreadable].sort()).toEqual(['a/checkpoint-400', 'b/secret']);
  });

  it('counts a file with several names once on the disk, in whichever runs they are', async () => {
    const linked = (path: string): FileEntry[] =>
      run(path).map((entry) => ({ ...entry, fileId: `1:${entry.path.split('/').slice(1).join('/')}`, links: 2 }));
    const { runs } = await search([...linked('a'), ...linked('b')]);
    expect(runs.map(({ bytes }) => bytes)).toEqual([12_000, 12_000]);
    expect(runs.map(({ allocatedBytes }) => allocatedBytes)).toEqual([12 * 4096, 0]);
  });

  it('times a save by the files that it wrote, and no names of earlier ones', async () => {
    const files = (step: number, hours: number): FileEntry[] => [
      { path: `checkpoint-${step}/optimizer.pt`, sizeBytes: 1e9, modifiedMs: hours * hourMs, createdMs: hours * hourMs - 10_000 },
      {
        path: `checkpoint-${step}/model.safetensors`,
        sizeBytes: 1e9,
        modifiedMs: hourMs,
        createdMs: hourMs - 10_000,
        fileId: '1:1',
        links: 3,
      },
    ];
    const { runs } = await search([...files(10, 1), ...files(20, 2), ...files(30, 3)]);
    expect(runs[0]?.checkpoints.map(({ startedMs, finishedMs }) => ((finishedMs ?? 0) - (startedMs ?? 0)) / 1000)).toEqual([
      10, 10, 10,
    ]);
    expect(runs[0]?.checkpoints.map(({ writtenBytes }) => writtenBytes)).toEqual([2e9, 1e9, 1e9]);
  });

  it('times a save by files of its own time', async () => {
    const files = (step: number, hours: number): FileEntry[] => [
      ...['a.pt', 'optimizer.pt'].map((name, index) => ({
        path: `checkpoint-${step}/${name}`,
        sizeBytes: 1e9,
        modifiedMs: hours * hourMs + index * 50_000,
      })),
      { path: `checkpoint-${step}/tokenizer.json`, sizeBytes: 1e6, modifiedMs: -200 * 24 * hourMs },
    ];
    const entries = [...files(10, 1), ...files(20, 2), ...files(30, 3)];
    const touched = entries.map((entry) =>
      entry.path === 'checkpoint-10/tokenizer.json' ? { ...entry, modifiedMs: 900 * hourMs } : entry,
    );
    for (const given of [entries, touched]) {
      const [run] = (await search(given)).runs;
      expect(run?.save.medianSeconds).toBeCloseTo(100, 0);
      expect(run?.intervals.medianSeconds).toBe(3600);
    }
  });

  it('times a save by its latest rank, however late that is', async () => {
    const files = (step: number, hours: number, lateMs = 0): FileEntry[] =>
      Array.from({ length: 16 }, (_, rank) =>
        [0, 1].map((part): FileEntry => ({
          path: `step-${step}/__${rank}_${part}.distcp`,
          sizeBytes: 1e9,
          modifiedMs: hours * hourMs + part * 60_000 + (rank === 3 ? lateMs : 0),
        })),
      )
        .flat()
        .concat({ path: `step-${step}/.metadata`, sizeBytes: 100, modifiedMs: hours * hourMs + 60_000 + lateMs });
    const [own] = (await search([...files(10, 1), ...files(20, 2, 1.5 * hourMs), ...files(30, 3), ...files(40, 4)])).runs;
    expect(own?.checkpoints.map(({ lateRanks }) => lateRanks.map(({ rank }) => rank))).toEqual([[], ['3'], [], []]);
  });

  it('says nothing of times that are still to come', async () => {
    const { runs } = await searchRuns(foldersOf(run('a')), { nowMs: 150 * hourMs });
    expect(runs[0]).toMatchObject({ timesLost: 'future', save: { medianSeconds: null } });
  });

  it('fails where the directory itself cannot be listed', async () => {
    await expect(searchRuns(foldersOf([], ['']))).rejects.toThrow('permission denied');
  });

  it('ends at limits.searchedFolders and at limits.searchedCheckpoints', async () => {
    const folders = foldersOf(['a', 'b', 'c', 'd'].flatMap((name) => run(name)));
    const few = await searchRuns(folders, { bounds: { ...limits, searchedFolders: 3 } });
    expect(few.coverage).toMatchObject({ directories: 3, isWhole: false });
    expect(few.runs.map(({ path }) => path)).toEqual(['a', 'b']);
    // What is asked for at once is not taken back.
    const levels = foldersOf([...run('a'), ...run('b/c/d')]);
    const first = await searchRuns(levels, { bounds: { ...limits, searchedCheckpoints: 1 } });
    expect(first.coverage.isWhole).toBe(false);
    expect(first.runs.map(({ path }) => path)).toEqual(['a']);
  });

  it('asks for limits.concurrentFolders at once', async () => {
    const own = foldersOf(Array.from({ length: 50 }, (_, index) => run(`d${index}`, [1])).flat());
    let most = 0;
    let underWay = 0;
    const counted: Folders = {
      ...own,
      async names(folder, signal) {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
        return own.names(folder, signal);
      },
    };
    expect((await searchRuns(counted)).runs).toHaveLength(50);
    expect(most).toBe(limits.concurrentFolders);
  });

  it('ends at limits.listedDepth', async () => {
    const deep = Array.from({ length: limits.listedDepth + 5 }, (_, index) => `d${index}`).join('/');
    const { runs, coverage } = await search(run(deep));
    expect(runs).toEqual([]);
    expect(coverage.isWhole).toBe(false);
  });

  it('ends when it is cancelled', async () => {
    const stopped = AbortSignal.abort();
    await expect(searchRuns(foldersOf(run('a')), { signal: stopped })).rejects.toSatisfy(
      (error) => FormatError.is(error) && error.code === 'cancelled',
    );
  });
});
