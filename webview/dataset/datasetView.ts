import { css, html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { datasetHeadlineOf } from '../../src/core/pages/dataset/datasetHeadline.js';
import { datasetVerdict } from '../../src/core/pages/reportVerdict.js';
import type { DatasetReport } from '../../src/core/datasets/datasetReport.js';
import { datasetSubtitle } from '../../src/core/pages/dataset/datasetWords.js';
import { exportMenu } from '../panel/exportMenu.js';
import '../panel/filesView.js';
import '../panel/findingsView.js';
import '../panel/headlineView.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import { ReportElement } from '../panel/reportElement.js';
import '../panel/reportFooter.js';
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
        margin: 18px 0;
      }
    `,
  ];

  override render(): TemplateResult {
    const { report } = this;
    const { size, binarySize, what, how } = datasetHeadlineOf(report);
    const odd = oddDatasetCase(report);
    return html`<stowage-report-header
        .name=${this.name}
        .path=${report.path}
        .subtitle=${datasetSubtitle(report)}
        .exports=${exportMenu(report, {})}
        .refreshing=${this.refreshing}
      ></stowage-report-header>
      <stowage-headline
        .verdict=${datasetVerdict(report)}
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
      }
      <stowage-tab-strip
        label="Parts of the report"
        .tabs=${datasetTabs(report)}
        .selected=${shownDatasetTab(report, this.view.tab)}
        @tab-select=${(event: CustomEvent<TabId>) => emitPanelEvent(this, 'panel-tab', event.detail)}
        >${this.renderTab()}</stowage-tab-strip
      >
      <stowage-report-footer .report=${report}></stowage-report-footer>`;
  }

  private renderTab(): TemplateResult {
    const { report, view } = this;
    switch (shownDatasetTab(report, view.tab)) {
      case 'shards':
        return html`<stowage-shards-view
          .report=${report}
          .sort=${view.shardSort}
          .oddOnly=${view.oddShards}
        ></stowage-shards-view>`;
      case 'splits':
        return html`<stowage-splits-view .report=${report}></stowage-splits-view>`;
      case 'lengths':
        return html`<stowage-lengths-view .report=${report} .busy=${this.refreshing !== false}></stowage-lengths-view>`;
      case 'plan':
        return html`<stowage-plan-view .report=${report} .texts=${view.plan}></stowage-plan-view>`;
      case 'files':
        return html`<stowage-files-view .report=${report} .sort=${view.fileSort}></stowage-files-view>`;
      case 'findings':
        return html`<stowage-findings-view .report=${report}></stowage-findings-view>`;
      case 'facts':
        return html`<stowage-facts-view .report=${report}></stowage-facts-view>`;
      case 'columns':
        return html`<stowage-columns-view .report=${report}></stowage-columns-view>`;
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-dataset-view': DatasetView;
  }
}
