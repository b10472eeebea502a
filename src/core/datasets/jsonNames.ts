/** Which bare `.json` files may hold records, by their names. */
import { baseName } from '../files/paths.js';
import { withoutCompression } from './text/textFile.js';

/** JSON files that describe something else. */
const otherJson =
  /^(.*config|tokenizer.*|special_tokens_map|added_tokens|vocab|index|.*\.index|dataset_infos?|dataset_dict|state|trainer_state|.*results?|package(-lock)?|metadata|.*_metadata|README|stats|tsconfig.*)\.json$/is;

/** A `.json`, compressed or not, that may hold records as far as its name tells. */
export function mayHoldRecords(path: string, sizeBytes: number): boolean {
  const name = withoutCompression(baseName(path));
  return sizeBytes > 0 && /\.json$/i.test(name) && !otherJson.test(name);
}
