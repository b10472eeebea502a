/** Writes a DeepSpeed save whose payload is holes. usage: ranks FOLDER RANKS */
import { llamaShapes, writeSparseFiles, zeroThreeSave } from '../../test/builders/deepspeedBuilder.js';

const [folder = '', ranks = ''] = process.argv.slice(2);
// One layer is enough for the shape of a rank's files: the cost is in their number.
const shapes = Object.fromEntries(Object.entries(llamaShapes()).slice(0, 10));
writeSparseFiles(folder, zeroThreeSave({ shapes, ranks: Number(ranks), step: 1000, exportShards: 0 }));
