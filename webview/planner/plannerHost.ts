import type { PlanPanelEvents, PlanPanelRequests, PlanPanelSignals } from '../../src/protocol/messages.js';
import type { HostConnection } from '../shared/hostApi.js';

/** The plan panel's connection. */
export type PlannerHost = HostConnection<PlanPanelRequests, PlanPanelSignals, PlanPanelEvents>;
