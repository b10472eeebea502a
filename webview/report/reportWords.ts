import type { CheckpointReport, LayoutId, ResumeVerdict } from '../../src/core/checkpoints/checkpointReport.js';
import type { FindingReport, Severity } from '../../src/core/findings/finding.js';
import { formatCount } from '../../src/core/text/units.js';
import { countOf } from '../shared/byteText.js';
import { visibleText } from '../../src/core/text/visibleText.js';

/** Layouts as their users call them. */
export const layoutNames: Record<LayoutId, string> = {
  'huggingface-model': 'Hugging Face model',
  'huggingface-trainer': 'Hugging Face Trainer',
  'peft-adapter': 'PEFT adapter',
  accelerate: 'Accelerate',
  'torch-distributed': 'PyTorch distributed',
  deepspeed: 'DeepSpeed',
  'deepspeed-universal': 'DeepSpeed universal',
  'megatron-distributed': 'Megatron distributed',
  'megatron-legacy': 'Megatron legacy',
  nemo: 'NeMo',
  lightning: 'Lightning',
  composer: 'Composer',
  olmo: 'OLMo',
  nanotron: 'nanotron',
  verl: 'verl',
  litgpt: 'LitGPT',
  torchsnapshot: 'torchsnapshot',
  orbax: 'Orbax',
  'flax-msgpack': 'Flax msgpack',
  tensorflow: 'TensorFlow',
  keras: 'Keras',
  gguf: 'GGUF',
  'torch-file': 'PyTorch file',
  'safetensors-file': 'safetensors file',
  numpy: 'NumPy',
  onnx: 'ONNX',
  run: 'training run',
  unknown: 'layout not recognised',
};

/** `Hugging Face Trainer · transformers 4.57.1 · step 1,000 · 8 ranks · ZeRO stage 2 · tensor parallel 2`. */
export function subtitleOf(report: CheckpointReport): string {
  const { framework, layout, step, topology, run } = report;
  const parts = [layoutNames[layout], ...(run === undefined ? [] : oneLayoutOf(run))];
  if (framework.version !== null) parts.push(visibleText(`${framework.name} ${framework.version}`));
  if (step !== null) parts.push(`step ${formatCount(step)}`);
  if (topology.worldSize !== null && topology.worldSize > 1) parts.push(countOf(topology.worldSize, 'rank'));
  if (topology.zeroStage !== null && topology.zeroStage > 0) parts.push(`ZeRO stage ${topology.zeroStage}`);
  for (const [name, size] of [
    ['tensor', topology.tensorParallel],
    ['pipeline', topology.pipelineParallel],
    ['expert', topology.expertParallel],
  ] as const) {
    if (size !== null && size > 1) parts.push(`${name} parallel ${formatCount(size)}`);
  }
  return parts.join(' · ');
}

/** What all checkpoints of a run are, where they are all of one layout. */
function oneLayoutOf({ checkpoints }: NonNullable<CheckpointReport['run']>): string[] {
  const layouts = new Set(checkpoints.map(({ layout }) => layout));
  return layouts.size === 1 ? [...layouts].map((layout) => layoutNames[layout]) : [];
}

/** `2026-11-21 07:58:02`, in UTC as the report has it; empty where it is not known. */
export function timeText(iso: string | null): string {
  return iso === null ? '' : iso.slice(0, 19).replace('T', ' ');
}

const severities: readonly Severity[] = ['error', 'warning', 'note'];

/** Errors first, then warnings, then notes; within one severity as reported. */
export function sortedFindings(report: Pick<CheckpointReport, 'findings'>): FindingReport[] {
  return severities.flatMap((severity) => report.findings.filter((finding) => finding.severity === severity));
}

/** How many findings of each severity there are, the worst first, none left out that is there. */
export function severityCounts(
  report: Pick<CheckpointReport, 'findings'>,
): { severity: Severity; count: number; text: string }[] {
  return severities
    .map((severity) => ({ severity, count: report.findings.filter((finding) => finding.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => ({ severity, count, text: countOf(count, severity) }));
}

/** The verdict in a few words, for a card. */
export const verdictWords: Record<ResumeVerdict, string> = {
  complete: 'Yes, completely',
  partial: 'Yes, in part',
  'weights-only': 'No: weights only',
  broken: 'No: it would fail',
};

/** Codicons, so that severity does not rest on colour alone. */
export const severityIcons: Record<Severity, string> = { error: 'error', warning: 'warning', note: 'info' };
