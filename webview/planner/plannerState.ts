import { restoreOpened, type Opened } from '../shared/openedState.js';

/** Where the reader stands in a plan. Survives a reload of the page; holds nothing of the plan itself. */
export interface PlannerState {
  /** What was opened or closed by hand, by its id. */
  opened: Opened;
  /** Pixels from the top of the page. */
  scroll: number;
  /** Inputs of the plans that this one is compared with, as they were written. */
  alternatives: readonly string[];
}

/** As many columns as can be read. */
export const mostAlternatives = 6;
export const mostAlternativeCharacters = 200;

export function initialPlannerState(): PlannerState {
  return { opened: {}, scroll: 0, alternatives: [] };
}

/** Reads a state that an earlier version of the page may have written: whatever does not fit is left out. */
export function restorePlannerState(saved: unknown): PlannerState {
  const state = initialPlannerState();
  if (typeof saved !== 'object' || saved === null) return state;
  const { scroll, alternatives } = saved as Record<string, unknown>;
  if (typeof scroll === 'number' && Number.isFinite(scroll) && scroll >= 0) state.scroll = scroll;
  if (Array.isArray(alternatives)) state.alternatives = alternatives.filter(isAlternative).slice(0, mostAlternatives);
  state.opened = restoreOpened(saved);
  return state;
}

function isAlternative(text: unknown): text is string {
  return typeof text === 'string' && text.length <= mostAlternativeCharacters;
}
