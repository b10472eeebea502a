/** The rates of a check, the one that decides held against what is needed: by colour, icon and words. */
import { css, html, nothing, type CSSResult, type TemplateResult } from 'lit';
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import type { BandwidthReport, BandwidthVerdict, RateSummary, Sufficiency } from '../../src/core/bandwidth/bandwidthReport.js';
import { shortRate, shortShare } from '../../src/core/text/quantities.js';

export const rateTileStyles: CSSResult = css`
  .rates {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 40px;
    margin: 4px 0 12px;
  }
  .tile {
    padding-left: 10px;
    border-left: 3px solid var(--stowage-line);
  }
  .tile.fine,
  .tile.warning,
  .tile.error {
    border-left-color: currentColor;
  }
  .tile > * {
    color: var(--vscode-foreground);
  }
  .tile > .muted {
    color: var(--stowage-muted);
  }
  .rate {
    display: flex;
    align-items: center;
    gap: 6px;
    font-size: var(--stowage-headline);
    font-weight: 600;
    letter-spacing: -0.2px;
  }
`;

/** Writing, what is left of it once a burst is spent, and reading. */
export function renderRateTiles({ write, read, sustained, verdict }: BandwidthReport): TemplateResult {
  const isDecidedBy = (of: BandwidthVerdict['expectedRate']['of']): BandwidthVerdict | null =>
    verdict.expectedRate.of === of ? verdict : null;
  return html`<div class="rates">
    ${renderTile('write', write.medianBytesPerSecond, rangeOf(write), isDecidedBy('repeats'))}
    ${
      sustained === null
        ? nothing
        : renderTile(
            'write, sustained',
            sustained.bytesPerSecond,
            `minimum ${shortRate(sustained.minimumBytesPerSecond)}`,
            isDecidedBy('sustained'),
          )
    }
    ${renderTile('read', read.medianBytesPerSecond, rangeOf(read), null)}
  </div>`;
}

function rangeOf({ minimumBytesPerSecond, spread }: RateSummary): string {
  return `minimum ${shortRate(minimumBytesPerSecond)} · spread ${shortShare(spread)}`;
}

const looks: Readonly<Record<Sufficiency, { look: string; icon: string; words: string }>> = {
  enough: { look: 'fine', icon: 'pass', words: 'enough' },
  'may-be-enough': { look: 'warning', icon: 'warning', words: 'may be enough' },
  'not-enough': { look: 'error', icon: 'error', words: 'too slow' },
};

/** @param verdict what the rate is held against; null where nothing is needed of it */
function renderTile(what: string, bytesPerSecond: number, range: string, verdict: BandwidthVerdict | null): TemplateResult {
  const rate = html`<span>${shortRate(bytesPerSecond)}</span>`;
  // The number keeps the colour of text: no theme promises that its green can be read.
  const { look, icon, words } = verdict === null ? { look: '', icon: '', words: '' } : looks[verdict.sufficiency];
  return html`<div class="tile ${look}">
    <p class="muted">${what}</p>
    <p class="rate num">
      ${verdict === null ? nothing : html`<vscode-icon class=${look} name=${icon} size="18"></vscode-icon>`}${rate}
    </p>
    ${verdict === null ? nothing : html`<p class="num">${words}: ${needWords(verdict)}</p>`}
    <p class="muted small num">${range}</p>
  </div>`;
}

function needWords({ neededBytesPerSecond: needed }: BandwidthVerdict): string {
  return needed === null ? 'its files take too long' : `needs ${shortRate(needed)}`;
}
