import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { ObjectNode, ObjectReport } from '../../src/core/checkpoints/checkpointReport.js';
import { formatCount } from '../../src/core/text/units.js';
import { baseStyles } from '../shared/baseStyles.js';
import { cssProperties } from '../shared/cssProperties.js';
import { fileText } from '../shared/fileText.js';
import { rowAfterKey } from '../shared/gridKeys.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { childrenStep, keyPathOf, objectRows, type ObjectRow } from './objectRows.js';
import { objectTreeStyles } from './objectTreeStyles.js';
import { emitPanelEvent } from '../panel/panelEvents.js';

/** Pickled and JSON objects as a tree of values. Only what is expanded is in the document. */
@customElement('stowage-object-tree')
export class ObjectTree extends LitElement {
  static override styles = [baseStyles, objectTreeStyles];

  @property({ attribute: false }) objects: ObjectReport[] = [];
  @property({ attribute: false }) expanded: string[] = [];
  @state() private active = '0';
  @state() private limits: ReadonlyMap<string, number> = new Map();
  private rows: ObjectRow[] = [];

  override willUpdate(): void {
    this.rows = objectRows(this.objects, new Set(this.expanded), this.limits);
    if (!this.rows.some(({ id }) => id === this.active)) this.active = this.rows[0]?.id ?? '0';
  }

  override render(): TemplateResult {
    return html`<div class="tree" role="tree" aria-label="Objects" @keydown=${this.onKey}>
      ${this.rows.map((row) => this.renderRow(row))}
    </div>`;
  }

  private renderRow(row: ObjectRow): TemplateResult {
    const { id, node } = row;
    return html`<div
      class="row"
      role="treeitem"
      id=${`node-${id}`}
      aria-level=${row.level}
      aria-posinset=${row.position}
      aria-setsize=${row.siblings}
      aria-expanded=${row.expandable ? row.expanded : nothing}
      aria-selected=${id === this.active}
      tabindex=${id === this.active ? 0 : -1}
      ${cssProperties({ '--level': String(row.level - 1) })}
      @click=${() => this.onClick(row)}
    >
      <span class="twist" aria-hidden="true"
        >${row.expandable ? html`<vscode-icon name=${row.expanded ? 'chevron-down' : 'chevron-right'} size="14"></vscode-icon>` : nothing}</span
      >
      ${node === null ? renderHidden(row) : this.renderNode(row, node)}
    </div>`;
  }

  private renderNode(row: ObjectRow, node: ObjectNode): TemplateResult {
    const root = row.level === 1;
    return html`<span class="key mono ${root ? 'root' : ''}">${fileText(row.label)}</span
      >${root ? nothing : html`<span class="muted">: </span>`}
      ${node.type === undefined ? nothing : html`<span class="type mono">${fileText(node.type)}</span>`}
      <span class="value mono ${node.kind}" title=${visibleText(node.text)}>${fileText(node.text)}</span>
      ${saysItsCount(node) ? nothing : html`<span class="muted num small">${formatCount(node.count ?? 0)}</span>`}`;
  }

  private onClick(row: ObjectRow): void {
    this.active = row.id;
    if (row.hidden !== undefined) this.showMore(row);
    else if (row.expandable) this.toggle(row);
  }

  private toggle({ id, expanded }: ObjectRow): void {
    const next = expanded ? this.expanded.filter((other) => other !== id) : [...this.expanded, id];
    emitPanelEvent(this, 'panel-state', { expanded: next });
  }

  private showMore(row: ObjectRow): void {
    const parent = row.id.slice(0, -2);
    this.limits = new Map(this.limits).set(parent, (this.limits.get(parent) ?? childrenStep) + childrenStep);
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const at = this.rows.findIndex(({ id }) => id === this.active);
    const row = this.rows[at];
    if (row === undefined) return;
    const command = event.ctrlKey || event.metaKey;
    const to = command ? null : rowAfterKey(event.key, at, this.rows.length, 16);
    if (to !== null) this.focusRow(this.rows[to]);
    else if (event.key === 'ArrowRight') this.onRight(row, at);
    else if (event.key === 'ArrowLeft') this.onLeft(row);
    else if (event.key === 'Enter' || event.key === ' ') this.onClick(row);
    else if (command && event.key.toLowerCase() === 'c') this.copy(row);
    else return;
    event.preventDefault();
  };

  private onRight(row: ObjectRow, at: number): void {
    if (row.expandable && !row.expanded) this.toggle(row);
    else if (row.expanded) this.focusRow(this.rows[at + 1]);
  }

  private onLeft(row: ObjectRow): void {
    if (row.expanded) this.toggle(row);
    else this.focusRow(this.rows.find(({ id }) => id === row.id.slice(0, row.id.lastIndexOf('/'))));
  }

  private focusRow(row: ObjectRow | undefined): void {
    if (row === undefined) return;
    this.active = row.id;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(`[id="node-${row.id}"]`)?.focus());
  }

  private copy({ id, node }: ObjectRow): void {
    if (node === null) return;
    const path = keyPathOf(this.objects, id);
    const text = visibleText(node.text);
    emitPanelEvent(this, 'panel-copy', { text: path === '' ? text : `${visibleText(path)} = ${text}`, what: 'the value' });
  }
}

/** `25 entries` needs no second 25 behind it; what has no children has no count. */
function saysItsCount({ count, text }: ObjectNode): boolean {
  return count === undefined || count === 0 || text.startsWith(`${count} `);
}

function renderHidden({ hidden }: ObjectRow): TemplateResult {
  const more = hidden?.more ?? 0;
  const omitted = hidden?.omitted ?? 0;
  return html`<span class="muted"
    >${more > 0 ? html`<span class="link">show ${formatCount(Math.min(more, childrenStep))} more</span> of ${formatCount(more)}` : nothing}${
      more > 0 && omitted > 0 ? '; ' : nothing
    }${omitted > 0 ? `${formatCount(omitted)} not listed in the report` : nothing}</span
  >`;
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-object-tree': ObjectTree;
  }
}
