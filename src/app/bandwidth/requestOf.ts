import { CheckError } from '../../core/bandwidth/checkError.js';
import type { CheckPreview } from '../../core/bandwidth/checkPreview.js';
import type { CheckRequest } from '../../core/bandwidth/measurement.js';

/** The request of a preview. @throws CheckError with the reason why the check cannot be made */
export function requestOf({ request, refusal }: Pick<CheckPreview, 'request' | 'refusal'>): CheckRequest {
  if (request === null) throw new CheckError(refusal?.code ?? 'bad-setting', refusal?.detail ?? '');
  return request;
}
