/** Which files have a report of their own: what menus offer to inspect, and what editors open. */
import { patternOf } from './namePattern.js';
import { readableFiles } from './readableRows.js';

/** Matches the names of all readable files; without `/`, so that a `when` clause can hold it. */
export const readablePattern = patternOf(readableFiles);

const partPattern = patternOf(readableFiles.filter((files) => files.isPartOfFolder));

/** Whether a file says nothing without those beside it, so that its report is that of the folder around it. */
export function isPartOfFolder(name: string): boolean {
  return partPattern.test(name);
}

/** Names that promise data without being offered in menus: indexes of TensorFlow's bundles, archives such as Stable-Baselines3's. */
const otherPromise = /[^/]\.(index|zip)$/;

/** Whether a name promises data, so that nothing in their place is damage: an empty file of any other name may be a mark. */
export function promisesData(path: string): boolean {
  return readablePattern.test(path) || otherPromise.test(path);
}
