/** What the outputs of a cluster's programs give a plan: real ones, those of other versions and machines, and hostile ones. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/core/bytes/limits.js';
import { clusterCommands, commandLine, type ClusterPlace } from '../../../../src/core/planning/cluster/clusterCommands.js';
import { clusterFacts, withClusterFacts } from '../../../../src/core/planning/cluster/clusterFacts.js';
import { gpuIdOf, parseNvidiaSmi } from '../../../../src/core/planning/cluster/gpuOutput.js';
import { parseKillWait, parsePartitions, parseSinfo, slurmSeconds } from '../../../../src/core/planning/cluster/slurmOutput.js';
import { parseDf, parseLfsDf } from '../../../../src/core/planning/cluster/storageOutput.js';
import { documentOfPreset, presetOf } from '../../../../src/core/planning/inputs/presets.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { planDocument } from '../../../builders/randomPlan.js';
import { runs } from '../../../builders/seed.js';

const output = (name: string): string => readFileSync(path.resolve('test/fixtures/cluster', name), 'utf8');
const place: ClusterPlace = { system: 'linux', userId: 1000, directory: '/scratch/runs' };
const outputs = {
  nodes: output('sinfo.txt'),
  partitions: output('partition.txt'),
  slurm: output('config.txt'),
  gpus: output('nvidia-smi.txt'),
  room: output('df.txt'),
  lustre: output('lfs-df.txt'),
  quota: output('lfs-quota.txt'),
};
const KiB = 1024;

describe('the commands', () => {
  it('are fixed but for the directory and the user, and are shown as one would type them', () => {
    expect(clusterCommands(place).map(commandLine)).toEqual([
      "sinfo --noheader '--format=%R|%D|%G|%m|%l|%a'",
      'scontrol show partition --oneliner',
      'scontrol show config',
      'nvidia-smi --query-gpu=name,memory.total,power.limit --format=csv,noheader,nounits',
      'df -P -T -k /scratch/runs',
      'lfs df /scratch/runs',
      'lfs quota -q -u 1000 /scratch/runs',
    ]);
    expect(clusterCommands({ system: 'macos', userId: null, directory: '/a b' }).map(commandLine).slice(4)).toEqual([
      "df -P -k '/a b'",
      "lfs df '/a b'",
    ]);
    expect(clusterCommands({ ...place, directory: null })).toHaveLength(4);
    expect(commandLine({ program: 'df', args: ["/it's"] })).toBe(String.raw`df '/it'\''s'`);
  });
});

describe('a cluster', () => {
  it('gives the nodes, GPUs, times and room of the default partition, each with its command', () => {
    const { inputs, origins, problems } = clusterFacts(outputs, place, null);
    expect(inputs).toEqual({
      gpus: 16,
      gpusPerNode: 8,
      gpu: 'a100',
      hostMemoryBytes: 2_051_000 * 2 ** 20,
      walltimeSeconds: 2 * 86_400,
      graceSeconds: 120,
      deviceMemoryBytes: 81_920 * 2 ** 20,
      gpuWatts: 400,
      store: 'lustre',
      storeCapacityBytes: 21_484_375_000 * KiB,
      storeUsedBytes: 11_718_750_000 * KiB,
    });
    expect(problems).toEqual([]);
    expect(origins.gpus).toEqual({ kind: 'read', text: 'sinfo, partition gpu' });
    expect(origins.graceSeconds).toEqual({ kind: 'read', text: 'scontrol show partition, gpu' });
    expect(origins.deviceMemoryBytes).toEqual({ kind: 'measured', text: 'nvidia-smi' });
    expect(origins.storeCapacityBytes).toEqual({ kind: 'measured', text: 'lfs quota' });
  });

  it('has other partitions, by their names', () => {
    // Preempted without a grace period: Slurm's own time from SIGTERM to SIGKILL is left.
    expect(clusterFacts(outputs, place, 'urgent').inputs).toMatchObject({ walltimeSeconds: 4 * 3600, graceSeconds: 60 });
    const cpu = clusterFacts({ ...outputs, gpus: null }, place, 'cpu').inputs;
    expect(cpu).not.toHaveProperty('gpus');
    expect(cpu).not.toHaveProperty('walltimeSeconds');
    expect(clusterFacts(outputs, place, 'no such').problems).toEqual([
      { key: 'partition', text: 'no such is none that Slurm lists' },
    ]);
  });

  it('may have some of the programs alone, or none', () => {
    expect(clusterFacts({}, place, null)).toEqual({ inputs: {}, origins: {}, problems: [] });
    expect(clusterFacts({ gpus: outputs.gpus, nodes: null }, place, null).inputs).toEqual({
      gpu: 'a100',
      gpusPerNode: 8,
      deviceMemoryBytes: 81_920 * 2 ** 20,
      gpuWatts: 400,
    });
    expect(clusterFacts({ room: outputs.room }, place, null).inputs).toEqual({
      store: 'lustre',
      storeCapacityBytes: 97_656_250_000 * KiB,
      storeUsedBytes: 58_593_750_000 * KiB,
    });
    expect(clusterFacts({ ...outputs, quota: null }, { ...place, directory: null }, null).inputs).not.toHaveProperty('store');
  });

  it('says that a disk of the machine is no shared storage', () => {
    const room = 'Filesystem Type 1024-blocks Used Available Capacity Mounted on\n/dev/sda1 ext4 100000 1 99999 1% /\n';
    const { inputs, problems } = clusterFacts({ room }, place, null);
    expect(inputs).toEqual({});
    expect(problems).toEqual([
      { key: '/scratch/runs', text: 'is on ext4, which is no shared storage that plans know: nothing of it is taken' },
    ]);
  });
});

describe('a plan', () => {
  const facts = clusterFacts(outputs, place, null);

  it('keeps what it has itself, and a smaller job than the partition', () => {
    const set = { ...planDocument({ gpus: 8, hostMemoryBytes: 1e12 }), origins: { gpus: { kind: 'set', text: '' } as const } };
    expect(withClusterFacts(set, facts).inputs).toMatchObject({
      gpus: 8,
      hostMemoryBytes: 1e12,
      gpusPerNode: 8,
      store: 'lustre',
    });
    const preset = documentOfPreset(presetOf('7b') ?? expect.fail('7b'));
    const small = { ...preset, inputs: { ...preset.inputs, gpus: 4 } };
    expect(withClusterFacts(small, facts).inputs.gpus).toBe(4);
  });

  it('of a preset is for the cluster that there is, and works there', () => {
    const document = withClusterFacts(documentOfPreset(presetOf('70b') ?? expect.fail('70b')), facts);
    expect(document.inputs).toMatchObject({ gpus: 16, parameters: 70_553_706_496 });
    expect(document.inputs).not.toHaveProperty('tensorParallel');
    expect(document.origins.gpus).toEqual({ kind: 'read', text: 'sinfo, partition gpu' });
    expect(makePlan(document).blockers).toEqual([]);
  });
});

describe('Slurm', () => {
  it('counts generic resources of several kinds and forms', () => {
    const gpusOf = (gres: string) => {
      const [kind] = parseSinfo(`p|4|${gres}|1000|1:00|up`);
      return [kind?.gpus, kind?.gpuType];
    };
    expect(gpusOf('gpu:a100:8(S:0-1)')).toEqual([8, 'a100']);
    expect(gpusOf('gpu:8')).toEqual([8, '']);
    expect(gpusOf('gpu:nvidia_h100_80gb_hbm3:4(S:0,2-7),mps:400(S:0,2-7)')).toEqual([4, 'nvidia_h100_80gb_hbm3']);
    expect(gpusOf('gpu:v100:2,gpu:a100:6')).toEqual([6, 'a100']);
    expect(gpusOf('craynetwork:4')).toEqual([0, '']);
    expect(gpusOf('(null)')).toEqual([0, '']);
    expect(parseSinfo('p*|2|(null)|2048+|1:00|down')).toEqual([
      { partition: 'p', nodes: 2, gpus: 0, gpuType: '', memoryBytes: 2 ** 31, walltimeSeconds: 60, isUp: false },
    ]);
  });

  it.each([
    ['2-00:00:00', 172_800],
    ['1-12', 129_600],
    ['04:00:00', 14_400],
    ['30:00', 1800],
    ['90', 5400],
    ['UNLIMITED', null],
    ['infinite', null],
    ['NONE', null],
    ['-1', null],
    ['1:2:3:4', null],
    ['', null],
  ])('writes %s for %s seconds', (text, seconds) => expect(slurmSeconds(text)).toBe(seconds));

  it('preempts with a grace period where it is set to', () => {
    const [off] = parsePartitions('PartitionName=a Default=NO GraceTime=300 MaxTime=10:00 PreemptMode=OFF\n');
    expect(off).toEqual({ name: 'a', isDefault: false, walltimeSeconds: 600, graceSeconds: null });
    expect(parsePartitions('PartitionName=a GraceTime=300 PreemptMode=GANG,SUSPEND')[0]?.graceSeconds).toBe(300);
    expect(parseKillWait(outputs.slurm)).toBe(60);
    expect(parseKillWait('KillWait = 30 sec\r\n')).toBe(30);
    expect(parseKillWait('KillOnBadExit = 0')).toBeNull();
  });
});

describe('nvidia-smi', () => {
  it('names GPUs, of several kinds those that there are most of', () => {
    expect(
      parseNvidiaSmi('NVIDIA H100 80GB HBM3, 81559, 700.00\nNVIDIA T400, 2048, [N/A]\nNVIDIA H100 80GB HBM3, 81559, 700.00'),
    ).toEqual({
      name: 'NVIDIA H100 80GB HBM3',
      count: 2,
      memoryBytes: 81_559 * 2 ** 20,
      watts: 700,
    });
    expect(parseNvidiaSmi('Tesla V100-SXM2-32GB, 32768, [Not Supported]')).toMatchObject({ count: 1, watts: null });
    expect(parseNvidiaSmi('NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver.')).toBeNull();
    expect(parseNvidiaSmi('No devices were found')).toBeNull();
  });

  it.each([
    ['NVIDIA A100-SXM4-80GB', 85.9e9, 'a100'],
    ['NVIDIA A100-SXM4-40GB', 42.9e9, 'a100-40'],
    ['NVIDIA A100-PCIE-40GB', null, 'a100-40'],
    ['a100', null, 'a100'],
    ['NVIDIA H100 80GB HBM3', 85.5e9, 'h100'],
    ['nvidia_h100_80gb_hbm3', null, 'h100'],
    ['NVIDIA H200', 150e9, 'h200'],
    ['NVIDIA GB200', 190e9, 'gb200'],
    ['NVIDIA L40S', 48.3e9, 'l40s'],
    ['NVIDIA GeForce RTX 4090', 25.7e9, 'rtx4090'],
    ['Tesla V100-SXM2-16GB', 17e9, null],
    ['NVIDIA A100-SXM4-40GB MIG 1g.5gb', 5e9, null],
    ['1g.10gb', null, null],
    ['NVIDIA T400', 2e9, null],
    ['', null, null],
  ] as const)('takes %s for a GPU of the table', (name, memoryBytes, id) => expect(gpuIdOf(name, memoryBytes)).toBe(id));
});

describe('df and lfs', () => {
  it('are read whatever the language of their heads, and with spaces in names', () => {
    const french =
      'Sys. de fichiers Type blocs de 1024 Utilisé Disponible Capacité Monté sur\nserver:/data/my lab nfs4  2000  500  1500  25% /data/my lab\n';
    expect(parseDf(french, true)).toEqual({ type: 'nfs4', sizeBytes: 2000 * KiB, usedBytes: 500 * KiB });
    const macos =
      'Filesystem   1024-blocks      Used Available Capacity  Mounted on\nserver:/data  1000  10  990     1%    /Volumes/data\n';
    expect(parseDf(macos, false)).toEqual({ type: null, sizeBytes: 1000 * KiB, usedBytes: 10 * KiB });
    expect(parseDf('df: /scratch: No such file or directory\n', true)).toBeNull();
    expect(parseDf('Filesystem Type 1024-blocks Used Available Capacity Mounted on\nproc proc 0 0 0 - /proc\n', true)).toBeNull();
  });

  it('of Lustre sum the targets of data', () => {
    expect(parseLfsDf(outputs.lustre)).toEqual({
      type: 'lustre',
      sizeBytes: 97_656_250_000 * KiB,
      usedBytes: 58_593_750_000 * KiB,
    });
    expect(parseLfsDf('filesystem summary:  1000 10 990 1% /old')).toMatchObject({ sizeBytes: 1000 * KiB });
    expect(parseLfsDf("error: df: '/x' is not a Lustre file system\n")).toBeNull();
  });
});

describe('hostile outputs', () => {
  it('never throw, and what is out of an input’s limits is not taken', () => {
    const huge = '9'.repeat(15);
    const { inputs, problems } = clusterFacts(
      { nodes: `p|${huge}|gpu:a100:8|${huge}|1:00|up`, partitions: 'PartitionName=p Default=YES MaxTime=99999-00:00:00' },
      place,
      null,
    );
    expect(inputs).not.toHaveProperty('gpus');
    expect(problems.map(({ text }) => text)).toContain('gpus must be at most 10000000');
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...Object.values(outputs)).chain((real) => fc.mixedCase(fc.constant(real))),
    );
    fc.assert(
      fc.property(fc.record(Object.fromEntries(Object.keys(outputs).map((key) => [key, text]))), (any) => {
        const facts = clusterFacts(any, place, null);
        expect(Object.keys(facts.origins).sort()).toEqual(Object.keys(facts.inputs).sort());
        makePlan(withClusterFacts(planDocument({}), facts));
      }),
      runs(60),
    );
  });

  it(`have ${limits.clusterLines} lines that are read (clusterLines)`, () => {
    const line = 'p|1|gpu:a100:8|1000|1:00|up\n';
    expect(parseSinfo(line.repeat(limits.clusterLines + 5))).toHaveLength(limits.clusterLines);
    const gpu = 'NVIDIA H100 80GB HBM3, 81559, 700.00\n';
    expect(parseNvidiaSmi(gpu.repeat(limits.clusterLines + 5))?.count).toBe(limits.clusterLines);
  });

  it('take no time out of proportion', () => {
    // Long runs of what the patterns repeat: a regular expression that goes back and forth would not end.
    for (const bad of [
      ' '.repeat(2e5),
      'a '.repeat(1e5),
      '1 '.repeat(1e5),
      ','.repeat(2e5),
      `${'x='.repeat(1e5)}`,
      'gpu:'.repeat(5e4),
    ])
      clusterFacts(
        { nodes: `p|1|${bad}|1|1|up`, partitions: bad, slurm: bad, gpus: bad, room: `\n${bad}`, lustre: bad, quota: bad },
        place,
        null,
      );
  });
});
