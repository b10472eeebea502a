import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { CheckPreview } from '../../src/core/bandwidth/checkPreview.js';
import type { CheckSettings } from '../../src/core/bandwidth/checkSettings.js';
import { baseStyles } from '../shared/baseStyles.js';
import { fileText } from '../shared/fileText.js';
import { quietButtonStyles } from '../shared/quietButtonStyles.js';
import { emitBandwidthEvent } from './bandwidthEvents.js';
import { usualSweep } from '../../src/core/bandwidth/sweep/sweepRequest.js';
import { derivedSetting, type AmountKey } from './settingFields.js';
import './settingInput.js';
import './sweepInput.js';

/** What a check is asked for: where, in whose shape, within which bounds. */
@customElement('stowage-check-settings')
export class SettingsView extends LitElement {
  static override styles = [
    baseStyles,
    quietButtonStyles,
    css`
      fieldset {
        margin: 0 0 14px;
        padding: 0;
        border: 0;
        min-width: 0;
      }
      legend,
      h2 {
        padding: 0;
        margin-bottom: 6px;
        font-size: var(--stowage-body);
        font-weight: 600;
      }
      .place {
        margin-bottom: 14px;
      }
      .place p {
        margin-bottom: 6px;
        overflow-wrap: anywhere;
      }
      .choice {
        display: flex;
        align-items: baseline;
        gap: 8px;
        margin-bottom: 6px;
      }
      .choice label {
        min-width: 0;
        overflow-wrap: anywhere;
      }
      input[type='radio'],
      input[type='checkbox'] {
        flex: none;
        accent-color: var(--vscode-button-background);
        translate: 0 2px;
      }
      .indented {
        margin-left: 22px;
      }
    `,
  ];

  @property({ attribute: false }) settings!: CheckSettings;
  /** The checkpoint that can be replayed, also while a size is chosen; null where none was named. */
  @property({ attribute: false }) known: string | null = null;
  @property({ attribute: false }) preview: CheckPreview | null = null;

  override render(): TemplateResult {
    return html`<form aria-label="Settings" @submit=${(event: Event) => event.preventDefault()}>
      <div class="place">
        <h2>Where</h2>
        <p class="mono">${fileText(this.settings.target)}</p>
        <button type="button" class="quiet" @click=${() => emitBandwidthEvent(this, 'check-choose', 'target')}>
          Another directory…
        </button>
      </div>
      ${this.renderShape()}
      <fieldset>
        <legend>Within which bounds</legend>
        ${(['seconds', 'spaceBytes', 'repeats', 'streams', 'blockBytes'] as const).map((key) => this.renderInput(key))}
      </fieldset>
      ${this.renderMore()}
      <fieldset>
        <legend>Compared with</legend>
        ${this.renderInput('intervalSeconds')}
      </fieldset>
    </form>`;
  }

  private renderShape(): TemplateResult {
    const { replayOf } = this.settings;
    return html`<fieldset>
      <legend>In the shape of</legend>
      <div class="choice">
        <input type="radio" name="shape" id="replay" .checked=${replayOf !== null} @change=${() => this.replay()} />
        <label for="replay">
          ${this.known === null ? 'a checkpoint' : html`this checkpoint: <span class="mono">${fileText(this.known)}</span>`}
        </label>
      </div>
      <div class="indented choice">
        <button type="button" class="quiet" @click=${() => emitBandwidthEvent(this, 'check-choose', 'replayOf')}>
          ${this.known === null ? 'Choose a checkpoint…' : 'Another checkpoint…'}
        </button>
      </div>
      <div class="choice">
        <input
          type="radio"
          name="shape"
          id="size"
          .checked=${replayOf === null}
          @change=${() => emitBandwidthEvent(this, 'check-settings', { replayOf: null })}
        />
        <label for="size">a size, in files of equal size</label>
      </div>
      ${replayOf === null ? html`<div class="indented">${this.renderInput('sizeBytes')}</div>` : nothing}
    </fieldset>`;
  }

  private renderMore(): TemplateResult {
    const { sweepStreams, isSustained } = this.settings;
    return html`<fieldset>
      <legend>Also measure</legend>
      <div class="choice">
        <input
          type="checkbox"
          id="sweep"
          .checked=${sweepStreams !== null}
          @change=${() => emitBandwidthEvent(this, 'check-settings', { sweepStreams: sweepStreams === null ? [...usualSweep] : null })}
        />
        <label for="sweep">other numbers of streams, to find how many are enough</label>
      </div>
      ${
        sweepStreams === null
          ? nothing
          : html`<div class="indented"><stowage-sweep-input .streams=${sweepStreams}></stowage-sweep-input></div>`
      }
      <div class="choice">
        <input
          type="checkbox"
          id="sustained"
          .checked=${isSustained}
          @change=${() => emitBandwidthEvent(this, 'check-settings', { isSustained: !isSustained })}
        />
        <label for="sustained">the sustained rate, once a burst is spent</label>
      </div>
      ${
        isSustained
          ? html`<div class="indented">${this.renderInput('sustainedBytes')} ${this.renderInput('sustainedSeconds')}</div>`
          : nothing
      }
    </fieldset>`;
  }

  private replay(): void {
    if (this.known === null) {
      // There is nothing to replay before one was chosen.
      this.requestUpdate();
      emitBandwidthEvent(this, 'check-choose', 'replayOf');
    } else emitBandwidthEvent(this, 'check-settings', { replayOf: this.known, sizeBytes: null });
  }

  private renderInput(key: AmountKey): TemplateResult {
    return html`<stowage-setting-input
      .key=${key}
      .value=${this.settings[key]}
      .derived=${derivedSetting(key, this.preview)}
    ></stowage-setting-input>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stowage-check-settings': SettingsView;
  }
}
