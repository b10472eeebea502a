import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import type { ComponentId } from '../../src/core/tensors/component.js';
import { emitPanelEvent } from '../panel/panelEvents.js';

/** What choosing a component in a picture leads to: its tensors, or the files where it has none. */
export function chooserOf(
  from: EventTarget,
  report: CheckpointReport,
  component: ComponentId,
): { hint: string; choose: () => void } {
  if ((report.components[component]?.tensors ?? 0) > 0) {
    return { hint: 'show its tensors', choose: () => emitPanelEvent(from, 'panel-component', component) };
  }
  return { hint: 'show the files', choose: () => emitPanelEvent(from, 'panel-tab', 'files') };
}
