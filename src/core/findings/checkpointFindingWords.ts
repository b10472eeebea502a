/** The words for what is found in files of any kind and in checkpoints. Facts come from files and are shown as text. */
import { type FactText, type FindingWords } from './findingWords.js';
import type { FindingCode } from './finding.js';

const loadFails = 'Loading this file fails, or gives wrong values.';
const saveAgain = 'Copy it again from where it was saved, or use the checkpoint before this one.';

export const checkpointFindingWords = {
  'file-unreadable': (fact) => ({
    message: `The file cannot be read: ${fact('detail')}.`,
    effect: 'Its bytes are counted, but what they are is not known.',
    advice: 'Check the permissions, and that a link still points at a file.',
  }),
  'file-changed': (fact) => ({
    message: `The file changed while it was inspected: it had ${fact('expectedBytes')}, now ${fact('bytes')}.`,
    effect: 'The save may still be running; the report shows a moment of it.',
    advice: 'Inspect again when the save is over.',
  }),
  'file-empty': () => ({ message: 'The file is empty.', effect: loadFails, advice: saveAgain }),
  'file-truncated': (fact) => ({
    message:
      fact('expectedBytes') === '0 B (0 bytes)'
        ? `The file ends too early: ${fact('detail')}.`
        : `The file ends too early: its header speaks of ${fact('expectedBytes')}, the file has ${fact('bytes')}.`,
    effect: 'The tensors at its end are cut off or missing. Loading fails, with some tools only later or not at all.',
    advice: `${saveAgain} A full disk or a killed process are the usual reasons.`,
  }),
  'file-too-long': (fact) => ({
    message: `The file is longer than what its header speaks of: ${fact('expectedBytes')} described, ${fact('bytes')} there.`,
    effect: 'Readers that follow the format refuse it; the extra bytes are nobody’s.',
    advice: 'Look for two saves into the same file, or a download that was resumed wrongly.',
  }),
  'file-zero-filled': (fact) => ({
    message: `Zeros stand where its data begin or end: ${fact('bytes')} were set aside, but the data did not all arrive.`,
    effect: loadFails,
    advice: saveAgain,
  }),
  'file-is-lfs-pointer': (fact) => ({
    message: `This is a Git LFS pointer, not the data. The real file has ${fact('expectedBytes')}.`,
    effect: 'The weights are not here.',
    advice: 'Run git lfs pull in the repository, or download the file.',
  }),
  'file-is-link-text': (fact) => ({
    message: `This is the text of a link to ${fact('target')}, not the data.`,
    effect: 'Loading it fails: the link was copied as a file.',
    advice: 'Inspect what it names, and make the link again where it is needed.',
  }),
  'file-is-web-page': () => ({
    message: 'This is a web page or an error message, saved under the name of a data file.',
    effect: 'The data are not here.',
    advice: 'Download the file again, and look whether it needs a login.',
  }),
  'file-not-its-format': (fact) => ({
    message: `The content is not what the name says: ${fact('detail')}.`,
    effect: 'What the file holds is not known; its bytes are counted as unexplained.',
    advice: 'Look at its first bytes, or at what wrote it.',
  }),
  'header-too-large': (fact) => ({
    message: `The header is too large to be read: ${fact('detail')}.`,
    effect: 'The tensors of this file are not listed.',
    advice: 'Other readers refuse it as well; save it in more shards.',
  }),
  'header-corrupt': (fact) => ({ message: `The header is damaged: ${fact('detail')}.`, effect: loadFails, advice: saveAgain }),
  'tensor-out-of-range': (fact) => ({
    message: `${fact('tensor')} reaches beyond its storage: it needs ${fact('bytes')} of ${fact('expectedBytes')}.`,
    effect: loadFails,
    advice: saveAgain,
  }),
  'tensor-overlap': (fact) => ({
    message: `${fact('tensor')} overlaps the tensor before it by ${fact('bytes')}.`,
    effect: 'Readers that follow the format refuse the file; others give wrong values.',
    advice: 'Save it again with the framework’s own writer.',
  }),
  'tensor-gap': (fact) => ({
    message: `There is a hole of ${fact('bytes')} before ${fact('tensor')}.`,
    effect: 'Readers that follow the format refuse the file.',
    advice: 'Save it again with the framework’s own writer.',
  }),
  'tensor-size-mismatch': (fact) => ({
    message: `${fact('tensor')} takes ${fact('bytes')}, but its dtype and shape need ${fact('expectedBytes')}.`,
    effect: loadFails,
    advice: saveAgain,
  }),
  'tensor-name-duplicate': (fact) => ({
    message: `${fact('tensor')} is there more than once in the same file.`,
    effect: 'Which one is loaded depends on the reader.',
    advice: 'Save the file again.',
  }),
  'tensor-shape-overflow': (fact) => ({
    message: `The shape of ${fact('tensor')} has more elements than any file holds.`,
    effect: loadFails,
    advice: saveAgain,
  }),
  'tensor-rank-limit': (fact) => ({
    message: `${fact('tensor')} has ${fact('rank')} dimensions; the first ones are shown.`,
    effect: 'No framework makes such a tensor.',
    advice: 'Look at what wrote the file.',
  }),
  'dtype-unknown': (fact) => ({
    message: `The dtype ${fact('dtype')} is not known.`,
    effect: 'Its tensors are listed with the bytes that they take; elements of it are not checked.',
    advice: 'A newer version may know it.',
  }),
  'zip-directory-missing': (fact) => ({
    message: `The end of the archive is missing: ${fact('detail')}.`,
    effect: 'torch.load fails with “failed finding central directory”. The save did not end, or the file was cut.',
    advice: `${saveAgain} A full disk or a killed process are the usual reasons.`,
  }),
  'zip-record-corrupt': (fact) => ({
    message: `The record ${fact('record')} is said to take ${fact('bytes')}, but there is room for ${fact('expectedBytes')}.`,
    effect: loadFails,
    advice: saveAgain,
  }),
  'zip-record-lost': (fact) => ({
    message: `The file’s beginning was overwritten: the record ${fact('record')} does not start where the directory says.`,
    effect: loadFails,
    advice: saveAgain,
  }),
  'storage-missing': (fact) => ({
    message: `The storage ${fact('storage')} of ${fact('tensor')} is not in the file.`,
    effect: loadFails,
    advice: saveAgain,
  }),
  'storage-size-mismatch': (fact) => ({
    message: `The storage ${fact('storage')} of ${fact('tensor')} takes ${fact('bytes')}, but ${fact('expectedBytes')} are needed.`,
    effect: loadFails,
    advice: saveAgain,
  }),
  'pickle-corrupt': (fact) => ({
    message: `The object in ${fact('record')} is damaged: ${fact('detail')}.`,
    effect: 'Its tensors and values cannot be listed.',
    advice: saveAgain,
  }),
  'pickle-too-large': (fact) => ({
    message: `The pickled object takes ${fact('bytes')}; up to ${fact('limitBytes')} are read.`,
    effect: 'Its tensors and values are not listed.',
    advice: 'Inspect it with the framework that wrote it.',
  }),
  'pickle-walk-limit': (fact) => ({
    message: `The object refers to itself so often, or so deep, that the listing stopped after ${fact('nodes')} values or ${fact('depth')} levels.`,
    effect: 'Some tensors of this file may not be listed.',
    advice: 'No framework writes such an object: look at where the file comes from.',
  }),
  'pickle-import-unexpected': (fact) => ({
    message: `A pickle names ${fact('import')}, which checkpoints of known frameworks do not need.`,
    effect: 'Loading the file with pickle would import it, and could run it. Stowage does not.',
    advice: 'Load it with weights_only=True, and ask where the file comes from.',
  }),
  'view-keeps-large-storage': (fact) => ({
    message: `${fact('tensor')} uses ${fact('usedBytes')} of a storage of ${fact('bytes')}: saving a slice saves all of it.`,
    effect: 'The rest takes space for nothing.',
    advice: 'Save a clone of the slice: tensor.clone().',
  }),
  'json-corrupt': (fact) => ({
    message: `The JSON is damaged: ${fact('detail')}.`,
    effect: 'What it says is not known.',
    advice: saveAgain,
  }),
  'index-shard-missing': (fact) => ({
    message: `The index names ${fact('shard')}, which is not here; it holds ${fact('tensors')} tensors.`,
    effect: 'Loading fails, or goes on with random values in their place.',
    advice: 'Copy or download the missing shard.',
  }),
  'index-path-unsafe': (fact) => ({
    message: `The index names a path outside of its directory: ${fact('shard')}.`,
    effect: 'It was not followed.',
    advice: 'No framework writes such an index: look at where it comes from.',
  }),
  'index-tensor-missing': (fact) => ({
    message: `The index says that ${fact('tensors')} tensors are in ${fact('shard')}, which does not have them: ${fact('tensor')}.`,
    effect: 'Loading fails, or goes on with random values in their place.',
    advice: 'Index and shard are of different saves: copy both again.',
  }),
  'index-tensor-unlisted': (fact) => ({
    message: `${fact('shard')} has ${fact('tensors')} tensors that the index does not list.`,
    effect: 'Loaders that follow the index never see them.',
    advice: 'Index and shard are of different saves: copy both again.',
  }),
  'index-total-size-differs': (fact) => ({
    message: `The index speaks of ${fact('expectedBytes')} of tensors, the shards have ${fact('bytes')}.`,
    effect: 'Loaders do not use this number; old exporters got it wrong.',
    advice: 'Nothing to do, where all shards are from one save.',
  }),
  'shard-missing': (fact) => ({
    message: `${fact('shards')} of ${fact('total')} shards of ${fact('stem')} are not here: number ${fact('first')}.`,
    effect: 'Loading fails, or goes on with random values in their place.',
    advice: 'Copy or download the missing shards.',
  }),
  'rank-file-missing': (fact) => ({
    message: `Files of ${fact('files')} of ${fact('worldSize')} ranks are not here: ${fact('first')}.`,
    effect: 'What only these ranks stored is lost.',
    advice: 'Look on the disks of the other nodes, where each saves to its own.',
  }),
  'save-unfinished': (fact) => ({
    message: `The save was interrupted: ${fact('detail')}.`,
    effect:
      'The framework does not load this checkpoint, although the data in it may be whole; some remove it with their next save.',
    advice: 'Use the checkpoint before this one; delete this one when nobody is writing it any more.',
  }),
  'save-unindexed': (fact) => ({
    message: `The ranks’ files hold ${fact('tensors')} tensors and ${fact('objects')} objects that are whole, without their names.`,
    effect: 'They could be put together by hand only.',
    advice: 'Keep them only when there is no other checkpoint of this step.',
  }),
  'run-without-checkpoint': () => ({
    message: 'No save in this directory was finished.',
    effect: 'There is nothing to go on from.',
    advice: 'Wait until the job that is writing has ended, or look in the directory of an earlier run.',
  }),
  'metadata-incomplete': (fact) => ({
    message: `${fact('items')} stored items have no name in the index, or no place.`,
    effect: 'They cannot be loaded by name.',
    advice: 'Save again; an index that does not fit its data was damaged, or written by another version.',
  }),
  'tensor-chunks-missing': (fact) => ({
    message: `${fact('tensor')}: the stored chunks cover ${fact('covered')} of ${fact('elements')} elements.`,
    effect: 'Loading it fails, or leaves a part of it as it was.',
    advice: saveAgain,
  }),
  'tensor-slices-missing': (fact) => ({
    message: `${fact('tensor')}: the ranks' files hold ${fact('bytes')} of ${fact('expectedBytes')}.`,
    effect: 'The tensor cannot be put together: a rank’s file is missing, or of another save.',
    advice: 'Copy the files of all ranks into this directory.',
  }),
  'stale-files': (fact) => ({
    message: `${fact('files')} files with ${fact('bytes')} are left from an earlier save into this directory: ${fact('first')}.`,
    effect: 'Nothing refers to them: they only take space.',
    advice: 'They can be deleted. Saving each checkpoint into a new directory avoids them.',
  }),
  'rank-step-differs': (fact) => ({
    message: `This rank’s file is of step ${fact('step')}, those of the others are of step ${fact('usual')}.`,
    effect: 'The ranks would go on from different states: the result is that of no training.',
    advice: 'It is left over from another save, or the save did not end: use a checkpoint whose ranks agree.',
  }),
  'rank-file-older': (fact) => ({
    message: `${fact('count')} ranks wrote up to ${fact('hours')} hours before the others: ${fact('ranks')}.`,
    effect: 'Their files may be left from an earlier save, so that the ranks do not fit together.',
    advice: 'Compare their step with that of the others; times also differ where files were copied one by one.',
  }),
  'rank-file-small': (fact) => ({
    message: `This rank’s file has ${fact('bytes')}, the largest of the other ranks’ ${fact('usualBytes')}.`,
    effect: 'Ranks store equal shares: a part of this one’s may be missing.',
    advice: 'Compare with another checkpoint of the run, and look for a full disk on the rank’s node.',
  }),
  'pointer-target-unfinished': (fact) => ({
    message: `It says that the latest checkpoint is ${fact('target')}, whose save was interrupted.`,
    effect: 'Loading without naming a checkpoint fails, or starts from a state that is not whole.',
    advice: 'Let it name the checkpoint before that one.',
  }),
  'pointer-target-missing': (fact) => ({
    message: `It says that the latest checkpoint is ${fact('target')}, which is not here.`,
    effect: 'Loading without naming a checkpoint fails.',
    advice: 'Copy that checkpoint as well, or name another one.',
  }),
  'file-missing': (fact) => ({
    message: `${fact('file')} is not here: ${fact('detail')}.`,
    effect: 'What needs it fails, or goes on without it.',
    advice: 'Copy it from where the checkpoint was saved, or from another one of the run.',
  }),
  'database-manifest-missing': (fact) => ({
    message: `${fact('file')} is not here: the databases that the processes wrote were not merged, or it was lost.`,
    effect: 'Restoring fails. What the processes wrote is listed from their own databases.',
    advice: 'Use the checkpoint before this one; the save was interrupted before its last step, or the copy is incomplete.',
  }),
  'database-file-missing': (fact) => ({
    message: `The database refers to ${fact('file')}, which is not here, for ${fact('values')} values or nodes.`,
    effect: 'Restoring what lies in it fails.',
    advice: saveAgain,
  }),
  'database-node-damaged': (fact) => ({
    message: `A part of the database’s index cannot be read: ${fact('detail')}.`,
    effect: 'The arrays and chunks below it are not listed; restoring them fails.',
    advice: saveAgain,
  }),
  'array-metadata-corrupt': (fact) => ({
    message: `The metadata of ${fact('tensor')} cannot be read: ${fact('detail')}.`,
    effect: 'The array is not listed; restoring it fails.',
    advice: saveAgain,
  }),
  'chunks-missing': (fact) => ({
    message: `${fact('missing')} of ${fact('chunks')} chunks of ${fact('tensor')} are not here, although this save stored all of them.`,
    effect: 'They are restored as the fill value, mostly zeros, without an error.',
    advice: saveAgain,
  }),
  'chunks-not-stored': (fact) => ({
    message: `${fact('missing')} of ${fact('chunks')} chunks of ${fact('tensor')} are not stored.`,
    effect: 'They are restored as the fill value, mostly zeros. Writers leave out chunks that hold nothing else.',
    advice: 'Look whether this array may be zero there; if not, files are missing.',
  }),
  'item-missing': (fact) => ({
    message: `The item ${fact('item')} that the checkpoint’s metadata name is not here.`,
    effect: 'Restoring it fails; the other items can still be restored.',
    advice: 'Copy it from where the checkpoint was saved.',
  }),
  'item-without-data': (fact) => ({
    message: `The item ${fact('item')} describes arrays, but holds no data.`,
    effect: 'Restoring it fails.',
    advice: saveAgain,
  }),
  'tree-metadata-missing': (fact) => ({
    message: `${fact('file')} is not here: it describes the tree of arrays.`,
    effect: 'Restoring fails, as the structure cannot be told. The arrays themselves are there.',
    advice: 'Copy it from another checkpoint of the same run: it is the same for each step.',
  }),
  'checkpoint-metadata-missing': (fact) => ({
    message: `${fact('file')} is not here: it names the items and how each was written.`,
    effect:
      'Newer versions do not recognise the checkpoint; older ones restore an item where the program says how it was written.',
    advice: 'Restore each item by its own directory, or copy the file from another checkpoint of the same run.',
  }),
  'checkpoint-metadata-incomplete': (fact) => ({
    message: `The checkpoint’s metadata lack ${fact('keys')}.`,
    effect: 'What they would say is not known; the arrays are restored all the same.',
    advice: 'Nothing has to be done.',
  }),
  'shardings-missing': (fact) => ({
    message: `${fact('file')} is not here: it tells over which devices each array was spread.`,
    effect: 'Restoring works only where the program says how arrays are to be sharded.',
    advice: 'Pass the target’s shardings when you restore, or copy the file from another checkpoint of the same run.',
  }),
  'array-metadatas-missing': (fact) => ({
    message: `${fact('file')} is not here: it holds the chunk sizes and what extended types need.`,
    effect: 'Arrays are restored from their own metadata; random keys stored as arrays may not come back as keys.',
    advice: 'Nothing has to be done for plain arrays.',
  }),
  'step-differs': (fact) => ({
    message: `The directory's name says step ${fact('named')}, trainer_state.json says ${fact('step')}.`,
    effect: 'Resuming goes on from the step in the file.',
    advice: 'Find out which of the two was renamed or copied.',
  }),
  'weights-stored-twice': (fact) => ({
    message: `${fact('bytes')} are stored more than once: ${fact('what')}.`,
    effect: 'One copy would do.',
    advice:
      fact('setting') === ''
        ? 'Where both are written on purpose there is nothing to do; else keep the one that your loader uses.'
        : `The framework’s setting for it is ${fact('setting')}.`,
  }),
  'tied-weights-stored-twice': (fact) => ({
    message: `${fact('tensor')} is tied to the input embedding by the config, but stored again: ${fact('bytes')}.`,
    effect: 'It is overwritten when the model is tied after loading.',
    advice: 'Save with the framework’s own save_pretrained, which drops it.',
  }),
  'weights-missing': (fact) => ({
    message: `There are no weights here (${fact('file')}).`,
    effect: 'There is nothing to continue from.',
    advice: 'Look for model.safetensors, its shards, or a DeepSpeed or FSDP directory that belongs to it.',
  }),
  'weights-are-placeholders': (fact) => ({
    message: `${fact('tensors')} weights have no elements: they are placeholders.`,
    effect: 'The real weights lie in the optimizer shards; this export holds nothing.',
    advice: 'Convert with zero_to_fp32.py, or save with stage3_gather_16bit_weights_on_model_save.',
  }),
  'optimizer-missing': () => ({
    message: 'There is no optimizer state (optimizer.pt).',
    effect: 'The weights can be loaded, but the optimizer would start again.',
    advice: 'If training is to go on from here, save without save_only_model.',
  }),
  'scheduler-missing': () => ({
    message: 'There is no scheduler state (scheduler.pt).',
    effect: 'The learning rate would start its schedule again.',
    advice: 'Copy scheduler.pt as well.',
  }),
  'rng-missing': () => ({
    message: 'There is no random state (rng_state.pth).',
    effect: 'A resumed run draws other random numbers than an unbroken one would.',
    advice: 'Copy rng_state.pth, or one rng_state file for each rank, as well.',
  }),
  'trainer-state-missing': () => ({
    message: 'There is no trainer_state.json.',
    effect: 'Trainer cannot resume from here: step, epoch and data position are not known.',
    advice: 'Copy trainer_state.json as well.',
  }),
  'content-not-its-role': (fact) => ({
    message: `By its name this is ${fact('role')}, but it holds ${fact('content')}.`,
    effect: loadFails,
    advice: 'Two files may have been exchanged or renamed: compare with another checkpoint of the run.',
  }),
  'optimizer-unmatched': (fact) => ({
    message: `${fact('unmatched')} of ${fact('total')} entries of the optimizer state could not be matched to a weight.`,
    effect: 'They are counted, but not named.',
    advice: 'Nothing to do: torch stores numbers instead of names.',
  }),
  'leftover-file': (fact) => ({
    message: `A file of an interrupted save or download was left behind: ${fact('bytes')}.`,
    effect: 'No loader uses it.',
    advice: 'It can be deleted once no save is running.',
  }),
  'link-outside': (fact) => ({
    message: `${fact('files')} files are links to files elsewhere: ${fact('target')}.`,
    effect: 'Their bytes are counted here, although they lie elsewhere.',
    advice: 'Nothing to do; this is how the Hugging Face cache is built.',
  }),
  'link-not-followed': (fact) => ({
    message: `A link to a directory was not followed: ${fact('target')}.`,
    effect: 'What lies behind it is not part of this report.',
    advice: 'Inspect that directory itself.',
  }),
  'listing-incomplete': (fact) => ({
    message: `The listing is not complete: ${fact('detail')}.`,
    effect: 'Files that could not be listed are not counted.',
    advice: 'Check the permissions, or inspect a smaller directory.',
  }),
  'unsupported-version': (fact) => ({
    message: `This version of the format is not supported: ${fact('detail')}.`,
    effect: 'Its bytes are counted, but what they are is not known.',
    advice: 'A newer version may know it.',
  }),
  'base-model-elsewhere': (fact) => ({
    message: `These are an adapter's weights only; the base model is ${fact('base')}.`,
    effect: 'The adapter cannot be used without it.',
    advice: 'Keep the base model, or merge the adapter into it.',
  }),
  'nothing-here': () => ({
    message: 'There are no files here.',
    effect: 'There is nothing to account for.',
    advice: 'If a save is running, its files may not have their names yet: inspect again later.',
  }),
  'layout-unknown': (fact) => ({
    message: `This is no checkpoint layout that is known. Files: ${fact('files')}, such as ${fact('seen')}.`,
    effect: 'Every byte is still counted, as far as names and first bytes tell what it is.',
    advice:
      'Checkpoints have weights (model.safetensors, pytorch_model.bin, *.pt), an index, or trainer_state.json. Inspect the directory that holds them.',
  }),
  'internal-error': (fact) => ({
    message: `Reading this file failed in an unforeseen way: ${fact('detail')}.`,
    effect: 'Its bytes are counted, the rest of the report stands.',
    advice: 'Please report this, with the first bytes of the file if you can.',
  }),
} as const satisfies Partial<Record<FindingCode, (fact: FactText) => FindingWords>>;
