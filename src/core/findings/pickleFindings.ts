/** Findings of what pickles import and call. Names and calls come from files and are shown as text. */
import { defineFinding } from './defineFinding.js';
import { limits } from '../bytes/limits.js';
import { formatBytes, formatCount } from '../text/units.js';
import { counted } from '../text/quantities.js';

/** What stands before the text of a call. */
export const unexpectedCall = 'Unexpected call in a pickle: ';

export const pickleFindings = {
  'pickle-calls-unexpected': defineFinding({
    severity: 'error',
    example: { call: 'posix.system("id")' },
    words: ({ call }) => ({
      message: `${unexpectedCall}${call}.`,
      effect: 'Loading the file with pickle, or with torch.load and weights_only=False, makes this call. Stowage did not.',
      advice: 'Do not load the file. Check where it comes from; save the weights as safetensors.',
    }),
  }),
  'pickle-call-unchecked': defineFinding({
    severity: 'warning',
    example: { call: 'somepackage.io.Store("/tmp/a", "w")' },
    words: ({ call }) => ({
      message: `Class called with a path, an address or a file mode in a pickle: ${call}.`,
      effect: 'Loading the file with pickle makes this call. What the class does with it is not known. Stowage did not make it.',
      advice: 'Read the constructor of the class before you load the file.',
    }),
  }),
  'pickle-embeds-code': defineFinding({
    severity: 'error',
    example: { names: 'schedule, <lambda>' },
    words: ({ names }) => ({
      message: `Pickle contains bytecode of functions or classes${names === '' ? '' : `: ${names}`}.`,
      effect: 'Loading the file rebuilds them; they run when the program calls them. Stowage did not run or check the bytecode.',
      advice: 'Load the file only if you trust its author. Replace functions that were saved with the model by your own.',
    }),
  }),
  'pickle-calls-cut': defineFinding({
    severity: 'error',
    example: { calls: 40 },
    words: ({ calls }) => ({
      message: `${counted(calls, 'more unexpected call')} in the pickles of this file.`,
      effect: 'Loading the file makes these calls, too.',
      advice: 'Do not load the file. Check where it comes from.',
    }),
  }),
  'pickle-needs-code': defineFinding({
    severity: 'note',
    example: { package: 'tinymodel', first: 'tinymodel.Net, tinymodel.Block', names: 2 },
    words: ({ package: top, first, names }) => ({
      message: `Code needed to load: ${first}${names > 3 ? ` and ${formatCount(names - 3)} more` : ''}.`,
      effect: `Unpickling imports ${top}, which has to be installed, or in the directory of the program. Importing it runs its code.`,
      advice: 'Keep the code with the checkpoint, or save a state_dict.',
    }),
  }),
  'pickle-not-scanned': defineFinding({
    severity: 'warning',
    example: { record: 'model.pkl', bytes: 33_554_432, detail: 'compressed with bzip2' },
    words: ({ record, bytes, detail }) => ({
      message: `Imports not listed for ${formatBytes(bytes)} of ${record}: ${detail}.`,
      effect: 'What this part would import and call when it is loaded is unknown.',
      advice: 'Load it with weights_only=True only, or unpack it and inspect it again.',
    }),
  }),
  'values-pickled': defineFinding({
    severity: 'warning',
    example: { names: 'tokens, labels', scanned: 8, samples: 1_000 },
    words: ({ names, scanned, samples }) => ({
      message: `Metadata declare values that are pickles: ${names}.`,
      effect: `A loader unpickles each of these values, which can execute code. ${
        scanned === 0
          ? 'Their imports were not listed.'
          : `Scanned: ${formatCount(scanned)} of ${counted(samples, 'sample')}, at most ${formatBytes(limits.pickledSampleBytes)} of each.`
      }`,
      advice: 'Load the data only if you trust its author, or write it again in an encoding without pickles.',
    }),
  }),
  'pickle-imports-cut': defineFinding({
    severity: 'warning',
    example: { imports: 10_000 },
    words: ({ imports }) => ({
      message: `More than ${formatCount(imports)} different imports in pickles: the others are not listed.`,
      effect: 'Calls of imports that are not listed are reported all the same.',
      advice: 'Check where the file comes from: no known framework writes such a file.',
    }),
  }),
  'pickle-values-cut': defineFinding({
    severity: 'warning',
    example: { record: 'data.pkl', bytes: 100_000_000 },
    words: ({ record, bytes }) => ({
      message: `Too many values in ${record}: its ${formatBytes(bytes)} would take several times as much memory.`,
      effect: 'Its tensors and values are not listed. Its imports are.',
      advice: 'Inspect it with the framework that wrote it.',
    }),
  }),
};
