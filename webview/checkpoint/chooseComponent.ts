import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import type { Segment } from '../../src/core/checkpoints/segments.js';
import type { ComponentChoice } from '../../src/core/tensors/tensorQuery.js';
import { emitPanelEvent } from '../panel/panelEvents.js';

/** What choosing a segment in the bar leads to: its tensors, or the files where it has none. */
export function chooserOf(from: EventTarget, report: CheckpointReport, segment: Segment): { hint: string; choose: () => void } {
  if ((report.components[segment.component]?.tensors ?? 0) > 0) {
    return { hint: 'show its tensors', choose: () => emitPanelEvent(from, 'panel-component', choiceOf(segment)) };
  }
  return { hint: 'show the files', choose: () => emitPanelEvent(from, 'panel-tab', 'files') };
}

/** The filter that leaves the tensors of a segment. */
export function choiceOf({ component, part }: Pick<Segment, 'component' | 'part'>): ComponentChoice {
  return part === 'whole' ? component : `${component}:${part}`;
}
