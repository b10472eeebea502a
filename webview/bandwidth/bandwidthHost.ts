import type { BandwidthPanelEvents, BandwidthPanelRequests, BandwidthPanelSignals } from '../../src/protocol/messages.js';
import type { HostConnection } from '../shared/hostApi.js';

/** The bandwidth panel's connection. */
export type BandwidthHost = HostConnection<BandwidthPanelRequests, BandwidthPanelSignals, BandwidthPanelEvents>;
