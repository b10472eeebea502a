import { connectToHost } from '../shared/hostApi.js';
import type { BandwidthHost } from './bandwidthHost.js';
import './stowageBandwidth.js';

const panel = document.querySelector('stowage-bandwidth');
if (panel !== null) {
  const host: BandwidthHost = connectToHost();
  panel.connect(host);
}
