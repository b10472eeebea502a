/** What a plan is exported as, read back by other readers of the same formats. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { exportIds, planExports } from '../../../../src/core/pages/plan/planExports.js';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import { csiDriverOf } from '../../../../src/core/planning/export/csiDrivers.js';
import { dlioWorkload } from '../../../../src/core/planning/export/dlio.js';
import { exportName } from '../../../../src/core/planning/export/exportName.js';
import { mlperfStorageWorkload } from '../../../../src/core/planning/export/mlperfStorage.js';
import { mlperfVocabulary, mlperfWorkloads, nearestWorkload } from '../../../../src/core/planning/export/mlperfWorkloads.js';
import { isKubernetesName } from '../../../../src/core/jobs/kubernetesName.js';
import { claimNeeds, volumeClaim } from '../../../../src/core/planning/export/volumeClaim.js';
import type { PlanDocument } from '../../../../src/core/planning/inputs/planDocument.js';
import { readPlanFile } from '../../../../src/core/planning/inputs/planFile.js';
import { documentOfPreset, planPresets } from '../../../../src/core/planning/inputs/presets.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { storeSystemIds } from '../../../../src/core/planning/systems/systemNames.js';
import { planDocument, randomDocument } from '../../../builders/randomPlan.js';
import { runs } from '../../../builders/seed.js';
import { compileSchemaFile, schemaErrors } from '../../../builders/schemaErrors.js';

interface Workload {
  model: {
    name: string;
    num_layers: number;
    layer_parameters?: number[];
    optimization_groups?: number[];
    model_datatype?: string;
    optimizer_datatype?: string;
    parallelism: { tensor: number; pipeline: number; zero_stage: number };
    transformer?: Record<'vocab_size' | 'hidden_size' | 'ffn_hidden_size' | 'num_attention_heads' | 'num_kv_heads', number>;
  };
  workflow: Record<string, boolean>;
  checkpoint: Record<string, string | number | boolean>;
}

const workloadOf = (document: PlanDocument): Workload => parse(dlioWorkload(makePlan(document), document)) as Workload;

/** Parameters of a transformer as DLIO counts them (get_num_parameters). */
function parametersOf({ num_layers: layers, transformer }: Pick<Workload['model'], 'num_layers' | 'transformer'>): number {
  if (transformer === undefined) throw new Error('no transformer');
  const { vocab_size: vocabulary, hidden_size: hidden, ffn_hidden_size: wide, num_attention_heads, num_kv_heads } = transformer;
  const keys = Math.floor(hidden / num_attention_heads) * num_kv_heads;
  const layer = hidden + hidden * (hidden + 2 * keys) + hidden * hidden + hidden + 3 * wide * hidden;
  return 2 * vocabulary * hidden + layers * layer + hidden;
}

/** What all ranks of a workload save, as DLIO does it (base_checkpointing.py), for as many replicas of the model. */
function savedBytes({ model }: Workload, replicas: number): number {
  const { tensor, pipeline, zero_stage: zero } = model.parallelism;
  if (model.layer_parameters === undefined) return parametersOf(model) * (2 + 3 * 4);
  const layerBytes = model.layer_parameters.reduce((sum, bytes) => sum + Math.floor(bytes / tensor), 0) * tensor;
  const rankBytes = 3 * (model.optimization_groups ?? []).reduce((sum, bytes) => sum + bytes, 0);
  const copies = zero === 3 ? replicas : 1;
  return model.num_layers * layerBytes * copies + rankBytes * tensor * pipeline * (zero === 0 ? 1 : replicas);
}

const presets = planPresets.map((preset) => [preset.id, documentOfPreset(preset)] as const);

