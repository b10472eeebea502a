/** Memory of a GPU: what papers and frameworks' documentation say. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { activationMemory } from '../../../../src/core/planning/training/activations.js';
import type { MemoryWay } from '../../../../src/core/planning/training/memory.js';
import { randomDocument } from '../../../builders/randomPlan.js';
import { runs } from '../../../builders/seed.js';

const planOf = (inputs: Partial<PlanInputs>) => makePlan({ inputs, measured: [], saved: [] });
const states = (inputs: Partial<PlanInputs>, way: MemoryWay) => {
  const row = planOf(inputs).memory.rows.find((one) => one.way === way);
  if (row === undefined) throw new Error(way);
  return row.weightBytes + row.gradientBytes + row.optimizerBytes;
};

describe('weights, gradients and optimizer', () => {
  // ZeRO (arXiv 1910.02054), figure 1: 7.5 billion parameters, 64 GPUs.
  const zero: Partial<PlanInputs> = { parameters: 7.5e9, gpus: 64 };

  it.each([
    ['zero-0', 120],
    ['zero-1', 31.4],
    ['zero-2', 16.6],
    ['zero-3', 1.9],
  ] as const)('%s: %f GB of 7.5 billion parameters on 64 GPUs', (way, gigabytes) => {
    expect(states(zero, way) / 1e9).toBeCloseTo(gigabytes, 1);
  });

  it('Megatron: 18 bytes a parameter with 32-bit gradients, 16 in 32 bits', () => {
    const one: Partial<PlanInputs> = { parameters: 1e9, gpus: 1, gradientBytes: 4 };
    expect(states(one, 'zero-0')).toBe(18e9);
    expect(states({ ...one, recipe: 'f32-adam' }, 'zero-0')).toBe(16e9);
  });

  it('DeepSpeed’s own estimate of ZeRO 3 is what is here with 32-bit gradients', () => {
    const P = 8e9;
    const N = 64;
    expect(states({ parameters: P, gpus: N, gradientBytes: 4 }, 'zero-3')).toBeCloseTo((18 * P) / N, 0);
    // ZeRO 2 keeps 2 bytes of weights on each GPU; the estimate adds 2 for gradients on their way.
    expect(states({ parameters: P, gpus: N, gradientBytes: 4 }, 'zero-2') + 2 * P).toBeCloseTo(4 * P + (16 * P) / N, 0);
  });

  it('tensor and pipeline parallelism divide all of it', () => {
    expect(states({ parameters: 1e12, gpus: 512, tensorParallel: 8, pipelineParallel: 64 }, 'zero-0')).toBeCloseTo(
      16e12 / 512,
      0,
    );
  });

  it('expert parallelism divides the experts, and what is sharded over all replicas is so anyhow', () => {
    const moe: Partial<PlanInputs> = {
      parameters: 1e12,
      activeParameters: 32e9,
      gpus: 256,
      pipelineParallel: 16,
      expertParallel: 16,
    };
    expect(states(moe, 'zero-0')).toBeCloseTo((16 * (32e9 + 968e9 / 16)) / 16, 0);
    expect(states(moe, 'zero-3')).toBeCloseTo(16e12 / 256, 0);
  });

  it('LoRA keeps the base, without gradients or optimizer; its checkpoint is the adapter’s', () => {
    const plan = planOf({ parameters: 70e9, gpus: 1, adapterParameters: 350e6 });
    const row = (way: MemoryWay) => plan.memory.rows.find((one) => one.way === way);
    expect(row('lora')?.weightBytes).toBe(2 * 70e9 + 4 * 350e6);
    expect(row('lora')?.savedBytes).toBe(12 * 350e6);
    expect((row('qlora')?.weightBytes ?? 0) / 70e9).toBeCloseTo(0.5 + 0.127 / 8 + 0.02, 3);
    expect(row('qlora')?.savedBytes).toBe(row('lora')?.savedBytes);
  });

  it('an adapter is 0.5 % of the parameters unless given', () => {
    expect(planOf({ parameters: 1e9 }).memory.adapterParameters).toBe(5e6);
  });
});

describe('activations', () => {
  // Korthikanti et al., table 3 and figure 7: GPT-3 175B, TP 8, sequences of 2,048.
  const gpt3 = { layers: 96, hiddenSize: 12_288, attentionHeads: 96, sequenceLength: 2048, microBatch: 1, tensorParallel: 8 };
  const of = (choice: string, inputs = gpt3) => activationMemory(inputs).find((one) => one.choice === choice);

  it('GPT-3: 5 a s ÷ h is 80, so attention takes 70 % of what is kept', () => {
    expect((5 * gpt3.attentionHeads * gpt3.sequenceLength) / gpt3.hiddenSize).toBe(80);
    const kept = of('kept')?.bytes ?? 0;
    expect(kept).toBe((2048 * 12_288 * 96 * (34 + 80)) / 8);
    expect(1 - (of('selective')?.bytes ?? 0) / kept).toBeCloseTo(0.7, 2);
    expect(of('full')?.bytes).toBe(2 * 2048 * 12_288 * 96);
  });

  it('full checkpointing repeats one pass of three, selective little, and less in wide models', () => {
    expect(of('full')?.repeatedCompute).toBeCloseTo(1 / 3, 9);
    // One more forward pass of attention, 4 b s² h of 72 b s h² (1 + s ÷ 6h).
    const { sequenceLength: s, hiddenSize: h } = gpt3;
    expect(of('selective')?.repeatedCompute).toBeCloseTo((4 * s * s * h) / (72 * s * h * h * (1 + s / (6 * h))), 12);
    expect(of('selective', { ...gpt3, hiddenSize: 24_576 })?.repeatedCompute).toBeLessThan(of('selective')?.repeatedCompute ?? 0);
    expect(of('kept')?.repeatedCompute).toBe(0);
  });

  it('can take more than the weights', () => {
    const { planned } = planOf({ parameters: 8e9, gpus: 1, activations: 'kept', sequenceLength: 8192 }).memory;
    expect(planned.activationBytes).toBeGreaterThan(planned.weightBytes);
  });
});

describe('for every plan', () => {
  it('sharding more never takes more, and the parts sum to the whole', () => {
    fc.assert(
      fc.property(randomDocument, ({ inputs }) => {
        const { rows } = planOf(inputs).memory;
        const slack = 1 + 1e-9;
        for (const [index, row] of rows.entries()) {
          const sum = row.weightBytes + row.gradientBytes + row.optimizerBytes + row.activationBytes;
          expect(Math.abs(row.totalBytes - sum)).toBeLessThanOrEqual(sum * 1e-9);
          const before = rows[index - 1];
          if (before !== undefined && row.way.startsWith('zero'))
            expect(row.totalBytes).toBeLessThanOrEqual(before.totalBytes * slack);
        }
      }),
      runs(30, 1500),
    );
  });
});
