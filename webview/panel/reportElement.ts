import { LitElement } from 'lit';
import { property, query } from 'lit/decorators.js';
import type { InspectionProgress, VerificationState } from '../../src/protocol/messages.js';
import '../shared/tabStrip.js';
import { emitPanelEvent } from './panelEvents.js';
import type { HeaderAction } from './reportHeader.js';
import type { ReportViewState } from './viewState.js';

/** A tab with a table that can be searched. */
interface Searched {
  focusSearch(): boolean;
}

/** What the views of reports and estimates have: a name, where the reader is, a refresh under way, and tabs. */
export abstract class ReportElement<Shown, View = ReportViewState> extends LitElement {
  @property({ attribute: false }) name = '';
  @property({ attribute: false }) report!: Shown;
  @property({ attribute: false }) view!: View;
  /** While the same path is inspected again: how far it is, or true until that is known. */
  @property({ attribute: false }) refreshing: InspectionProgress | boolean = false;

  /** What is known of its bytes. */
  @property({ attribute: false }) verification: VerificationState = { kind: 'none' };

  /** Whether the shown tab is a table that takes the page and scrolls by itself. */
  @property({ type: Boolean, reflect: true }) fills = false;

  @query('stowage-tab-strip') private tabs!: HTMLElementTagNameMap['stowage-tab-strip'];

  /** Of the header, besides those that all have; nothing can be verified of no bytes. */
  protected actionsOf(totalBytes: number): HeaderAction[] {
    if (totalBytes === 0) return [];
    return [{ label: 'Verify', icon: 'shield', choose: () => emitPanelEvent(this, 'panel-verify', { create: false }) }];
  }

  /** To the tabs: where the reader goes after choosing something above them that a tab shows. */
  async focusTab(): Promise<void> {
    await this.updateComplete;
    await this.tabs.updateComplete;
    this.tabs.focus();
  }

  /** Puts the caret into the search of the table that is shown. Answers false where none is. */
  focusSearch(): boolean {
    const shown = this.renderRoot.querySelector('stowage-tab-strip > *');
    return isSearched(shown) && shown.focusSearch();
  }
}

function isSearched(element: Element | null): element is Element & Searched {
  return element !== null && 'focusSearch' in element;
}
