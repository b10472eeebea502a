/** A check on several nodes at the same time. */
import type { Measurement } from './measurement.js';

export interface NodeMeasurement {
  name: string;
  measurement: Measurement;
}

/** What all nodes measured, in the order of their ranks. */
export interface NodesMeasurement {
  nodes: NodeMeasurement[];
  /** Between the first and the last node that began a phase, the largest of all phases. */
  startSpreadSeconds: number;
}
