import type { ReportPanelEvents, ReportPanelRequests, ReportPanelSignals } from '../../src/protocol/messages.js';
import type { HostConnection } from '../shared/hostApi.js';

/** The report panel's connection. */
export type ReportHost = HostConnection<ReportPanelRequests, ReportPanelSignals, ReportPanelEvents>;
