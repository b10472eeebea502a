/** What practitioners and vendors say of keeping, tiers, data and memory, and what a plan's page answers to each. */
import { describe, expect, it } from 'vitest';
import { documentOfPreset, presetOf } from '../../../src/core/planning/inputs/presets.js';
import type { PlanDocument } from '../../../src/core/planning/inputs/planDocument.js';
import type { PlanInputs } from '../../../src/core/planning/inputs/planInputs.js';
import { makePlan } from '../../../src/core/planning/storagePlan.js';
import { planPage } from '../../../src/core/pages/plan/planPage.js';
import type { PlanSection, SectionId } from '../../../src/core/pages/plan/planSection.js';
import { textsIn } from '../../builders/planTexts.js';

const day = 86_400;

function section(id: SectionId, inputs: Partial<PlanInputs>, rest: Partial<PlanDocument> = {}): PlanSection {
  const document: PlanDocument = { name: 'claim', inputs, origins: {}, measured: [], saved: [], ...rest };
  const found = planPage(makePlan(document), document).sections.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no section ${id}`);
  return found;
}

const wordsOf = (found: PlanSection) => textsIn(found).join('\n');
const says = ({ amount, text, detail }: PlanSection['lead']) => `${amount} ${text} ${detail}`;
const cells = (found: PlanSection, table: string) => found.tables.find(({ id }) => id === table)?.rows ?? [];
const row = (found: PlanSection, table: string, first: string) =>
  cells(found, table).find(([cell]) => cell?.startsWith(first)) ?? [];

describe('data', () => {
  it('tokenized English is O(4) bytes a token, a few TB per trillion tokens', () => {
    const found = section('data', { tokens: 1e12, bytesPerToken: 4 });
    expect(says(found.more[1] ?? found.lead)).toContain('4 TB hold 1 trillion tokens');
    expect(says(found.more[1] ?? found.lead)).toContain('with 2 bytes a token: 2 TB');
    expect(wordsOf(found)).toContain('right for int32 token files: 4 TB a trillion. uint16 takes half');
    expect(row(found, 'dataset-forms', 'raw English')[1]).toBe('4.4');
  });

  it('random reads by shuffling and prefetch: reads count, bandwidth does not', () => {
    const found = section('data', { ...presetOf('405b')?.inputs });
    expect(found.lead.amount).toBe('10.8 MB/s');
    expect(says(found.lead)).toContain('feeds all 16,384 GPUs');
    expect(says(found.lead)).toContain('Bandwidth is not what limits');
    expect(says(found.more[0] ?? found.lead)).toContain('329 reads a second');
    expect(says(found.more[0] ?? found.lead)).toContain('Read ahead');
  });
});

describe('retention', () => {
  const run: Partial<PlanInputs> = { parameters: 70e9, checkpointBytes: 560e9, intervalSeconds: 900, runSeconds: 90 * day };

  it('70B every 15 min for 3 months: 4.8 PB before clean-up, 100 to 500 TB active', () => {
    const found = section('retention', { ...run, keepEvery: 24, copies: 1 });
    expect(found.lead.amount).toBe('4.84 PB');
    expect(says(found.lead)).toContain('are saved in 90 days');
    expect(found.lead.derivation?.steps.join(' ')).toContain('4,838,400,000,000,000 B');
    // Rarer saves train more, which is what the rest of the page is about.
    expect(found.more[0]?.amount).toBe('335 TB');
    expect(found.more[0]?.text).toMatch(/^would be saved with a save every [\d.]+ hours, as advised; /);
    const { retention } = makePlan({ inputs: { ...run, keepEvery: 24, copies: 1 }, measured: [], saved: [] });
    expect(retention.residentBytes).toBeGreaterThan(100e12);
    expect(retention.residentBytes).toBeLessThan(500e12);
    expect(found.charts[0]?.id).toBe('resident-bytes');
  });

  it('BLOOM: 12 full and 40 of the weights of 720 saves', () => {
    const found = section('retention', {
      parameters: 176_247_271_424,
      checkpointBytes: 2.3e12,
      intervalSeconds: 3 * 3600,
      runSeconds: 90 * day,
      keepLast: 0,
      keepEvery: 60,
      exportEvery: 18,
      objectStore: 'none',
    });
    expect(found.lead.amount).toBe('1.66 PB');
    expect(says(found.lead)).toContain('720 saves');
    expect(says(found.more[0] ?? found.lead)).toContain('12 for ever and 40 exports of the weights');
    expect(found.more[0]?.amount).toBe('41.7 TB');
  });

  it('golden checkpoints in 3 or more places; legal holds; verify before deleting; a delay; write protection', () => {
    const words = wordsOf(section('retention', { ...run, milestones: 2, legalHolds: 1, copies: 3, secondRegion: true }));
    expect(words).toContain('three places or more');
    expect(words).toContain('2 milestones');
    expect(words).toContain('1 under legal hold');
    expect(words).toContain('adds a delete marker');
    expect(words).toContain('verify size and checksum of every shard');
    expect(words).toContain('rename to a trash folder; wait; then purge');
    expect(words).toContain('read-only');
    expect(words).toContain('Never delete the newest complete one');
    expect(words).toContain('`find -mtime +30 -delete`');
    const tiers = wordsOf(section('tiers', { ...run, milestones: 2, copies: 3, objectStore: 'none' }));
    expect(tiers).toContain('3 copies of what stays are wanted, and the plan has 1 place for them');
  });

  it('frameworks’ own policies are listed', () => {
    const words = wordsOf(section('retention', run));
    for (const name of ['save_total_limit', 'keep_latest_k', 'most_recent_k', 'preservation_policy'])
      expect(words).toContain(name);
  });

  it('what a policy would do to a run that there is', () => {
    const saved = [100, 200, 300, 400].map((step) => ({
      path: `checkpoint-${step}`,
      step,
      bytes: 560e9,
      savedAtSeconds: null,
      isFinished: step < 400,
      isLatest: step === 300,
    }));
    const found = section('retention', { ...run, keepLast: 2 }, { saved });
    expect(wordsOf(found)).toContain('560 GB');
    expect(cells(found, 'deletion').map(([path, , , verdict]) => `${path} ${verdict}`)).toEqual([
      'checkpoint-100 drop',
      'checkpoint-200 keep',
      'checkpoint-300 keep',
      'checkpoint-400 keep',
    ]);
  });
});

describe('tiers', () => {
  const large = { ...presetOf('405b')?.inputs, saveMode: 'multi-level', keepEvery: 48, secondRegion: true } as const;

  it('a parallel file system is hot, an object store durable, and a second region takes what must not be lost', () => {
    const found = section('tiers', large);
    expect(wordsOf(found)).toContain(
      'A parallel file system for what is hot, an object store for what must last, a second region',
    );
    expect(cells(found, 'tiers').map(([name]) => name)).toEqual([
      'Host memory',
      'Neighbour’s memory',
      'Node-local NVMe',
      'Lustre',
      'S3 Standard',
      'S3 Standard, second region',
    ]);
    expect(wordsOf(found)).toContain('of egress over the run');
  });

  it('memory, a neighbour, then an object store (Nebula); HDFS (MegaScale)', () => {
    const words = wordsOf(section('tiers', large));
    for (const name of ['GEMINI', 'Nebula', 'MegaScale']) expect(words).toContain(name);
  });

  it('every store that is named has a row, with reasons for and against, and a source', () => {
    const found = section('tiers', large);
    const names = [
      'Lustre',
      'WEKA',
      'IBM Storage Scale (GPFS)',
      'DAOS',
      'VAST',
      'BeeGFS',
      'HDFS',
      'CephFS',
      'Ceph Object Gateway',
      'MinIO',
      'S3 Standard',
      'S3 Express',
      'Google Cloud Storage',
      'Azure Blob Storage',
      'Amazon FSx',
      'Amazon EBS',
      'NFS',
      'Node-local NVMe',
      'Host memory',
      'Neighbour’s NVMe',
      'DDN EXAScaler',
      'Dell PowerScale',
      'Pure Storage FlashBlade',
      '3FS',
      'Amazon EFS',
      'Google Cloud Filestore',
      'Azure Managed Lustre',
      'GPU-direct storage',
      'Archive',
    ];
    for (const name of names) {
      const judged = row(found, 'guidance', name);
      expect(judged[5], `${name}: for`).not.toBe('');
      expect(judged[6], `${name}: against`).not.toBe('');
      expect(row(found, 'systems', name).at(-1), `${name}: source`).toMatch(/20\d\d/);
    }
    expect(cells(found, 'guidance')).toHaveLength(33);
  });

  it('bandwidth of managed Lustre is bought with capacity', () => {
    const found = section('tiers', { ...large, store: 'fsx-lustre' });
    expect(says(found.lead)).toContain(
      'to buy on Amazon FSx for Lustre at 1 GB/s for each TiB: the bandwidth decides, not the bytes',
    );
    expect(says(found.more[0] ?? found.lead)).toContain('a month');
    expect(found.tables[0]?.note).toContain('The price of this level of Amazon FSx for Lustre is from memory: check it.');
  });

  it('a plan that saves nothing, and a store of objects, have no capacity to buy', () => {
    const none = section('tiers', { checkpointBytes: 1e12, intervalSeconds: 3600, runSeconds: 60, secondRegion: true });
    expect(says(none.lead)).toContain('1 TB of room on Lustre for each checkpoint, though the plan saves none');
    expect(row(none, 'tiers', 'S3 Standard, second region')[1]).toBe('what stays for ever: so far nothing does');
    expect(says(section('tiers', { ...large, store: 's3-express' }).lead)).toContain('needs no capacity to be bought');
  });

  it('10,000 parts allow the shards of 405B, in parts of 16 MiB', () => {
    const parts = section('tiers', { ...large, objectBytesPerSecond: 10e9 }).more[1];
    expect(parts?.amount).toBe('16 MiB');
    expect(parts?.text).toContain('of the 10,000 that are allowed');
  });
});

describe('memory', () => {
  it('10B fp16: weights 20, gradients 20, Adam 60 GB; a checkpoint has 80', () => {
    const found = section('memory', { parameters: 10e9, recipe: 'rule-8', gpus: 1, deviceMemoryBytes: 200e9 });
    expect(row(found, 'memory-ways', 'ZeRO 0').slice(1, 4)).toEqual(['20 GB', '20 GB', '60 GB']);
    expect(row(found, 'memory-ways', 'ZeRO 0').at(-1)).toBe('80 GB');
    expect(says(found.more[0] ?? found.lead)).toContain('gradients and activations are volatile');
  });

  it('activations can exceed the weights; activation checkpointing is not checkpointing', () => {
    const found = section('memory', { parameters: 8e9, gpus: 1, activations: 'full' });
    expect(wordsOf(found)).toContain('Activations can take more than the weights');
    expect(wordsOf(found)).toContain('has nothing to do with checkpoints on disk');
    expect(row(found, 'activations', 'full')[3]).toBe('33.3 %');
  });

  it('optimizer offload makes training storage-bound, where it does; GPU-direct storage yes or no', () => {
    const slow = { parameters: 10e9, gpus: 8, stepSeconds: 5, offload: 'optimizer-nvme' } as const;
    expect(wordsOf(section('memory', slow))).toContain('training is storage-bound');
    expect(wordsOf(section('memory', { ...slow, stepSeconds: 60 }))).toContain('training need not wait for it');
    expect(wordsOf(section('memory', slow))).toContain('GPU-direct storage helps: no: the CPU updates the optimizer state');
    expect(wordsOf(section('memory', { ...slow, offload: 'all-nvme' }))).toContain(
      'yes, for the weights that stream to the GPUs',
    );
    expect(wordsOf(section('memory', slow))).toContain('drive writes a day');
  });

  it('LoRA and QLoRA cut memory 10 to 100 times without more I/O', () => {
    const found = section('memory', { parameters: 70e9, gpus: 1 });
    expect(wordsOf(found)).toContain('of weights, gradients and optimizer here 7.7 and 27 times');
    expect(wordsOf(found)).toContain('A checkpoint of the adapter is 230 times smaller');
    expect(row(found, 'memory-ways', 'LoRA').at(-1)).toBe('4.2 GB');
  });
});

describe('what is not given is marked', () => {
  it('assumed where a decisive input is a standard, else derived', () => {
    expect(section('data', {}).more[1]?.kind).toBe('assumed');
    expect(section('data', { tokens: 1e12, bytesPerToken: 2 }).more[1]?.kind).toBe('derived');
  });

  it('of presets too', () => {
    const preset = presetOf('megatron-1t');
    if (preset === null) throw new Error('no preset');
    const document = documentOfPreset(preset);
    const page = planPage(makePlan(document), document);
    for (const found of page.sections) expect(['assumed', 'derived', 'measured', 'read']).toContain(found.lead.kind);
  });
});
