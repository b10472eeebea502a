import { randomFillSync } from 'node:crypto';
import { CheckControl, slotOf, type SharedMemory } from './sharedMemory.js';

/**
 * Makes data ahead of the streams until the check ends, so that making them costs no stream time. Random data can neither be
 * compressed nor found twice, as some storage would save itself the writing of zeros, patterns and repetitions.
 */
export function runFiller(memory: SharedMemory, filler: number): void {
  const control = new CheckControl(memory);
  while (!control.hasQuit) {
    const wakeCount = control.wakeCount(filler);
    const stream = emptiest(memory, control, filler);
    if (stream === null) control.waitForWork(filler, wakeCount);
    else {
      randomFillSync(slotOf(memory, stream, control.filled(stream)));
      control.addFilled(stream);
    }
  }
}

/** The stream of this filler with the fewest blocks ahead; null where all have as many as they can hold. */
function emptiest(memory: SharedMemory, control: CheckControl, filler: number): number | null {
  let found: number | null = null;
  let fewest = memory.slots;
  for (let stream = filler; stream < memory.streams; stream += memory.fillers) {
    const ahead = (control.filled(stream) - control.taken(stream)) | 0;
    if (ahead < fewest) [found, fewest] = [stream, ahead];
  }
  return found;
}
