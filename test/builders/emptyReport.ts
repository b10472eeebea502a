import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import { sampleReport } from './sampleReport.js';

/** An empty directory. */
export function emptyReport(): CheckpointReport {
  return {
    ...sampleReport(),
    path: '/scratch/runs/empty',
    layout: 'unknown',
    framework: { name: 'unknown', version: null },
    step: null,
    totalBytes: 0,
    parameters: { stored: 0, unique: 0, source: 'there are no tensors.' },
    bytesPerParameter: null,
    components: {},
    topology: {
      worldSize: null,
      dataParallel: null,
      tensorParallel: null,
      pipelineParallel: null,
      expertParallel: null,
      zeroStage: null,
    },
    ranks: [],
    files: [],
    tensorCount: 0,
    optimizerMatch: null,
    storedTwice: { bytes: 0, items: [] },
    facts: [],
    objects: [],
    findings: [],
    checks: { done: ['the directory was listed'], notDone: [] },
    resume: { verdict: 'broken', basis: 'header', coverage: null, present: [], missing: [], blockedBy: [] },
    pickleImports: [],
    io: { bytesRead: 0, reads: 0, elapsedMs: 1 },
  };
}
