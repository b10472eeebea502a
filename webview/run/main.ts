import { connectToHost } from '../shared/hostApi.js';
import type { RunHost } from './runHost.js';
import './stowageRun.js';

const panel = document.querySelector('stowage-run');
if (panel !== null) {
  const host: RunHost = connectToHost();
  panel.connect(host);
}
