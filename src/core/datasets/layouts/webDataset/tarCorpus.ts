/** The text members of a tar archive, for the estimate of tokens: a position is a member. */
import { decodeText } from '../../../bytes/text.js';
import type { DatasetAccess } from '../../datasetLayout.js';
import { USUAL_WINDOW_BYTES, type TextCorpus, type TextDraw } from '../../text/textCorpus.js';
import type { TarSamples } from './tarSamples.js';

/** Most that is read of one member. */
const MAX_MEMBER_BYTES = 1024 * 1024;

/** Undefined for an archive without text. */
export function tarCorpus(path: string, { textOffsets, textSizes }: TarSamples, access: DatasetAccess): TextCorpus | undefined {
  const members = textOffsets.length;
  let textBytes = 0;
  for (let at = 0; at < members; at++) textBytes += textSizes.at(at);
  if (textBytes === 0) return undefined;
  return {
    path,
    span: members,
    reachable: members,
    weightBytes: textBytes,
    textBytes,
    documents: members,
    isCounted: true,
    window: Math.max(1, Math.round((USUAL_WINDOW_BYTES * members) / textBytes)),
    async draw(from, length, signal): Promise<TextDraw> {
      const draw: TextDraw = { texts: [], textBytes: 0, documents: 0, covered: 0 };
      await access.withSource(path, async (source) => {
        for (let at = from; at < Math.min(members, from + length); at++) {
          draw.documents += 1;
          draw.covered += 1;
          const bytes = Math.min(textSizes.at(at), MAX_MEMBER_BYTES, source.sizeBytes - textOffsets.at(at));
          if (bytes <= 0) continue;
          draw.texts.push(decodeText(await source.read(textOffsets.at(at), bytes, signal)));
          draw.textBytes += bytes;
        }
      });
      return draw;
    },
  };
}
