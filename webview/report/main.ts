import { connectToHost } from '../shared/hostApi.js';
import type { ReportHost } from '../panel/reportHost.js';
import './stowageReport.js';

const panel = document.querySelector('stowage-report');
if (panel !== null) {
  const host: ReportHost = connectToHost();
  panel.connect(host);
}
