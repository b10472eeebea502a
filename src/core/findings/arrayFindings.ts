/** Findings of arrays in chunks and the metadata around them, as Orbax, Zarr and torch.distributed.checkpoint store them. Facts come from files and are shown as text. */
import { defineFinding } from './defineFinding.js';
import { saveAgain } from './commonWords.js';
import { formatCount } from '../text/units.js';

export const arrayFindings = {
  'metadata-incomplete': defineFinding({
    severity: 'warning',
    example: { items: 3 },
    words: ({ items }) => ({
      message: `${formatCount(items)} stored items have no name in the index, or no place.`,
      effect: 'They cannot be loaded by name.',
      advice: 'Save again; an index that does not fit its data was damaged, or written by another version.',
    }),
  }),
  'database-manifest-missing': defineFinding({
    severity: 'error',
    example: { file: 'state/manifest.ocdbt' },
    words: ({ file }) => ({
      message: `${file} is not here: the databases that the processes wrote were not merged, or it was lost.`,
      effect: 'Restoring fails. What the processes wrote is listed from their own databases.',
      advice: 'Use the checkpoint before this one; the save was interrupted before its last step, or the copy is incomplete.',
    }),
  }),
  'database-file-missing': defineFinding({
    severity: 'error',
    example: { file: 'state/d/0f2c', values: 12 },
    words: ({ file, values }) => ({
      message: `The database refers to ${file}, which is not here, for ${formatCount(values)} values or nodes.`,
      effect: 'Restoring what lies in it fails.',
      advice: saveAgain,
    }),
  }),
  'database-node-damaged': defineFinding({
    severity: 'error',
    example: { detail: 'the checksum differs' },
    words: ({ detail }) => ({
      message: `A part of the database’s index cannot be read: ${detail}.`,
      effect: 'The arrays and chunks below it are not listed; restoring them fails.',
      advice: saveAgain,
    }),
  }),
  'array-metadata-corrupt': defineFinding({
    severity: 'error',
    example: { tensor: 'params.dense.kernel', detail: 'there is no shape' },
    words: ({ tensor, detail }) => ({
      message: `The metadata of ${tensor} cannot be read: ${detail}.`,
      effect: 'The array is not listed; restoring it fails.',
      advice: saveAgain,
    }),
  }),
  'chunks-missing': defineFinding({
    severity: 'error',
    example: { tensor: 'params.dense.kernel', missing: 2, chunks: 16 },
    words: ({ tensor, missing, chunks }) => ({
      message: `${formatCount(missing)} of ${formatCount(chunks)} chunks of ${tensor} are not here, although this save stored all of them.`,
      effect: 'They are restored as the fill value, mostly zeros, without an error.',
      advice: saveAgain,
    }),
  }),
  'chunks-not-stored': defineFinding({
    severity: 'note',
    example: { tensor: 'params.dense.kernel', missing: 2, chunks: 16 },
    words: ({ tensor, missing, chunks }) => ({
      message: `${formatCount(missing)} of ${formatCount(chunks)} chunks of ${tensor} are not stored.`,
      effect: 'They are restored as the fill value, mostly zeros. Writers leave out chunks that hold nothing else.',
      advice: 'Look whether this array may be zero there; if not, files are missing.',
    }),
  }),
  'item-missing': defineFinding({
    severity: 'warning',
    example: { item: 'train_state' },
    words: ({ item }) => ({
      message: `The item ${item} that the checkpoint’s metadata name is not here.`,
      effect: 'Restoring it fails; the other items can still be restored.',
      advice: 'Copy it from where the checkpoint was saved.',
    }),
  }),
  'item-without-data': defineFinding({
    severity: 'error',
    example: { item: 'train_state' },
    words: ({ item }) => ({
      message: `The item ${item} describes arrays, but holds no data.`,
      effect: 'Restoring it fails.',
      advice: saveAgain,
    }),
  }),
  'tree-metadata-missing': defineFinding({
    severity: 'error',
    example: { file: 'state/_METADATA' },
    words: ({ file }) => ({
      message: `${file} is not here: it describes the tree of arrays.`,
      effect: 'Restoring fails, as the structure cannot be told. The arrays themselves are there.',
      advice: 'Copy it from another checkpoint of the same run: it is the same for each step.',
    }),
  }),
  'checkpoint-metadata-missing': defineFinding({
    severity: 'warning',
    example: { file: '_CHECKPOINT_METADATA' },
    words: ({ file }) => ({
      message: `${file} is not here: it names the items and how each was written.`,
      effect:
        'Newer versions do not recognise the checkpoint; older ones restore an item where the program says how it was written.',
      advice: 'Restore each item by its own directory, or copy the file from another checkpoint of the same run.',
    }),
  }),
  'checkpoint-metadata-incomplete': defineFinding({
    severity: 'note',
    example: { keys: 'metrics, custom_metadata' },
    words: ({ keys }) => ({
      message: `The checkpoint’s metadata lack ${keys}.`,
      effect: 'What they would say is not known; the arrays are restored all the same.',
      advice: 'Nothing has to be done.',
    }),
  }),
  'shardings-missing': defineFinding({
    severity: 'warning',
    example: { file: 'state/_sharding' },
    words: ({ file }) => ({
      message: `${file} is not here: it tells over which devices each array was spread.`,
      effect: 'Restoring works only where the program says how arrays are to be sharded.',
      advice: 'Pass the target’s shardings when you restore, or copy the file from another checkpoint of the same run.',
    }),
  }),
  'array-metadatas-missing': defineFinding({
    severity: 'note',
    example: { file: 'state/array_metadatas' },
    words: ({ file }) => ({
      message: `${file} is not here: it holds the chunk sizes and what extended types need.`,
      effect: 'Arrays are restored from their own metadata; random keys stored as arrays may not come back as keys.',
      advice: 'Nothing has to be done for plain arrays.',
    }),
  }),
};
