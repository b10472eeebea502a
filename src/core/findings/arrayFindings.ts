/** Findings of arrays in chunks and the metadata around them, as Orbax, Zarr and torch.distributed.checkpoint store them. Facts come from files and are shown as text. */
import { defineFinding } from './defineFinding.js';
import { saveAgain } from './commonWords.js';
import { counted } from '../text/quantities.js';
import { formatCount } from '../text/units.js';

/** Arrays that a finding names. */
export const NAMED_ARRAYS = 5;

export const arrayFindings = {
  'metadata-incomplete': defineFinding({
    severity: 'warning',
    example: { items: 3 },
    words: ({ items }) => ({
      message: `${counted(items, 'stored item')} without a name or a place in the index.`,
      effect: 'They cannot be loaded by name.',
      advice: 'Save again: the index is corrupt or from another version.',
    }),
  }),
  'database-manifest-missing': defineFinding({
    severity: 'error',
    example: { file: 'state/manifest.ocdbt' },
    words: ({ file }) => ({
      message: `${file} is missing: the databases of the processes were not merged, or it was lost.`,
      effect: 'Restoring fails. Arrays are listed from the databases of the processes.',
      advice: 'Use the previous checkpoint: the save was interrupted, or the copy is incomplete.',
    }),
  }),
  'database-file-missing': defineFinding({
    severity: 'error',
    example: { file: 'state/d/0f2c', values: 12 },
    words: ({ file, values }) => ({
      message: `${file} is missing: it contains ${counted(values, 'value or node', 'values or nodes')} of the database.`,
      effect: 'Restoring these values fails.',
      advice: saveAgain,
    }),
  }),
  'database-node-damaged': defineFinding({
    severity: 'error',
    example: { detail: 'the checksum differs' },
    words: ({ detail }) => ({
      message: `Database index not readable: ${detail}.`,
      effect: 'Arrays and chunks below this node are not listed. Restoring them fails.',
      advice: saveAgain,
    }),
  }),
  'array-metadata-corrupt': defineFinding({
    severity: 'error',
    example: { tensor: 'params.dense.kernel', detail: 'there is no shape' },
    words: ({ tensor, detail }) => ({
      message: `Metadata of ${tensor} not readable: ${detail}.`,
      effect: 'The array is not listed. Restoring it fails.',
      advice: saveAgain,
    }),
  }),
  'chunks-missing': defineFinding({
    severity: 'error',
    example: { tensor: 'params.dense.kernel', missing: 2, chunks: 16 },
    words: ({ tensor, missing, chunks }) => ({
      message: `${formatCount(missing)} of ${counted(chunks, 'chunk')} of ${tensor} missing, although this save stored all of them.`,
      effect: 'They are restored as zeros or as arbitrary values, without an error.',
      advice: saveAgain,
    }),
  }),
  'chunks-not-stored': defineFinding({
    severity: 'note',
    example: { tensor: 'params.dense.kernel', missing: 2, chunks: 16 },
    words: ({ tensor, missing, chunks }) => ({
      message: `${formatCount(missing)} of ${counted(chunks, 'chunk')} of ${tensor} not stored.`,
      effect: 'They are restored as the fill value, usually zeros. Writers omit chunks that contain nothing else.',
      advice: 'Check whether these elements can be zero. If not, files are missing.',
    }),
  }),
  'arrays-missing': defineFinding({
    severity: 'error',
    example: { missing: 2, first: 'params.dense.kernel, params.dense.bias', source: 'state/_METADATA', elements: 4_096 },
    words: ({ missing, first, source, elements }) => ({
      message: `${counted(missing, 'array')} missing although ${source} ${missing === 1 ? 'names it' : 'names them'}: ${first}${missing > NAMED_ARRAYS ? ', …' : ''}.`,
      effect: `Restoring fails. Totals do not include ${elements === 0 ? 'these arrays' : `${counted(elements, 'element')} of these arrays`}.`,
      advice: 'Copy the directories of these arrays from the source, or use the previous checkpoint.',
    }),
  }),
  'item-missing': defineFinding({
    severity: 'warning',
    example: { item: 'train_state' },
    words: ({ item }) => ({
      message: `Item ${item} of the checkpoint metadata is missing.`,
      effect: 'Restoring it fails. The other items can be restored.',
      advice: 'Copy the item from the source.',
    }),
  }),
  'item-without-data': defineFinding({
    severity: 'error',
    example: { item: 'train_state' },
    words: ({ item }) => ({
      message: `Item ${item} describes arrays but contains no data.`,
      effect: 'Restoring it fails.',
      advice: saveAgain,
    }),
  }),
  'tree-metadata-missing': defineFinding({
    severity: 'error',
    example: { file: 'state/_METADATA' },
    words: ({ file }) => ({
      message: `${file} is missing; it describes the tree of arrays.`,
      effect: 'Restoring fails without the structure. The arrays are present.',
      advice: 'Copy it from another checkpoint of the same run: it is the same for each step.',
    }),
  }),
  'checkpoint-metadata-missing': defineFinding({
    severity: 'warning',
    example: { file: '_CHECKPOINT_METADATA' },
    words: ({ file }) => ({
      message: `${file} is missing; it lists the items and how each was written.`,
      effect:
        'Newer Orbax versions do not recognize the checkpoint. Older ones restore an item if the program sets how it was written.',
      advice: 'Restore each item from its own directory, or copy the file from another checkpoint of the same run.',
    }),
  }),
  'checkpoint-metadata-incomplete': defineFinding({
    severity: 'note',
    example: { keys: 'metrics, custom_metadata' },
    words: ({ keys }) => ({
      message: `Checkpoint metadata incomplete: no ${keys}.`,
      effect: 'The arrays can be restored without these keys.',
      advice: 'No action needed.',
    }),
  }),
  'shardings-missing': defineFinding({
    severity: 'warning',
    example: { file: 'state/_sharding' },
    words: ({ file }) => ({
      message: `${file} is missing; it lists the devices of each array’s shards.`,
      effect: 'Restoring works only if the program sets the shardings.',
      advice: 'Pass the target shardings when restoring, or copy the file from another checkpoint of the same run.',
    }),
  }),
  'array-metadatas-missing': defineFinding({
    severity: 'note',
    example: { file: 'state/array_metadatas' },
    words: ({ file }) => ({
      message: `${file} is missing; it contains chunk sizes and the data of extended types.`,
      effect: 'Arrays are restored from their own metadata. Random keys may be restored as plain arrays.',
      advice: 'No action needed for plain arrays.',
    }),
  }),
};
