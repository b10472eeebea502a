import type { EstimatePanelEvents, EstimatePanelRequests, EstimatePanelSignals } from '../../src/protocol/messages.js';
import type { HostConnection } from '../shared/hostApi.js';

/** The connection of an estimate's panel. */
export type EstimateHost = HostConnection<EstimatePanelRequests, EstimatePanelSignals, EstimatePanelEvents>;
