/** The step in the name that ModelCheckpoint of Lightning gives against `global_step` in the file. */
import type { Finding } from '../../findings/finding.js';
import { isBeforeVersion } from '../../text/isBeforeVersion.js';
import { lightningName } from '../torchDicts.js';
import { findOtherStep, type NamedSave } from './namedSteps.js';

/**
 * A finding where the two differ. Before 1.6 the file contains the number of the next step, `trainer.global_step + 1`
 * (pytorch_lightning/trainer/connectors/checkpoint_connector.py: dump_checkpoint), except after the last one.
 */
export function findOtherLightningStep(save: NamedSave, version: string | null): Finding[] {
  const found = findOtherStep(save, lightningName);
  if (!isBeforeVersion(version, 1, 6)) return found;
  const isNext = found.length > 0 && findOtherStep({ ...save, step: (save.step ?? 0) - 1 }, lightningName).length === 0;
  return isNext ? [] : found;
}
