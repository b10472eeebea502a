import { visibleText } from '../../text/visibleText.js';
import type { NoPlace } from '../../values/slice/slicePlace.js';
import { whyNotRead } from './whyNotRead.js';

/** Why single values of a tensor are not shown. */
export function noPlaceSentence({ code, detail }: NoPlace): string {
  const why =
    code === 'empty'
      ? 'it has no elements'
      : code === 'parts'
        ? 'its parts are stored apart, in an order that is not known'
        : code === 'scattered'
          ? 'its blocks are not in the usual order'
          : code === 'overlapping'
            ? 'its strides lead outside of what is stored'
            : whyNotRead(code, false);
  return `No slice: ${why}${detail === '' ? '' : ` (${visibleText(detail)})`}.`;
}
