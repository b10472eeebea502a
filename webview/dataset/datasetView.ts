import { css, html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { datasetHeadlineOf, type DatasetHeadline } from '../../src/core/pages/dataset/datasetHeadline.js';
import { datasetVerdict, type ReportVerdict } from '../../src/core/pages/reportVerdict.js';
import type { DatasetReport } from '../../src/core/datasets/datasetReport.js';
import { datasetSubtitle } from '../../src/core/pages/dataset/datasetWords.js';
import { exportMenu } from '../panel/exportMenu.js';
import '../panel/filesView.js';
import '../panel/findingsView.js';
import '../panel/headlineView.js';
import '../panel/importsView.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import { ReportElement } from '../panel/reportElement.js';
import '../panel/reportFooter.js';
import '../panel/verificationView.js';
import '../panel/reportHeader.js';
import { reportViewStyles } from '../panel/reportViewStyles.js';
import type { TabId } from '../panel/viewState.js';
import { baseStyles } from '../shared/baseStyles.js';
import './columnsView.js';
import './datasetBar.js';
import './datasetCards.js';
import { datasetTabs, shownDatasetTab } from './datasetTabs.js';
import './factsView.js';
import './lengthsView.js';
import { oddDatasetCase } from './oddDatasetCase.js';
import './planView.js';
import './shardsView.js';
import './splitsView.js';
import './tokenizerOffer.js';

/** A whole dataset report: the answer first, then what proves it. */
@customElement('stowage-dataset-view')
export class DatasetView extends ReportElement<DatasetReport> {
  static override styles = [
    baseStyles,
    reportViewStyles,
    css`
      stowage-dataset-cards {
        margin: 12px 0;
      }
    `,
  ];

  override willUpdate(): void {
    const tab = shownDatasetTab(this.report, this.view.tab);
    this.fills = this.view.tab === tab && filledBy.has(tab);
  }

  override render(): TemplateResult {
    const { report } = this;
    const headline = datasetHeadlineOf(report);
    const verdict = datasetVerdict(report);
    const tab = shownDatasetTab(report, this.view.tab);
    const isTable = this.view.tab === tab && tablesOnly.has(tab);
    return html`<stowage-report-header
        .name=${this.name}
        .path=${report.path}
        .subtitle=${datasetSubtitle(report)}
        .exports=${exportMenu(report, {})}
        .summary=${isTable ? { size: headline.size, totalBytes: report.totalBytes, verdict } : null}
        .refreshing=${this.refreshing}
        .actions=${this.actionsOf(report.totalBytes)}
      ></stowage-report-header>
      ${isTable ? nothing : this.renderAnswer(headline, verdict)}
      <stowage-tab-strip
        label="Parts of the report"
        .tabs=${datasetTabs(report)}
        .selected=${tab}
        .fills=${this.fills}
        @tab-select=${(event: CustomEvent<TabId>) => emitPanelEvent(this, 'panel-tab', event.detail)}
        >${this.renderTab()}</stowage-tab-strip
      >
      <stowage-report-footer .report=${report}></stowage-report-footer>`;
  }

  /** The headline and what proves it. */
  private renderAnswer({ size, binarySize, what, how }: DatasetHeadline, verdict: ReportVerdict): TemplateResult {
    const { report } = this;
    const odd = oddDatasetCase(report);
    return html`<stowage-headline
        .verdict=${verdict}
        .totalBytes=${report.totalBytes}
        .size=${size}
        .binarySize=${binarySize}
        .answer=${what}
        .answerFirst=${true}
        .more=${how}
      ></stowage-headline>
      ${odd === null ? nothing : html`<p class="odd" role="note">${odd}</p>`}
      ${report.totalBytes === 0 ? nothing : html`<stowage-dataset-bar .report=${report}></stowage-dataset-bar>`}
      ${report.files.length === 0 ? nothing : html`<stowage-dataset-cards .report=${report}></stowage-dataset-cards>`}
      ${
        report.text === null
          ? nothing
          : html`<stowage-tokenizer-offer .report=${report} .busy=${this.refreshing !== false}></stowage-tokenizer-offer>`
      }`;
  }

  private renderTab(): TemplateResult {
    const { report, view, fills } = this;
    const { tables } = view;
    switch (shownDatasetTab(report, view.tab)) {
      case 'shards':
        return html`<stowage-shards-view
          .report=${report}
          .tables=${tables}
          .oddOnly=${view.oddShards}
          .fills=${fills}
        ></stowage-shards-view>`;
      case 'splits':
        return html`<stowage-splits-view .report=${report} .tables=${tables}></stowage-splits-view>`;
      case 'lengths':
        return html`<stowage-lengths-view .report=${report} .busy=${this.refreshing !== false}></stowage-lengths-view>`;
      case 'plan':
        return html`<stowage-plan-view .report=${report} .texts=${view.plan}></stowage-plan-view>`;
      case 'files':
        return html`<stowage-files-view .report=${report} .tables=${tables} .fills=${fills}></stowage-files-view>`;
      case 'findings':
        return html`<stowage-findings-view .report=${report}></stowage-findings-view>`;
      case 'imports':
        return html`<stowage-imports-view .report=${report} .tables=${tables} .fills=${fills}></stowage-imports-view>`;
      case 'integrity':
        return html`<stowage-verification-view
          .state=${this.verification}
          .totalBytes=${report.totalBytes}
          .logged=${report.loggedChecks ?? []}
          .tables=${tables}
        ></stowage-verification-view>`;
      case 'facts':
        return html`<stowage-facts-view .report=${report} .tables=${tables}></stowage-facts-view>`;
      case 'columns':
        return html`<stowage-columns-view .report=${report} .tables=${tables}></stowage-columns-view>`;
    }
  }
}

/** Tabs whose table takes the page once it is chosen: the headline becomes a line of the header. */
const tablesOnly = new Set<TabId>(['shards', 'files', 'findings', 'integrity']);

/** Of these tabs, those that are one table. */
const filledBy = new Set<TabId>(['shards', 'files']);

declare global {
  interface HTMLElementTagNameMap {
    'stowage-dataset-view': DatasetView;
  }
}
