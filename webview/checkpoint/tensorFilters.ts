import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { labelOfPart } from '../../src/core/checkpoints/segments.js';
import type { ComponentId, TensorPart } from '../../src/core/tensors/component.js';
import type { TensorFacets, TensorQuery } from '../../src/core/tensors/tensorQuery.js';
import { baseStyles } from '../shared/baseStyles.js';
import { fillOf } from '../shared/componentColor.js';
import type { GridSearch } from '../shared/gridSearch.js';
import '../shared/gridSearch.js';
import type { FilterChoice } from '../shared/filterChip.js';
import '../shared/filterChip.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import { filterKeys, toggleFilter, withFilter, withSearch, type FilterKey } from '../panel/tensorFilter.js';

const labels: Record<FilterKey, string> = { components: 'Component', dtypes: 'dtype', files: 'File', layers: 'Layer' };

/** The search field and one chip for each thing tensors can be filtered by; what else concerns the whole table is between them. */
@customElement('stowage-tensor-filters')
export class TensorFilters extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 6px 8px;
      }
    `,
  ];

  @property({ attribute: false }) query: TensorQuery = {};
  @property({ attribute: false }) facets: TensorFacets | null = null;
  @query('stowage-grid-search') private search!: GridSearch;

  /** Puts the caret into the search field. */
  focusSearch(): void {
    void this.search.focusSearch();
  }

  override render(): TemplateResult {
    return html`<stowage-grid-search
        .text=${this.query.search ?? ''}
        .label=${'Search tensor names'}
        .placeholder=${'Search names'}
        @grid-search=${(event: CustomEvent<string>) => emitPanelEvent(this, 'panel-query', withSearch(this.query, event.detail))}
      ></stowage-grid-search>
      <slot></slot>
      ${filterKeys.map((key) => this.renderChip(key))}`;
  }

  private renderChip(key: FilterKey): TemplateResult {
    const choices = (this.facets?.[key] ?? []).map((facet): FilterChoice => ({
      ...facet,
      label: labelOf(key, facet.value),
      ...(key === 'components' ? { fill: fillOf(...componentAndPart(facet.value)) } : {}),
    }));
    const chosen: string[] = this.query[key] ?? [];
    return html`<stowage-filter-chip
      .label=${labels[key]}
      .choices=${choices}
      .chosen=${chosen}
      .describe=${(value: string) => labelOf(key, value)}
      @filter-toggle=${(event: CustomEvent<string>) => emitPanelEvent(this, 'panel-query', toggleFilter(this.query, key, event.detail))}
      @filter-clear=${() => emitPanelEvent(this, 'panel-query', withFilter(this.query, key, []))}
    ></stowage-filter-chip>`;
  }
}

function labelOf(key: FilterKey, value: string): string {
  if (key === 'components') return labelOfPart(...componentAndPart(value));
  return key === 'layers' && value === '' ? 'outside of layers' : value;
}

/** `optimizer:firstMoment` as its two halves. */
function componentAndPart(choice: string): [ComponentId, TensorPart] {
  const [component, part] = choice.split(':') as [ComponentId, TensorPart | undefined];
  return [component, part ?? 'whole'];
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-tensor-filters': TensorFilters;
  }
}
