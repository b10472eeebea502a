/** What a look at some of the stored tokens adds to the report: ids outside of the vocabulary, the share of padding. */
import type { DatasetParts } from './datasetParts.js';
import { formatCount, formatShare } from '../text/units.js';
import { sampleMask, sampleTokens, type SpotCheck } from './sampleTokens.js';

/** Puts findings and the padding into the parts. @throws FormatError where a file cannot be read any more */
export async function spotCheckTokens(parts: DatasetParts, check: SpotCheck): Promise<void> {
  const hasMask = parts.spans.some(({ role }) => role === 'mask');
  if (check.vocabularySize === null && check.paddingId === null && !hasMask) {
    if (parts.spans.length > 0) parts.notDone.push('ids against a vocabulary: no file here declares its size');
    return;
  }
  const tokens = await sampleTokens(parts.spans, check);
  if (tokens === null) return;
  const count = formatCount(tokens.tokens);
  const seen = tokens.isWhole ? `all ${count} tokens` : `${count} tokens at random places`;
  if (tokens.firstOutside !== null) {
    const { outside, lowest, highest } = tokens;
    const facts = { outside, seen, lowest, highest, vocabulary: check.vocabularySize ?? 0 };
    parts.findings.push({ code: 'token-outside-vocabulary', ...tokens.firstOutside, facts });
  }
  if (check.vocabularySize !== null) parts.done.push(`${seen} against the vocabulary`);
  const stored = parts.shards.reduce((sum, { use, tokens: own }) => sum + (use === undefined ? (own ?? 0) : 0), 0);
  const mask = await sampleMask(parts.spans, check);
  const share = mask !== null ? mask.zeros / mask.values : tokens.padding === null ? null : tokens.padding / tokens.tokens;
  if (share === null) return;
  parts.padding = {
    tokens: Math.round(share * stored),
    share,
    exact: false,
    method:
      mask !== null
        ? `${formatShare(share)} of ${formatCount(mask.values)} values of the attention mask at random places are 0`
        : `${formatShare(share)} of ${seen} are in runs of the padding token ${check.paddingId}`,
  };
}
