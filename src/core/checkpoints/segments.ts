import { componentIds, type ComponentId, type TensorPart } from '../tensors/component.js';
import type { CheckpointReport, ComponentTotals } from './checkpointReport.js';

/** A stretch of the stacked bar and a row of the components table: a component, or the part of one that has a name of its own. */
export interface Segment {
  component: ComponentId;
  /** `whole` where the component is not split. */
  part: TensorPart;
  label: string;
  /** Tensor payload and, in a component's last segment, its other bytes; the segments of a report sum to `totalBytes`. */
  bytes: number;
  tensors: number | null;
}

const componentLabels: Record<ComponentId, string> = {
  weights: 'weights',
  masterWeights: 'master weights',
  optimizer: 'optimizer',
  gradients: 'gradients',
  ema: 'averaged weights',
  gradScaler: 'gradient scaler',
  scheduler: 'LR scheduler',
  rng: 'RNG state',
  dataLoader: 'data loader',
  trainerState: 'trainer state',
  tokenizer: 'tokenizer',
  config: 'config',
  container: 'container overhead',
  unexplained: 'unexplained',
};

/** The component in words, lower case. */
export function labelOfComponent(component: ComponentId): string {
  return componentLabels[component];
}

/** A component's part in words, lower case: `first moment` rather than `optimizer`. */
export function labelOfPart(component: ComponentId, part: TensorPart): string {
  if (part === 'firstMoment') return 'first moment';
  if (part === 'secondMoment') return 'second moment';
  if (part === 'otherState' && component === 'container') return 'everything else';
  if (part === 'otherState') return component === 'optimizer' ? 'other optimizer state' : `other ${componentLabels[component]}`;
  return componentLabels[component];
}

/** The report's components in their fixed order, the optimizer opened into its moments. Sums to `totalBytes`. */
export function segmentsOf(report: Pick<CheckpointReport, 'components'>): Segment[] {
  return componentIds.flatMap((component) => {
    const totals = report.components[component];
    return totals === undefined ? [] : segmentsOfComponent(component, totals);
  });
}

function segmentsOfComponent(component: ComponentId, totals: ComponentTotals): Segment[] {
  const bytes = totals.tensorBytes + totals.otherBytes;
  const parts = Object.entries(totals.parts ?? {}) as [TensorPart, number][];
  if (parts.length < 2) {
    const part = parts[0]?.[0] ?? 'whole';
    return bytes === 0 ? [] : [{ component, part, label: labelOfPart(component, part), bytes, tensors: totals.tensors }];
  }
  const segments = parts
    .filter(([part]) => part !== 'otherState')
    .map(([part, partBytes]) => ({ component, part, label: labelOfPart(component, part), bytes: partBytes, tensors: null }));
  const rest = bytes - segments.reduce((sum, segment) => sum + segment.bytes, 0);
  if (rest > 0) {
    segments.push({ component, part: 'otherState', label: labelOfPart(component, 'otherState'), bytes: rest, tensors: null });
  }
  return segments;
}
