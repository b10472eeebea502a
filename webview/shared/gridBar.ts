/** The line above a table: what it is narrowed to, how many rows it has, what can be done with it. */
import { html, nothing, type TemplateResult } from 'lit';
import { counted } from '../../src/core/text/quantities.js';
import { formatBytes, formatCount } from '../../src/core/text/units.js';
import './gridSearch.js';
import type { MenuItem } from './menuButton.js';
import './menuButton.js';

export interface GridBar {
  /** Of a table that has its rows. */
  search: { text: string; label: string } | null;
  /** How many rows there are; null where its owner says it. */
  count: string | null;
  /** What columns would say that are left out: `all bf16`. */
  constants: readonly unknown[];
  selectedCount: number;
  columnItems: MenuItem[];
}

export interface BarActs {
  search(text: string): void;
  copySelected(): void;
  chooseColumnItem(item: string): void;
}

export function renderGridBar({ search, count, constants, selectedCount, columnItems }: GridBar, acts: BarActs): TemplateResult {
  return html`<div class="bar">
    <slot name="filters"></slot>
    ${
      search === null
        ? nothing
        : html`<stowage-grid-search
            .text=${search.text}
            .label=${search.label}
            @grid-search=${(event: CustomEvent<string>) => acts.search(event.detail)}
          ></stowage-grid-search>`
    }
    <span class="said num muted">${count ?? html`<slot name="said"></slot>`}${constants.map((words) => html` · ${words}`)}</span>
    <span class="grow"></span>
    ${
      selectedCount < 2
        ? nothing
        : html`<button class="quiet" @click=${() => acts.copySelected()}>Copy ${counted(selectedCount, 'row')}</button>`
    }
    <stowage-menu-button
      label="Columns"
      .items=${columnItems}
      @menu-choose=${(event: CustomEvent<string>) => acts.chooseColumnItem(event.detail)}
    ></stowage-menu-button>
  </div>`;
}

/** `12 of 1,164 files, 3.2 GB`. */
export function countWords(counts: { shown: number; all: number; noun: string; bytes: number | null }): string {
  const { shown, all, noun, bytes } = counts;
  const words = `${shown === all ? '' : `${formatCount(shown)} of `}${counted(all, noun)}`;
  return bytes === null ? words : `${words}, ${formatBytes(bytes)}`;
}
