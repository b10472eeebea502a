import type { RunPanelEvents, RunPanelRequests, RunPanelSignals } from '../../src/protocol/messages.js';
import type { HostConnection } from '../shared/hostApi.js';

/** The connection of a panel of runs. */
export type RunHost = HostConnection<RunPanelRequests, RunPanelSignals, RunPanelEvents>;
