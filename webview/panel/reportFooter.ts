import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Report } from '../../src/core/inspection/report.js';
import { formatBytes, formatCount } from '../../src/core/text/units.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes, fineShare } from '../shared/byteText.js';
import { counted, shortTime } from '../../src/core/text/quantities.js';
import { emitPanelEvent } from './panelEvents.js';

/** What the inspection cost, and that nothing was run. */
@customElement('stowage-report-footer')
export class ReportFooter extends LitElement {
  static override styles = [
    baseStyles,
    css`
      footer {
        color: var(--stowage-muted);
        font-size: var(--stowage-small);
        display: flex;
        flex-wrap: wrap;
        gap: 2px 20px;
        padding: 12px 0 2px;
        border-top: 1px solid var(--stowage-line);
        position: relative;
        overflow: hidden;
      }
      /* In the gap before it, which the footer cuts off where a line begins. */
      span:not(:first-child)::before {
        content: '·';
        position: absolute;
        translate: -12px;
      }
    `,
  ];

  @property({ attribute: false }) report!: Report;

  override render(): TemplateResult {
    const { io, totalBytes } = this.report;
    const pickleImports = (this.report.kind === 'collection' ? undefined : this.report.pickleImports) ?? [];
    const odd = pickleImports.filter(({ kind }) => kind === 'unexpected').length;
    return html`<footer class="num">
      <span title=${`${exactBytes(io.bytesRead)} of ${exactBytes(totalBytes)}`}
        >read ${formatBytes(io.bytesRead)} of
        ${formatBytes(totalBytes)}${totalBytes === 0 ? '' : ` (${fineShare(io.bytesRead, totalBytes)})`}</span
      >
      <span>${counted(io.reads, 'read')}</span>
      <span title=${`${formatCount(Math.max(1, Math.round(io.elapsedMs)))} ms`}
        >${io.elapsedMs < 1000 ? '< 1 s' : shortTime(io.elapsedMs / 1000)}</span
      >
      <span>nothing was executed</span>
      ${
        pickleImports.length === 0
          ? nothing
          : html`<span
              >${counted(pickleImports.length, 'pickle import')}${odd === 0 ? ', none unexpected' : `, ${formatCount(odd)} unexpected`}:
              <button class="link" @click=${() => emitPanelEvent(this, 'panel-tab', 'imports')}>list</button></span
            >`
      }
    </footer>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-report-footer': ReportFooter;
  }
}
