import { LitElement } from 'lit';
import { property, query } from 'lit/decorators.js';
import type { Report } from '../../src/core/inspection/report.js';
import type { InspectionProgress } from '../../src/protocol/messages.js';
import '../shared/tabStrip.js';
import type { ReportViewState } from './viewState.js';

/** What the views of both kinds of reports have: a name, where the reader is, a refresh under way, and tabs. */
export abstract class ReportElement<Shown extends Report> extends LitElement {
  @property({ attribute: false }) name = '';
  @property({ attribute: false }) report!: Shown;
  @property({ attribute: false }) view!: ReportViewState;
  /** While the same path is inspected again: how far it is, or true until that is known. */
  @property({ attribute: false }) refreshing: InspectionProgress | boolean = false;

  @query('stowage-tab-strip') private tabs!: HTMLElementTagNameMap['stowage-tab-strip'];

  /** To the tabs: where the reader goes after choosing something above them that a tab shows. */
  async focusTab(): Promise<void> {
    await this.updateComplete;
    await this.tabs.updateComplete;
    this.tabs.focus();
  }
}
