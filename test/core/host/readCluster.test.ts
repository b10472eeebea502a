/** Reading a cluster's facts in the editor: the commands are shown first, and nothing runs without a yes or in Restricted Mode. */
import { beforeEach, describe, expect, it } from 'vitest';
import { readCluster } from '../../../src/host/plan/readCluster.js';
import type { ClusterReader } from '../../../src/platform/clusterReader.js';
import { FakeUri, standIn } from '../../builders/vscodeStandIn.js';

const plan = standIn.write('file:/scratch/runs/a.stowage-plan.json', '{}');
let ran: string[] = [];
let asked: (string | null)[] = [];
const reader: ClusterReader = {
  place: (directory) => {
    asked.push(directory);
    return { system: 'linux', userId: 7, directory };
  },
  run: (commands) => {
    ran = commands.map(({ program }) => program);
    return Promise.resolve({ nodes: 'gpu|1|gpu:8|1000|1:00|up' });
  },
};

beforeEach(() => {
  standIn.reset();
  ran = [];
  asked = [];
});

describe('the facts of a cluster', () => {
  it('are read once that is confirmed, for the folder of the plan', async () => {
    standIn.answer = 'Run';
    expect(await readCluster(reader, plan)).toEqual({
      place: { system: 'linux', userId: 7, directory: '/scratch/runs' },
      outputs: { nodes: 'gpu|1|gpu:8|1000|1:00|up' },
    });
    expect(ran).toEqual(['sinfo', 'scontrol', 'scontrol', 'nvidia-smi', 'df', 'lfs', 'lfs']);
    expect(standIn.messages[0]).toMatchObject({ text: 'Run these commands? They read, and change nothing.', items: ['Run'] });
    expect(standIn.messages[0]?.detail).toContain('\nlfs quota -q -u 7 /scratch/runs');
  });

  it('are not read where the question is closed', async () => {
    expect(await readCluster(reader, plan)).toBeNull();
    expect(standIn.messages).toHaveLength(1);
    expect(ran).toEqual([]);
  });

  it('are not read in Restricted Mode, and nothing is asked', async () => {
    standIn.isTrusted = false;
    standIn.answer = 'Run';
    expect(await readCluster(reader, plan)).toBeNull();
    expect(standIn.messages).toMatchObject([{ text: 'Reading the cluster runs programs, so it needs a trusted workspace.' }]);
    expect([ran, asked]).toEqual([[], []]);
  });

  it('are not read where no programs run', async () => {
    standIn.answer = 'Run';
    for (const none of [null, { ...reader, place: () => null }]) expect(await readCluster(none, plan)).toBeNull();
    expect(standIn.messages.map(({ text }) => text)).toEqual(Array(2).fill(expect.stringContaining('run on Linux and macOS')));
    expect(ran).toEqual([]);
  });

  it('of a plan without a file are of the folder of the workspace, or of none', async () => {
    standIn.answer = 'Run';
    const untitled = FakeUri.parse('untitled:/a.stowage-plan.json') as unknown as typeof plan;
    await readCluster(reader, untitled);
    standIn.folder = { uri: FakeUri.parse('file:/data/project'), name: 'project', index: 0 };
    await readCluster(reader, untitled);
    await readCluster(reader, FakeUri.parse('vscode-vfs://github/a/b.stowage-plan.json') as unknown as typeof plan);
    expect(asked).toEqual([null, '/data/project', null]);
  });
});
