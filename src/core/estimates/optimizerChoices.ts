import type { OptimizerId } from '../configs/trainingPlan.js';

/** Optimizers that a card compares with the one in use: those that people choose between to save room. */
export const optimizerIds: readonly OptimizerId[] = ['adam', 'adam-8bit', 'adafactor', 'lion', 'muon'];
