/** Context keys that commands set in their window. */

/** Set once runs were looked for. */
export const hasLookedForRuns = 'stowage.hasLookedForRuns';

/** Set once a checkpoint was selected for a comparison. */
export const hasSelectedForCompare = 'stowage.hasSelectedForCompare';
