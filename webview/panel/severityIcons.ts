import type { Severity } from '../../src/core/findings/defineFinding.js';

/** Codicons, so that severity does not rest on colour alone. */
export const severityIcons: Record<Severity, string> = { error: 'error', warning: 'warning', note: 'info' };
