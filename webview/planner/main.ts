import { connectToHost } from '../shared/hostApi.js';
import type { PlannerHost } from './plannerHost.js';
import './stowagePlanner.js';

const panel = document.querySelector('stowage-planner');
if (panel !== null) {
  const host: PlannerHost = connectToHost();
  panel.connect(host);
}
