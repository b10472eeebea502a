/** The step in the name of an Orbax directory, and whether it is the one that the save was committed as. */
import type { ReadResult } from '../../checkpoints/readFiles.js';
import type { Listing } from '../../files/listing.js';
import { baseName, parentPath } from '../../files/paths.js';
import type { Finding } from '../../findings/finding.js';
import { memberOf } from '../../formats/text/jsonMember.js';
import { COMMIT_MARK, STEP_METADATA } from './orbaxFindings.js';

/** `10`, `step_00000100`, `checkpoint_5`. */
const stepName = /^(?:.*?[_-])?(\d{1,15})$/s;
/** What a save has behind its name while it is running: `.orbax-checkpoint-tmp`, or with a time behind it. */
const runningSuffix = /\.orbax-checkpoint-tmp.*$/s;
/** What the mark contains: the directory that was renamed, at most of its items (orbax/checkpoint/_src/path/atomicity.py: _create_commit_success_file). */
const committed = /successful to (\S.*?)\/*$/s;

/** The step that a directory is called after, finished or not; null for other names. */
export function stepOfOrbaxName(name: string): number | null {
  const number = stepName.exec(name.replace(runningSuffix, ''))?.[1];
  return number === undefined ? null : Number(number);
}

/** A finding where the directory is called after another step than it was saved as: CheckpointManager takes the step from the name. */
export function findRenamedStep({ json, texts }: ReadResult['side'], { rootName }: Listing): Finding[] {
  const named = stepOfOrbaxName(rootName);
  if (named === null) return [];
  for (const [path, text] of texts) {
    const step = baseName(path) === COMMIT_MARK ? committedStep(path, text) : null;
    if (step !== null) return step === named ? [] : [{ code: 'step-directory-renamed', path, facts: { named, step } }];
  }
  const step = memberOf(memberOf(json.get(STEP_METADATA), 'custom_metadata'), 'step');
  const isOther = typeof step === 'number' && Number.isSafeInteger(step) && step >= 0 && step !== named;
  return isOther ? [{ code: 'step-directory-renamed', path: STEP_METADATA, facts: { named, step } }] : [];
}

/** The step of the checkpoint that a mark in it, or in one of its items, was written for. */
function committedStep(path: string, text: string): number | null {
  let target = committed.exec(text)?.[1] ?? '';
  for (let at = parentPath(path); at !== ''; at = parentPath(at)) target = parentPath(target);
  return target === '' ? null : stepOfOrbaxName(baseName(target));
}
