import { html, nothing, type TemplateResult } from 'lit';
import { confidenceInWords } from '../../src/core/pages/dataset/datasetLines.js';
import type { CountReport, DatasetReport } from '../../src/core/datasets/datasetReport.js';
import { evidenceInWords } from '../../src/core/findings/evidence.js';
import { countInWords, numberInWords } from '../../src/core/pages/dataset/datasetWords.js';
import { dtypeInWords } from '../../src/core/tensors/dtypeInWords.js';
import { formatBytes, formatCount } from '../../src/core/text/units.js';
import { visibleText } from '../../src/core/text/visibleText.js';
import { exactBytes } from '../shared/byteText.js';
import { fileText } from '../shared/fileText.js';

/** A card whose number has a source. */
export type CardSource = 'tokens' | 'samples' | 'bytes' | 'padding' | 'vocabulary';

/** Where the number of a card comes from, with its range; null where the report does not have the number. */
export function sourceOf(report: DatasetReport, card: CardSource): TemplateResult | null {
  const { tokens, sampleCount, padding, vocabulary } = report;
  switch (card) {
    case 'tokens':
      return tokens === null ? null : html`${countSource('Tokens', tokens)}${tokenizedSource(report)}`;
    case 'samples':
      return sampleCount === null ? null : countSource('Samples', sampleCount);
    case 'bytes':
      return bytesSource(report);
    case 'padding':
      return padding === null
        ? null
        : html`<p>
            ${padding.exact ? '' : 'About '}${countInWords(padding.tokens, padding.exact)} token positions hold padding:
            ${fileText(padding.method)}.
          </p>`;
    case 'vocabulary':
      return vocabulary === null
        ? null
        : html`<p>The vocabulary has ${formatCount(vocabulary.size)} tokens: ${fileText(vocabulary.source)}.</p>`;
  }
}

function countSource(what: string, report: CountReport): TemplateResult {
  const { count, exact, interval, method } = report;
  const from = evidenceInWords(report);
  if (exact)
    return html`<p>${what}: <strong class="num">${formatCount(count)}</strong>, exact, ${from}: ${fileText(method)}.</p>`;
  const [low, high] = interval;
  return html`<p>
      ${what}: <strong class="num assumed">${countInWords(count, false)}</strong>, ${rangeOf(low, high)},
      ${confidenceInWords(report)}, ${from}.
    </p>
    <p>${fileText(method)}.</p>`;
}

function rangeOf(low: number, high: number | null): TemplateResult {
  const number = (count: number): TemplateResult =>
    html`<span class="num" title=${formatCount(count)}>${countInWords(count, false)}</span>`;
  return high === null ? html`at least ${number(low)}` : html`between ${number(low)} and ${number(high)}`;
}

function bytesSource({ text, tokenDtype, bytesPerToken, tokens, totalBytes }: DatasetReport): TemplateResult | null {
  if (bytesPerToken !== null && tokenDtype !== null)
    return html`<p>
        A token is stored as ${tokenDtype === 'mixed' ? 'one of several dtypes; this is the mean' : dtypeInWords(tokenDtype)}, as
        the headers say.
      </p>
      ${
        tokens === null || tokens.count === 0
          ? nothing
          : html`<p>
              All files: <span class="num">${formatCount(totalBytes)}</span> bytes ÷
              <span class="num ${tokens.exact ? '' : 'assumed'}">${countInWords(tokens.count, tokens.exact)}</span> tokens =
              <span class="num ${tokens.exact ? '' : 'assumed'}">${numberInWords(totalBytes / tokens.count)}</span> bytes a token,
              compressed as they lie on disk and with all that is not tokens.
            </p>`
      }`;
  if (text === null) return null;
  const { value, low, high, source } = text.bytesPerToken;
  return html`<p>
      A token takes <span class="num assumed">${value.toFixed(2)}</span> bytes of text, between ${low.toFixed(2)} and
      ${high.toFixed(2)}: ${fileText(source)}.
    </p>
    ${textSource(text.bytes)}`;
}

function textSource({ count, exact, interval: [low, high], method }: CountReport): TemplateResult {
  if (exact)
    return html`<p>Text: <span class="num" title=${exactBytes(count)}>${formatBytes(count)}</span>: ${fileText(method)}.</p>`;
  return html`<p>
    Text: <span class="num assumed">${formatBytes(count)}</span>,
    ${high === null ? `at least ${formatBytes(low)}` : `between ${formatBytes(low)} and ${formatBytes(high)}`}:
    ${fileText(method)}.
  </p>`;
}

/** What the tokens would take, for each width that they may be stored in. */
function tokenizedSource({ text }: DatasetReport): TemplateResult | typeof nothing {
  if (text === null || text.tokenized.length === 0) return nothing;
  return html`<div class="scroll-x" tabindex="0" role="group" aria-label="Size once tokenized">
    <table>
      <caption class="visually-hidden">
        Size once tokenized
      </caption>
      <thead>
        <tr>
          <th scope="col">tokenized as</th>
          <th scope="col" class="end">bytes</th>
          <th scope="col" class="end">from</th>
          <th scope="col" class="end">to</th>
          <th scope="col">when it fits</th>
        </tr>
      </thead>
      <tbody>
        ${text.tokenized.map(
          ({ dtype, bytes, interval: [low, high], when }) =>
            html`<tr>
              <th scope="row">${dtypeInWords(dtype)}</th>
              <td class="end num"><span class="assumed">${formatBytes(bytes)}</span></td>
              <td class="end num">${formatBytes(low)}</td>
              <td class="end num">${high === null ? 'not known' : formatBytes(high)}</td>
              <td>${visibleText(when)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
