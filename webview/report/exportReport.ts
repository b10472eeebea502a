import type { ReportPanelEvents, ReportPanelRequests, ReportPanelSignals } from '../../src/protocol/messages.js';
import type { RpcEndpoint } from '../../src/protocol/rpc.js';
import type { TensorQuery } from '../../src/core/tensors/tensorQuery.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import type { PanelEvents } from '../panel/panelEvents.js';

type Endpoint = RpcEndpoint<ReportPanelRequests, ReportPanelSignals, ReportPanelEvents>;

/** Asks the host for one of the exports. Answers what to say, or null where the user thought better of it. */
export async function exportReport(
  endpoint: Endpoint,
  kind: PanelEvents['panel-export'],
  query: TensorQuery,
): Promise<string | null> {
  if (kind === 'markdown') {
    await endpoint.request('copyMarkdown', {});
    return 'Copied: the report as Markdown';
  }
  const saved =
    kind === 'json' ? await endpoint.request('saveJson', {}) : await endpoint.request('saveTensors', { format: kind, query });
  return saved === null ? null : `Saved: ${visibleText(saved)}`;
}
