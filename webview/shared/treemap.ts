import { hierarchy, treemap, treemapSquarify, type HierarchyRectangularNode } from 'd3-hierarchy';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { formatBytes, formatShare } from '../../src/core/text/units.js';
import { baseStyles } from './baseStyles.js';
import { exactBytes } from './byteText.js';
import { fillStyles, type FillId } from './componentColor.js';
import { cssProperties } from './cssProperties.js';
import { onResize } from './elementControllers.js';

export interface TreemapTile {
  label: string;
  bytes: number;
  fill: FillId;
  /** What choosing it does, in a few words. */
  hint: string;
  choose(): void;
}

interface Node {
  tile?: TreemapTile;
  children?: Node[];
}

/** Areas in proportion to bytes. Every tile is a button, so that the keyboard reaches what the pointer reaches. */
@customElement('stowage-treemap')
export class Treemap extends LitElement {
  static override styles = [
    baseStyles,
    fillStyles,
    css`
      :host {
        position: relative;
      }
      ul {
        position: absolute;
        inset: 0;
      }
      li {
        position: absolute;
        display: flex;
      }
      button {
        flex: 1;
        min-width: 0;
        min-height: 0;
        padding: 6px 8px;
        overflow: hidden;
        border-radius: 3px;
        border: 1px solid var(--vscode-contrastBorder, transparent);
        display: flex;
        flex-direction: column;
        align-items: flex-start;
        justify-content: flex-start;
      }
      button.bare {
        padding: 0;
        border-radius: 1px;
      }
      button:hover {
        filter: brightness(1.08);
      }
      button:focus-visible {
        outline: 2px solid var(--vscode-focusBorder);
        outline-offset: -3px;
      }
      .label {
        font-size: var(--stowage-small);
        max-width: 100%;
      }
      .bytes {
        font-weight: 600;
        max-width: 100%;
      }
    `,
  ];

  @property() label = '';
  @property({ attribute: false }) tiles: TreemapTile[] = [];
  @state() private size = { width: 400, height: 280 };

  constructor() {
    super();
    onResize(this, ({ width, height }) => {
      const changed = Math.abs(width - this.size.width) >= 1 || Math.abs(height - this.size.height) >= 1;
      if (width > 0 && height > 0 && changed) this.size = { width, height };
    });
  }

  override render(): TemplateResult {
    const total = this.tiles.reduce((sum, { bytes }) => sum + bytes, 0);
    const root = hierarchy<Node>({ children: this.tiles.map((tile) => ({ tile })) })
      .sum((node) => node.tile?.bytes ?? 0)
      .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
    const layout = treemap<Node>().tile(treemapSquarify.ratio(1.3)).size([this.size.width, this.size.height]).paddingInner(2)(
      root,
    );
    return html`<ul aria-label=${this.label}>
      ${layout.leaves().map((leaf) => this.renderTile(leaf, total))}
    </ul>`;
  }

  private renderTile(leaf: HierarchyRectangularNode<Node>, total: number): TemplateResult | typeof nothing {
    const { tile } = leaf.data;
    if (tile === undefined) return nothing;
    const width = leaf.x1 - leaf.x0;
    const height = leaf.y1 - leaf.y0;
    // Less than a line: nothing to see or to hit. The table beside the map lists every component.
    if (width < 2.5 || height < 2.5) return nothing;
    const bare = width < 56 || height < 24;
    const words = `${tile.label}, ${formatBytes(tile.bytes)}, ${formatShare(tile.bytes / total)}`;
    const place = { left: `${leaf.x0}px`, top: `${leaf.y0}px`, width: `${width}px`, height: `${height}px` };
    return html`<li ${cssProperties(place)}>
      <button
        class="fill ${tile.fill} ${bare ? 'bare' : ''}"
        aria-label=${`${words}: ${tile.hint}`}
        title=${`${words}\n${exactBytes(tile.bytes)}\nClick: ${tile.hint}`}
        @click=${tile.choose}
      >
        ${
          bare
            ? nothing
            : html`<span class="label clip">${tile.label}</span>
                ${height < 44 ? nothing : html`<span class="bytes clip num">${formatBytes(tile.bytes)}</span>`}
                ${height < 66 ? nothing : html`<span class="label clip num">${formatShare(tile.bytes / total)}</span>`}`
        }
      </button>
    </li>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-treemap': Treemap;
  }
}