describe('the workload of DLIO', () => {
  it.each(presets)('saves the bytes of the plan %s', (_, document) => {
    const plan = makePlan(document);
    const workload = workloadOf(document);
    const { tensor, pipeline } = workload.model.parallelism;
    const bytes = savedBytes(workload, plan.save.topology.gpus / tensor / pipeline);
    expect(Math.abs(bytes / plan.size.checkpointBytes - 1)).toBeLessThan(0.0001);
  });

  it('takes the sizes of a listed model only where its parameters are those with the plan’s heads', () => {
    expect(workloadOf(planDocument({})).model.transformer?.num_attention_heads).toBe(32);
    // One head makes keys and values as wide as the model.
    for (const attentionHeads of [1, 8]) {
      const document = planDocument({ attentionHeads });
      const workload = workloadOf(document);
      expect(workload.model.transformer).toBeUndefined();
      expect(savedBytes(workload, 64) / makePlan(document).size.checkpointBytes).toBeCloseTo(1, 3);
    }
  });

  it('saves the bytes of any plan, but for what does not divide', () => {
    fc.assert(
      fc.property(randomDocument, (document) => {
        const { size, save } = makePlan(document);
        const workload = workloadOf(document);
        const { tensor, pipeline, zero_stage: zero } = workload.model.parallelism;
        const replicas =
          (save.topology.tensorParallel * save.topology.pipelineParallel * save.topology.dataParallel) / tensor / pipeline;
        // A whole byte of each layer, group and tensor rank at most, and a listed model's own number of parameters.
        const rounding = 4 * workload.model.num_layers * tensor * (zero === 3 ? replicas : 1) + 3 * tensor * pipeline * replicas;
        const listed = workload.model.transformer === undefined ? 0 : 0.01 * size.checkpointBytes;
        expect(Math.abs(savedBytes(workload, replicas) - size.checkpointBytes)).toBeLessThanOrEqual(
          rounding + listed + 1e-9 * size.checkpointBytes,
        );
        // What DLIO refuses.
        expect(workload.model.num_layers).toBeGreaterThanOrEqual(pipeline);
        if (zero === 3) expect(pipeline).toBe(1);
        expect(workload.checkpoint['num_checkpoints_read']).toBeLessThanOrEqual(
          Number(workload.checkpoint['num_checkpoints_write']),
        );
        expect(workload.checkpoint['num_checkpoints_write']).toBeGreaterThanOrEqual(1);
      }),
      runs(100),
    );
  });

  it('gives no more checkpoints than the plan has at once', () => {
    const document = planDocument({ keepLast: 1 });
    expect(workloadOf(document).checkpoint).toMatchObject({
      num_checkpoints_write: 2,
      num_checkpoints_read: 2,
      mode: 'default',
      fsync: true,
    });
    expect(workloadOf(planDocument({ keepLast: 500 })).checkpoint['num_checkpoints_write']).toBe(10);
  });

  it('saves weights alone where nothing else is saved: without groups DLIO would make up an optimizer', () => {
    const { model } = workloadOf(planDocument({ recipe: 'weights-bf16' }));
    expect(model.optimization_groups).toEqual([0]);
  });

  it('takes nothing from a name but letters, digits and hyphens', () => {
    const name = '${oc.env:HOME}\n---\nmodel: {name: other}\u2028x: "ß';
    const document = { ...planDocument({}), name };
    const documents = parseAllDocuments(dlioWorkload(makePlan(document), document));
    expect(documents).toHaveLength(1);
    expect(documents[0]?.toJS()).toMatchObject({ model: { name: 'oc-env-home-model-name-other-x' } });
  });
});

describe('the workload of MLPerf Storage', () => {
  it.each(mlperfWorkloads.map((workload) => [workload.id, workload] as const))(
    'counts %s as its generator does',
    (_, workload) => {
      const { layers, hiddenSize, feedForwardSize, heads, keyValueHeads, size } = workload;
      const transformer = {
        vocab_size: mlperfVocabulary,
        hidden_size: hiddenSize,
        ffn_hidden_size: feedForwardSize,
        num_attention_heads: heads,
        num_kv_heads: keyValueHeads,
      };
      expect(parametersOf({ num_layers: layers, transformer }) / size.parameters).toBeCloseTo(1, 4);
    },
  );

  it('is the one of its own file', () => {
    const document = planDocument({ parameters: 70e9 });
    const own = parse(readFileSync('test/fixtures/configs/mlperf-storage/llama3_70b.yaml', 'utf8')) as Workload;
    const exported = parse(mlperfStorageWorkload(makePlan(document), document)) as Workload;
    expect({ ...exported.model, name: '' }).toEqual({ ...own.model, name: '' });
    expect(exported.workflow).toEqual({ generate_data: false, train: false, checkpoint: true });
    expect({ ...exported.checkpoint, checkpoint_folder: '' }).toEqual({ ...own.checkpoint, checkpoint_folder: '' });
  });

  it.each([
    [1e9, 'llama3-8b'],
    [112e9, 'llama3-8b'],
    [900e9, 'llama3-70b'],
    [5e12, 'llama3-405b'],
    [200e12, 'llama3-1t'],
  ])('is nearest to a checkpoint of %d bytes: %s', (bytes, id) => {
    expect(nearestWorkload(bytes).id).toBe(id);
  });

  it('says what differs, and not what is the same', () => {
    const document = documentOfPreset(planPresets.find(({ id }) => id === '8b') as (typeof planPresets)[number]);
    const text = mlperfStorageWorkload(makePlan(document), document);
    expect(text).toContain('# - processes: 64, here 8\n');
    expect(text).not.toContain('# - parameters');
    expect(text).toContain('mlpstorage checkpointing run --model llama3-8b --num-processes 8 ');
  });
});

