import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { BytesPerParameterTerm, CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import { labelOfPart } from '../../src/core/checkpoints/segments.js';
import { formatBytes, formatCount, formatPerParameter, formatShortCount } from '../../src/core/text/units.js';
import { baseStyles } from '../shared/baseStyles.js';
import { exactBytes } from '../shared/byteText.js';
import { counted } from '../../src/core/text/quantities.js';
import { fillOf, fillStyles } from '../shared/componentColor.js';
import { RovingFocus } from '../shared/rovingFocus.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { bytesPerParameterStyles } from './bytesPerParameterStyles.js';

/** The index of a term, or what is no single term. */
type Opened = 'sum' | 'rest' | 'parameters' | number;

/** `14.00 = 2.00 weights + 4.00 master + ...`, each number a button that shows where it comes from. */
@customElement('stowage-bytes-per-parameter')
export class BytesPerParameter extends LitElement {
  static override styles = [baseStyles, fillStyles, bytesPerParameterStyles];

  @property({ attribute: false }) report!: CheckpointReport;
  @state() private opened: Opened | null = null;
  private readonly roving = new RovingFocus(this, '.term');

  override render(): TemplateResult {
    const { bytesPerParameter, parameters } = this.report;
    if (bytesPerParameter === null) return html``;
    const { value, terms } = bytesPerParameter;
    const large = terms.map((term, index) => ({ term, index })).filter(({ term }) => !isSmall(term));
    const rest = terms.filter(isSmall);
    const last = large.length + (rest.length === 0 || large.length === 0 ? 1 : 2);
    return html`<section class="box" aria-label="Bytes per parameter">
      <div class="sum" @keydown=${this.roving.onKey} @focusin=${this.roving.onFocus}>
        ${this.renderNumber(0, 'sum', formatPerParameter(value), 'bytes per parameter')}
        ${large.map(
          ({ term, index }, position) =>
            html`<span class="addend"
              ><span class="operator">${position === 0 ? '=' : '+'}</span>${this.renderNumber(
                position + 1,
                index,
                formatPerParameter(term.bytesPerParameter),
                labelOfTerm(term),
              )}</span
            >`,
        )}
        ${
          rest.length === 0 || large.length === 0
            ? nothing
            : html`<span class="addend"
                ><span class="operator">+</span
                >${this.renderNumber(large.length + 1, 'rest', formatPerParameter(sumOf(rest)), labelOfRest(rest))}</span
              >`
        }
        <span class="grow"></span>
        ${this.renderNumber(last, 'parameters', formatCount(parameters.unique), 'parameters')}
      </div>
      <div id="source" role="region" aria-label="Where this comes from" ?hidden=${this.opened === null}>
        ${this.opened === null ? nothing : this.renderSource(this.opened)}
      </div>
    </section>`;
  }

  private renderNumber(place: number, opens: Opened, number: string, label: string): TemplateResult {
    const open = this.opened === opens;
    return html`<button
      class="term ${open ? 'open' : ''}"
      tabindex=${this.roving.tabIndexOf(place)}
      aria-expanded=${open}
      aria-controls="source"
      title="Where this comes from"
      @click=${() => (this.opened = open ? null : opens)}
      @keydown=${this.onKey}
    >
      <span class="number num counted">${number}</span> <span class="name">${label}</span>
    </button>`;
  }

  private renderSource(opened: Opened): TemplateResult {
    const { parameters, bytesPerParameter, totalBytes } = this.report;
    const terms = bytesPerParameter?.terms ?? [];
    return html`<div class="source">
      <p>
        <strong>${formatCount(parameters.unique)}</strong> parameters (${formatShortCount(parameters.unique)}), counted:
        ${visibleText(parameters.source)}${
          parameters.stored === parameters.unique
            ? nothing
            : html` ${formatCount(parameters.stored)} on disk: some are duplicates.`
        }
      </p>
      ${this.renderMatch()}
      ${
        opened === 'parameters'
          ? nothing
          : html`<div class="scroll-x" tabindex="0" role="group" aria-label="Terms of the sum">
              <table>
                <thead>
                  <tr>
                    <th scope="col">term</th>
                    <th scope="col" class="end">bytes</th>
                    <th scope="col" class="end">÷ parameters</th>
                    <th scope="col">dtype</th>
                    <th scope="col">where this comes from</th>
                  </tr>
                </thead>
                <tbody>
                  ${terms.map((term, index) => renderTerm(term, index === opened || (opened === 'rest' && isSmall(term))))}
                </tbody>
                <tfoot>
                  <tr>
                    <th scope="row">all bytes</th>
                    <td class="end num">${formatCount(totalBytes)}</td>
                    <td class="end num">${formatPerParameter(bytesPerParameter?.value ?? 0)}</td>
                    <td></td>
                    <td class="muted">${formatBytes(totalBytes)} ÷ ${formatCount(parameters.unique)}</td>
                  </tr>
                </tfoot>
              </table>
            </div>`
      }
    </div>`;
  }

  /** Order and shape are an assumption about whose state a tensor is; names are not. */
  private renderMatch(): TemplateResult | typeof nothing {
    const match = this.report.optimizerMatch;
    if (match === null) return nothing;
    const count = `${formatCount(match.matched)} of ${counted(match.total, 'parameter')}`;
    const how = match.method === 'by-name' ? 'by name' : match.method === 'none' ? 'not matched' : 'assumed by order and shape';
    return html`<p>
      Optimizer state of <span class="num ${match.method === 'by-order-and-shape' ? 'assumed' : ''}">${count}</span>, ${how}:
      ${visibleText(match.explanation)}
    </p>`;
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') this.opened = null;
  };
}

function renderTerm(term: BytesPerParameterTerm, marked: boolean): TemplateResult {
  return html`<tr class=${marked ? 'marked' : ''}>
    <th scope="row">
      <span class="swatch fill ${fillOf(term.component, term.part)}"></span>${labelOfPart(term.component, term.part)}
    </th>
    <td class="end num" title=${exactBytes(term.bytes)}>${formatCount(term.bytes)}</td>
    <td class="end num">${formatPerParameter(term.bytesPerParameter)}</td>
    <td class="mono">${term.dtypes.length === 0 ? '–' : visibleText(term.dtypes.join(', '))}</td>
    <td class="wrap">${visibleText(term.source)}</td>
  </tr>`;
}

function labelOfTerm(term: BytesPerParameterTerm): string {
  const dtype = term.dtypes[0];
  const label = labelOfPart(term.component, term.part);
  return dtype === undefined ? label : `${label}, ${visibleText(dtype)}`;
}

/** Rounds to 0.00: such terms share one place in the sum. */
function isSmall(term: BytesPerParameterTerm): boolean {
  return term.bytesPerParameter < 0.005;
}

function labelOfRest([first, ...others]: BytesPerParameterTerm[]): string {
  if (first === undefined) return '';
  return others.length === 0 ? labelOfPart(first.component, first.part) : `${others.length + 1} other`;
}

function sumOf(terms: BytesPerParameterTerm[]): number {
  return terms.reduce((sum, term) => sum + term.bytesPerParameter, 0);
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-bytes-per-parameter': BytesPerParameter;
  }
}
