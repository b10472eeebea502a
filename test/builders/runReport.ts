import type { CheckpointReport, RunCheckpoint } from '../../src/core/checkpoints/checkpointReport.js';
import { sampleReport } from './sampleReport.js';

/** A run of three checkpoints, the last of which was interrupted, with a pointer to it and one to nothing. */
export function runReport(): CheckpointReport {
  return {
    ...sampleReport(),
    path: '/scratch/runs/llama-8b-sft',
    layout: 'run',
    bytesPerParameter: null,
    ranks: [],
    run: {
      checkpoints: [checkpoint(500), checkpoint(1000), { ...checkpoint(1500), bytes: 60_000_000_000, finished: false }],
      pointers: [
        { path: 'latest', target: 'checkpoint-1500', exists: true },
        { path: 'best', target: 'checkpoint-700', exists: false },
      ],
    },
  };
}

function checkpoint(step: number): RunCheckpoint {
  return {
    path: `checkpoint-${step}`,
    layout: 'huggingface-trainer',
    step,
    bytes: 112_400_000_000,
    files: 19,
    modified: '2026-03-14T15:09:26.535Z',
    verdict: step === 500 ? 'complete' : 'partial',
    finished: true,
  };
}
