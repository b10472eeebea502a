import { describe, expect, it } from 'vitest';
import { readPlanFile } from '../../../../src/core/planning/inputs/planFile.js';
import { writePlanFile } from '../../../../src/core/planning/inputs/writePlanFile.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { planOfEstimate } from '../../../../src/core/planning/sources/planOfEstimate.js';
import { planOfReport } from '../../../../src/core/planning/sources/planOfReport.js';
import { datasetReport } from '../../../builders/datasetReports.js';
import { emptyReport } from '../../../builders/emptyReport.js';
import { hostileReport } from '../../../builders/hostileReport.js';
import { ranksReport } from '../../../builders/ranksReport.js';
import { runReport } from '../../../builders/runReport.js';
import { sampleReport } from '../../../builders/sampleReport.js';
import { estimateText, llamaConfig } from '../../../builders/estimateText.js';

describe('a plan of a report', () => {
  it('takes the size to the byte, and its parts', () => {
    const report = sampleReport();
    const document = planOfReport(report);
    expect(document.inputs).toMatchObject({ parameters: report.parameters.unique, checkpointBytes: report.totalBytes });
    expect(document.origins.checkpointBytes).toEqual({ kind: 'measured', text: report.path.split('/').at(-1) });
    const { size } = makePlan(document);
    expect(size.basis).toBe('measured');
    expect(size.parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(report.totalBytes);
    const weights = report.components.weights!;
    expect(size.weightBytes).toBe(weights.tensorBytes + weights.otherBytes);
  });

  it('takes ranks and stages where the files tell', () => {
    const report = ranksReport(1024, {});
    const { inputs } = planOfReport(report);
    expect(inputs.gpus).toBe(report.topology.worldSize ?? undefined);
    expect(inputs.zeroStage).toBe(report.topology.zeroStage === null ? undefined : String(report.topology.zeroStage));
  });

  it('leaves replicas to follow from the GPUs, so that a plan may have more of them', () => {
    const report = sampleReport();
    report.topology = { ...report.topology, worldSize: 16, tensorParallel: 2, pipelineParallel: 1, dataParallel: 4 };
    expect(planOfReport(report).inputs).toMatchObject({ gpus: 16, tensorParallel: 2, pipelineParallel: 1 });
    expect(makePlan(planOfReport(report)).save.topology).toMatchObject({ dataParallel: 8, product: null });
    report.topology.worldSize = null;
    expect(planOfReport(report).inputs.gpus).toBe(8);
  });

  it('takes weights that are cut into parts for shared by as many ranks', () => {
    const report = sampleReport();
    const shared = (topology: Partial<typeof report.topology>) => {
      report.topology = { ...emptyReport().topology, ...topology };
      const { zeroStage, shardDegree } = planOfReport(report).inputs;
      return [zeroStage, shardDegree];
    };
    expect(shared({ worldSize: 32, weightShards: 32 })).toEqual(['3', undefined]);
    // Replicas of 8 ranks each; and parts that tensor-parallel ranks make.
    expect(shared({ worldSize: 32, weightShards: 8 })).toEqual(['3', 8]);
    expect(shared({ worldSize: 32, weightShards: 8, tensorParallel: 8 })).toEqual([undefined, undefined]);
    expect(shared({ worldSize: 32, weightShards: 32, tensorParallel: 8 })).toEqual(['3', undefined]);
    expect(shared({ worldSize: 32 })).toEqual([undefined, undefined]);
    expect(shared({ worldSize: 32, weightShards: 32, zeroStage: 1 })).toEqual(['1', undefined]);
  });

  it('is about the newest finished checkpoint of a run, and knows the others', () => {
    const report = runReport();
    const { checkpoints } = report.run!;
    const { inputs, saved, measured } = planOfReport(report);
    expect(inputs.checkpointBytes).toBe(checkpoints.findLast(({ finished }) => finished)?.bytes);
    expect(saved).toHaveLength(checkpoints.length);
    expect(measured).toEqual([]);
  });

  it.each(['checkpoint-700', '/runs/a/checkpoint-700/', '700', 'iter_0000700'])(
    'knows the checkpoint that a pointer names as %s: it must not be dropped',
    (target) => {
      const report = runReport();
      report.run!.pointers = [{ path: 'latest', target, exists: true }];
      report.run!.checkpoints[0]!.path = 'checkpoint-700';
      report.run!.checkpoints[0]!.step = 700;
      const document = planOfReport(report);
      expect(document.saved[0]).toMatchObject({ path: 'checkpoint-700', isLatest: true });
      expect(makePlan({ ...document, inputs: { ...document.inputs, keepLast: 1 } }).deletion?.rows).toContainEqual(
        expect.objectContaining({ path: 'checkpoint-700', isKept: true, reason: 'latest-points-here' }),
      );
    },
  );

  it('takes tokens and their size of a dataset', () => {
    const report = datasetReport();
    expect(planOfReport(report).inputs).toEqual({ tokens: report.tokens?.count, bytesPerToken: report.bytesPerToken });
  });

  it('keeps its standards where the report knows nothing', () => {
    const { inputs } = planOfReport(emptyReport());
    expect(inputs).toEqual({});
  });

  it('is written and read again, whatever the files are called', () => {
    for (const report of [sampleReport(), runReport(), hostileReport(), datasetReport(), emptyReport()]) {
      const document = planOfReport(report);
      expect(readPlanFile(writePlanFile(document))).toEqual({ document, problems: [] });
    }
  });
});

describe('a plan of a config', () => {
  it('takes the model, the recipe and the parallel sizes', async () => {
    const { report } = await estimateText('config.json', llamaConfig());
    const document = planOfEstimate(report);
    expect(document.inputs).toMatchObject({ parameters: 8_030_261_248, recipe: 'mixed-adam' });
    expect(document.origins.parameters).toEqual({ kind: 'read', text: 'config.json' });
    expect(makePlan(document).size.checkpointBytes).toBe(report.checkpoint.bytes);
  });

  it('takes over how often it saves and what it keeps', async () => {
    const script = `torchrun --nnodes 16 --nproc_per_node 8 pretrain_gpt.py --num-layers 32 --hidden-size 4096 --num-attention-heads 32 \\
      --ffn-hidden-size 14336 --swiglu --group-query-attention --num-query-groups 8 --untie-embeddings-and-output-weights \\
      --position-embedding-type rope --normalization RMSNorm --vocab-size 128256 --seq-length 8192 --max-position-embeddings 8192 \\
      --micro-batch-size 1 --global-batch-size 1024 --train-iters 50000 --save-interval 1000 --save /ckpt --bf16 --use-distributed-optimizer \\
      --tensor-model-parallel-size 2\n`;
    const { report } = await estimateText('train.sh', script);
    const document = planOfEstimate(report);
    expect(document.inputs).toMatchObject({ intervalSteps: 1000, tokensPerStep: 1024 * 8192, runSteps: 50_000, keepEvery: 1 });
    const plan = makePlan(document);
    // 8,388,608 tokens at 128 × 400 TFLOP/s ÷ (6 × parameters).
    const step = (1024 * 8192 * 6 * plan.inputs.parameters) / (128 * 400e12);
    expect(plan.save.intervalBasis).toBe('given');
    expect(plan.save.intervalSeconds).toBeCloseTo(1000 * step, 6);
    expect(plan.inputs.runSeconds).toBeCloseTo(50_000 * step, 6);
    expect(plan.retention.kept.latest + plan.retention.kept.forever).toBe(report.run.kept);
    // What is given in time is not overruled.
    const given = makePlan({ ...document, inputs: { ...document.inputs, intervalSeconds: 600, runSeconds: 86_400 } });
    expect([given.save.intervalSeconds, given.inputs.runSeconds]).toEqual([600, 86_400]);
  });

  it('takes the interval in steps where the config has the batch of a GPU and not their number', async () => {
    const config = `[model]\nname = "llama3"\nflavor = "8B"\n[training]\nlocal_batch_size = 2\nseq_len = 8192\nsteps = 10000\n[checkpoint]\nenable = true\ninterval = 500\n`;
    const { report } = await estimateText('llama3_8b.toml', config);
    const document = planOfEstimate(report);
    expect(document.inputs).toMatchObject({ intervalSteps: 500, accumulation: 1, microBatch: 2 });
    const plan = makePlan(document);
    // Each GPU computes 2 sequences, however many there are.
    const step = (2 * 8192 * 6 * plan.inputs.parameters) / 400e12;
    expect(plan.save.intervalBasis).toBe('given');
    expect(plan.save.intervalSeconds).toBeCloseTo(500 * step, 6);
    const doubled = makePlan({ ...document, inputs: { ...document.inputs, gpus: 2 * plan.inputs.gpus } });
    expect(doubled.save.intervalSeconds).toBeCloseTo(500 * step, 6);
  });

  it('takes QLoRA for an adapter over 4-bit weights, and epochs between saves for steps', async () => {
    const config = `base_model: meta-llama/Meta-Llama-3-8B\ndatasets: []\nadapter: qlora\nload_in_4bit: true\nlora_r: 16\nlora_target_linear: true\nmicro_batch_size: 1\nsequence_len: 4096\nmax_steps: 400\nsave_steps: 0.25\n`;
    const { report } = await estimateText('qlora.yaml', config);
    const document = planOfEstimate(report);
    expect(document.inputs).toMatchObject({ tuning: 'qlora', intervalSteps: 100 });
    const { memory } = makePlan(document);
    expect(memory.planned.way).toBe('qlora');
    expect(memory.rows.filter(({ isPlanned }) => isPlanned)).toHaveLength(1);
    expect(memory.planned.weightBytes).toBeLessThan(8_030_261_248);
  });

  it('takes an adapter’s checkpoint as it is, beside the model that it adapts', async () => {
    const adapter = {
      peft_type: 'LORA',
      base_model_name_or_path: 'meta-llama/Meta-Llama-3-8B',
      r: 16,
      target_modules: ['q_proj', 'v_proj'],
    };
    const { report } = await estimateText('adapter_config.json', JSON.stringify(adapter));
    const { inputs } = planOfEstimate(report);
    expect(inputs).toMatchObject({ parameters: 8_030_261_248, adapterParameters: report.parameters?.trainable, tuning: 'lora' });
    const { planned } = makePlan(planOfEstimate(report)).memory;
    // The base has no gradients and no optimizer state.
    expect(planned).toMatchObject({ way: 'lora', isPlanned: true });
    expect(planned.gradientBytes).toBe(4 * (report.parameters?.trainable ?? 0));
    expect(makePlan(planOfEstimate(report)).size.checkpointBytes).toBe(report.checkpoint.bytes);
  });
});
