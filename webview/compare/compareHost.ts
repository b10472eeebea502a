import type { ComparePanelEvents, ComparePanelRequests, ComparePanelSignals } from '../../src/protocol/messages.js';
import type { HostConnection } from '../shared/hostApi.js';

/** The connection of a panel of a comparison. */
export type CompareHost = HostConnection<ComparePanelRequests, ComparePanelSignals, ComparePanelEvents>;
