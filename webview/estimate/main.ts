import { connectToHost } from '../shared/hostApi.js';
import type { EstimateHost } from './estimateHost.js';
import './stowageEstimate.js';

const panel = document.querySelector('stowage-estimate');
if (panel !== null) {
  const host: EstimateHost = connectToHost();
  panel.connect(host);
}