describe('the volume claim', () => {
  const validate = compileSchemaFile('test/core/planning/export/persistentVolumeClaim.schema.json');
  const claimOf = (document: PlanDocument): unknown => parse(volumeClaim(makePlan(document), document, 'fast-lustre.example'));

  it.each(storeSystemIds)('is one by Kubernetes’ own schema, for %s', (store) => {
    const claim = claimOf(planDocument({ store }, 'Ünïcode / "quoted"'));
    expect(schemaErrors(validate, claim)).toEqual([]);
    const isStatic = csiDriverOf(store).provisioning === 'static';
    expect(claim).toMatchObject({
      metadata: { name: 'n-code-quoted-checkpoints' },
      spec: {
        accessModes: [csiDriverOf(store).isShared ? 'ReadWriteMany' : 'ReadWriteOnce'],
        ...(isStatic ? { storageClassName: '', volumeName: 'fast-lustre.example' } : { storageClassName: 'fast-lustre.example' }),
      },
    });
    expect(claimNeeds(makePlan(planDocument({ store }))).what).toBe(isStatic ? 'volume' : 'storage class');
  });

  it('is refused by that schema where a key is not one of its own', () => {
    expect(schemaErrors(validate, { ...(claimOf(planDocument({})) as object), size: '1Gi' })).not.toEqual([]);
  });

  it('has the room of any plan’s peak with a fifth that stays free, as its page asks for, rounded up to GiB', () => {
    fc.assert(
      fc.property(randomDocument, (document) => {
        const plan = makePlan({ ...document, inputs: { ...document.inputs, store: 'lustre' } });
        const peakBytes = plan.retention.places.find(({ place }) => place === 'store')?.peakBytes ?? 0;
        const roomBytes = peakBytes / 0.8;
        const { spec } = parse(volumeClaim(plan, document, 'a')) as { spec: { resources: { requests: { storage: string } } } };
        const [, gibibytes] = /^(\d+)Gi$/.exec(spec.resources.requests.storage) ?? [];
        const bytes = Number(gibibytes) * 2 ** 30;
        expect(bytes).toBeGreaterThanOrEqual(roomBytes);
        expect(bytes - roomBytes).toBeLessThanOrEqual(2 ** 30);
      }),
      runs(100),
    );
  });

  it.each([
    ['s3-standard', 'volumeName: "vol"'],
    ['gcs-standard', 'volumeName: "vol"'],
    ['azure-blob', 'storageClassName: "vol"'],
  ] as const)('of %s names what its driver mounts', (store, line) => {
    const document = planDocument({ store });
    expect(volumeClaim(makePlan(document), document, 'vol')).toContain(line);
  });

  it('has digits alone, however large the room', () => {
    const document = planDocument({ store: 'lustre', checkpointBytes: 2 ** 53 - 1, keepLast: 1e9, parameters: 1e15 });
    expect(volumeClaim(makePlan(document), document, 'a')).toMatch(/storage: "?\d+Gi"?$/m);
  });

  it.each([
    ['fast', true],
    ['fsx-sc.v2', true],
    ['Fast', false],
    ['a_b', false],
    ['-a', false],
    ['a..b', false],
    ['', false],
    ['a\nb', false],
    ['a'.repeat(254), false],
  ])('names %j: %s', (name, isName) => {
    expect(isKubernetesName(name)).toBe(isName);
  });
});

it('has every export of a plan, each by its own reader', () => {
  const document = planDocument({ gpus: 128 }, 'Plan 9');
  const plan = makePlan(document);
  const shown = { document, plan, page: planPage(plan, document), problems: [] };
  const readers = {
    markdown: (text: string) => text.startsWith('# Storage plan: Plan 9\n') || null,
    json: JSON.parse,
    'mlperf-storage': parse,
    dlio: parse,
    kubernetes: parse,
  };
  for (const id of exportIds) expect(readers[id](planExports[id].text(shown, 'fast')), id).toBeTruthy();
  expect(readPlanFile(planExports.json.text(shown))).toMatchObject({ document: { inputs: { gpus: 128 } } });
});

it.each([
  ['Llama 3 70B', 'llama-3-70b'],
  ['../../etc/passwd', 'etc-passwd'],
  ['模型', 'plan'],
  [`${'a'.repeat(49)} b`, 'a'.repeat(49)],
])('calls files of %j %s', (name, expected) => {
  expect(exportName(name)).toBe(expected);
});
