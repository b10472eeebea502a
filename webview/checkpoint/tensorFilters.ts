import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { labelOfPart } from '../../src/core/checkpoints/segments.js';
import type { ComponentId, TensorPart } from '../../src/core/tensors/component.js';
import type { TensorFacets, TensorQuery } from '../../src/core/tensors/tensorQuery.js';
import { baseStyles } from '../shared/baseStyles.js';
import { fillOf } from '../shared/componentColor.js';
import type { FilterChoice } from '../shared/filterChip.js';
import '../shared/filterChip.js';
import { emitPanelEvent } from '../panel/panelEvents.js';
import { filterKeys, toggleFilter, withFilter, withSearch, type FilterKey } from '../panel/tensorFilter.js';

const labels: Record<FilterKey, string> = { components: 'Component', dtypes: 'dtype', files: 'File', layers: 'Layer' };
const searchDelayMs = 160;

/** The search field and one chip for each thing tensors can be filtered by. */
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
      vscode-textfield {
        flex: 1 1 220px;
        max-width: 420px;
      }
      kbd {
        font-family: var(--stowage-mono);
        font-size: var(--stowage-small);
        color: var(--stowage-muted);
        padding-right: 7px;
      }
    `,
  ];

  @property({ attribute: false }) query: TensorQuery = {};
  @property({ attribute: false }) facets: TensorFacets | null = null;
  @query('vscode-textfield') private field!: HTMLElementTagNameMap['vscode-textfield'];
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Puts the caret into the search field. */
  focusSearch(): void {
    this.field.focus();
    this.field.wrappedElement.select();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  override render(): TemplateResult {
    return html`<vscode-textfield
        .label=${'Search tensor names'}
        placeholder="Search names"
        .value=${this.query.search ?? ''}
        @input=${this.onSearch}
        @keydown=${this.onKey}
      >
        <vscode-icon slot="content-before" name="search" size="14"></vscode-icon>
        <kbd slot="content-after" aria-hidden="true" title="Press / to search">/</kbd>
      </vscode-textfield>
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

  private readonly onSearch = (): void => {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => emitPanelEvent(this, 'panel-query', withSearch(this.query, this.field.value)), searchDelayMs);
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || this.field.value === '') return;
    event.stopPropagation();
    clearTimeout(this.timer);
    emitPanelEvent(this, 'panel-query', withSearch(this.query, ''));
  };
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
