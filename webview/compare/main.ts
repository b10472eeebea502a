import { connectToHost } from '../shared/hostApi.js';
import type { CompareHost } from './compareHost.js';
import './stowageCompare.js';

const panel = document.querySelector('stowage-compare');
if (panel !== null) {
  const host: CompareHost = connectToHost();
  panel.connect(host);
}
