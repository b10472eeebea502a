import type { Estimate } from '../estimate.js';
import type { EstimateReport } from './estimateReport.js';

/** What an estimate takes for granted. */
export function assumptionsOf({ model }: Estimate): EstimateReport['assumptions'] {
  return model?.basis === 'shapes' ? [{ about: 'parameters', text: 'Guessed.', source: '' }] : [];
}
