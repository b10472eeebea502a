import type { CheckpointReport, FileReport, RankReport } from '../../src/core/checkpoints/checkpointReport.js';
import { sampleReport } from './sampleReport.js';

const usualBytes = 820_000_000;

/** A save by so many ranks of about the same size, but for those of `odd`: their sizes by rank. */
export function ranksReport(count: number, odd: Readonly<Record<number, number>> = {}): CheckpointReport {
  const ranks = Array.from({ length: count }, (_, rank): RankReport => ({
    rank: String(rank),
    bytes: odd[rank] ?? usualBytes + rank,
    files: 1,
    modified: '2026-03-14T15:09:26.535Z',
  }));
  const files = ranks.map(({ rank, bytes }): FileReport => ({
    path: `__${rank}_0.distcp`,
    bytes,
    format: 'dcp',
    role: 'tensors and objects of one rank',
    components: { optimizer: bytes },
    rank,
  }));
  const totalBytes = ranks.reduce((sum, { bytes }) => sum + bytes, 0);
  const report = sampleReport();
  return {
    ...report,
    path: '/scratch/runs/llama-70b/step-12000',
    layout: 'torch-distributed',
    step: 12_000,
    totalBytes,
    bytesPerParameter: null,
    components: { optimizer: { tensorBytes: totalBytes, otherBytes: 0, logicalBytes: totalBytes, tensors: 1, files: count } },
    topology: { ...report.topology, worldSize: count },
    ranks,
    files,
  };
}
