import { html, type TemplateResult } from 'lit';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { Severity } from '../../src/core/findings/defineFinding.js';
import type { ReportVerdict } from '../../src/core/pages/reportVerdict.js';

/** Codicons, so that severity does not rest on colour alone. */
export const severityIcons: Record<Severity, string> = { error: 'error', warning: 'warning', note: 'info' };

/** The icon in front of a verdict, in its colour. Needs `severityStyles`. */
export function verdictIcon(severity: ReportVerdict['severity'], size: number): TemplateResult {
  const name = severity === 'fine' ? 'pass' : severityIcons[severity];
  return html`<vscode-icon class=${severity} name=${name} size=${size}></vscode-icon>`;
}
