/** Findings of code that programs run when they load a model, or call it. Names and texts come from files and are shown as text. */
import { counted } from '../text/quantities.js';
import { formatBytes, formatCount } from '../text/units.js';
import { defineFinding } from './defineFinding.js';

/** Where the file of a class is. `unknown`: one file was inspected, and what is beside it was not listed. */
export type PlaceOfCode = 'here' | 'missing' | 'installed' | 'unknown';

const places: Readonly<Record<PlaceOfCode, string>> = {
  here: 'which is here',
  missing: 'which is not here',
  installed: 'a package that has to be installed',
  unknown: 'which was not looked for',
};

const sourceUnknown = 'Do not load the file. Check where it comes from.';

export const codeFindings = {
  'code-needed': defineFinding<{ key: string; names: string; file: string; place: PlaceOfCode; runBy: string }>({
    severity: 'note',
    example: {
      key: 'auto_map.AutoModelForCausalLM',
      names: 'modeling_tiny.TinyForCausalLM',
      file: 'modeling_tiny.py',
      place: 'here',
      runBy: 'transformers with trust_remote_code=True',
    },
    words: ({ key, names, file, place, runBy }) => ({
      message: `Python code named in ${key}: ${names}, in ${file}, ${places[place]}.`,
      effect: `Run by ${runBy}. Importing the module runs all of it. Stowage did not read it.`,
      advice:
        place === 'missing' ? 'Add the file if the loader asks for it.' : 'Read the code before you load the model with it.',
    }),
  }),
  'code-elsewhere': defineFinding({
    severity: 'warning',
    example: {
      key: 'auto_map.AutoModel',
      names: 'modeling_tiny.TinyModel',
      repository: 'someone/tiny-code',
      runBy: 'transformers with trust_remote_code=True',
    },
    words: ({ key, names, repository, runBy }) => ({
      message: `Python code from another repository named in ${key}: ${names} of ${repository}.`,
      effect: `Downloaded from there and run by ${runBy}. It can change after this save.`,
      advice: 'Read the code there, and set code_revision to the commit that you have read.',
    }),
  }),
  'code-not-checked': defineFinding({
    severity: 'warning',
    example: { bytes: 80_000_000, detail: 'larger than what is read' },
    words: ({ bytes, detail }) => ({
      message: `Not checked for code that loaders run: ${formatBytes(bytes)}, ${detail}.`,
      effect: 'Whether the file names code, or holds some, is unknown.',
      advice: 'Read the file before you load the model.',
    }),
  }),
  'template-reaches-internals': defineFinding({
    severity: 'warning',
    example: { template: 'chat_template', attributes: '__class__, __globals__', line: 3 },
    words: ({ template, attributes, line }) => ({
      message: `Template ${template} reaches into Python objects: ${attributes} (line ${formatCount(line)}).`,
      effect:
        'transformers renders templates in a sandbox, which refuses this. A program without a sandbox runs what it reaches. Stowage did not render it.',
      advice: 'Do not render the template. Check where the file comes from.',
    }),
  }),
  'config-import-unexpected': defineFinding({
    severity: 'error',
    example: { name: 'os.system', key: '_target_' },
    words: ({ name, key }) => ({
      message: `Unexpected import in a config: ${name} at ${key}.`,
      effect:
        'A program that instantiates the config (hydra.utils.instantiate, yaml.unsafe_load) imports and calls it. Stowage did not.',
      advice: sourceUnknown,
    }),
  }),
  'config-needs-code': defineFinding({
    severity: 'note',
    example: { first: 'tinymodel.Net', names: 1, key: '_target_' },
    words: ({ first, names, key }) => ({
      message: `Code needed by the config: ${first}${names > 3 ? ` and ${formatCount(names - 3)} more` : ''}, first at ${key}.`,
      effect: 'A program that instantiates the config imports and calls these classes or functions.',
      advice: 'Keep the code with the model.',
    }),
  }),
  'keras-pickle-guarded': defineFinding({
    severity: 'warning',
    example: { layer: 'torch_module_wrapper', key: 'config.json: config.layers[1].config.module', bytes: 3_120 },
    words: ({ layer, key, bytes }) => ({
      message: `Pickle in layer ${layer}: ${formatBytes(bytes)} at ${key}.`,
      effect: 'keras.models.load_model refuses it, and unpickles it with safe_mode=False.. Stowage did not.',
      advice: 'Do not set safe_mode=False for this file. Save the weights of the module in place of it.',
    }),
  }),
  'links-to-other-files': defineFinding({
    severity: 'warning',
    example: { first: '/etc/passwd', files: 1 },
    words: ({ first, files }) => ({
      message: `External links to ${counted(files, 'other file')}, first ${first}.`,
      effect: 'The HDF5 library opens these files when a program reads what is under the links. Stowage did not.',
      advice: 'Check which files they are before you load the model or serve what it holds.',
    }),
  }),
  'keras-lambda-code': defineFinding({
    severity: 'error',
    example: { layer: 'lambda_1', key: 'model_config.config.layers[3].config.function', bytes: 312 },
    words: ({ layer, key, bytes }) => ({
      message: `Python bytecode in layer ${layer}: ${formatBytes(bytes)} at ${key}.`,
      effect:
        'keras.models.load_model makes a function of it, and runs it when the model is built or called. Versions before 3.11.3 do so for this format even with safe_mode=True. Stowage did not.',
      advice: sourceUnknown,
    }),
  }),
  'keras-lambda-guarded': defineFinding({
    severity: 'warning',
    example: { layer: 'lambda_1', key: 'config.json: config.layers[3].config.function', bytes: 312 },
    words: ({ layer, key, bytes }) => ({
      message: `Python bytecode in layer ${layer}: ${formatBytes(bytes)} at ${key}.`,
      effect: 'keras.models.load_model refuses it, and runs it with safe_mode=False or in versions before 2.13. Stowage did not.',
      advice: 'Do not set safe_mode=False for this file. Save a layer class in place of the lambda.',
    }),
  }),
  'keras-import-unexpected': defineFinding({
    severity: 'error',
    example: { name: 'os.system', key: 'config.json: config.layers[1]' },
    words: ({ name, key }) => ({
      message: `Unexpected import in a Keras config: ${name} at ${key}.`,
      effect:
        'Versions of Keras before 3.9 import the module and use this name when they load the model, also with safe_mode=True. Stowage did not.',
      advice: sourceUnknown,
    }),
  }),
  'keras-needs-code': defineFinding({
    severity: 'note',
    example: { first: 'tiny>Scale, tiny.layers.Gate', names: 2, key: 'config.json: config.layers[1]' },
    words: ({ first, names, key }) => ({
      message: `Code needed to load: ${first}${names > 3 ? ` and ${formatCount(names - 3)} more` : ''}, first at ${key}.`,
      effect:
        'keras.models.load_model needs these classes or functions: registered, in custom_objects, or in a module that it imports.',
      advice: 'Keep the code with the model.',
    }),
  }),
  'graph-runs-code': defineFinding({
    severity: 'error',
    example: { operation: 'WriteFile', nodes: 1, first: 'StatefulPartitionedCall/WriteFile', what: 'writes a file' },
    words: ({ operation, nodes, first, what }) => ({
      message: `Operation ${operation} in the graph: ${counted(nodes, 'node')}, first ${first}.`,
      effect: `It ${what} when TensorFlow runs the part of the graph that it is in, which may be on loading. Stowage ran nothing.`,
      advice: 'Do not run the model. Check where it comes from.',
    }),
  }),
  'graph-reads-files': defineFinding({
    severity: 'warning',
    example: { operation: 'ReadFile', nodes: 1, first: 'ReadFile' },
    words: ({ operation, nodes, first }) => ({
      message: `Operation ${operation} in the graph: ${counted(nodes, 'node')}, first ${first}.`,
      effect: 'TensorFlow reads files that the graph, or its input, names, with the rights of the program.',
      advice: 'Check which files it reads before you serve the model.',
    }),
  }),
  'operators-custom': defineFinding({
    severity: 'note',
    example: { domain: 'com.example', operators: 'FancyGelu, Rotary', nodes: 24 },
    words: ({ domain, operators, nodes }) => ({
      message: `Custom operators of the domain ${domain}: ${operators} (${counted(nodes, 'node')}).`,
      effect: 'The runtime needs a library with their native code, which runs when the model is called.',
      advice: 'Load libraries of operators only from where you know them.',
    }),
  }),
  'operators-of-runtime': defineFinding({
    severity: 'note',
    example: { domain: 'com.microsoft', operators: 'MatMulNBits', nodes: 24 },
    words: ({ domain, operators, nodes }) => ({
      message: `Operators of ONNX Runtime (domain ${domain}): ${operators} (${counted(nodes, 'node')}).`,
      effect: 'Other runtimes may not have them. No further library is needed in ONNX Runtime.',
      advice: 'Run the model with ONNX Runtime.',
    }),
  }),
  'archive-has-code': defineFinding({
    severity: 'note',
    example: { files: 2, first: 'code/__torch__/net.py', bytes: 2_048, runBy: 'TorchScript when the model is called' },
    words: ({ files, first, bytes, runBy }) => ({
      message: `Code in the archive: ${counted(files, 'file')}, ${formatBytes(bytes)}, first ${first}.`,
      effect: `Run by ${runBy}. Stowage did not read it.`,
      advice: 'Read the code before you load the model.',
    }),
  }),
  'archive-has-native-code': defineFinding({
    severity: 'warning',
    example: { files: 1, first: 'data/aotinductor/model/model.so', bytes: 80_000 },
    words: ({ files, first, bytes }) => ({
      message: `Native code in the archive: ${counted(files, 'file')}, ${formatBytes(bytes)}, first ${first}.`,
      effect: 'A loader that opens it as a library runs machine code, which no header describes.',
      advice: 'Check where the file comes from before you load it.',
    }),
  }),
  'path-configuration-code': defineFinding({
    severity: 'note',
    example: { line: 1, text: 'import os; os.environ.setdefault("X", "1")', lines: 1 },
    words: ({ line, text, lines }) => ({
      message: `Python path configuration with code, ${counted(lines, 'line')}: line ${formatCount(line)} is “${text}”.`,
      effect:
        'In a directory of site-packages, Python runs these lines each time it starts (site.py). The file is no checkpoint.',
      advice: 'Check which package wrote it.',
    }),
  }),
  'requirements-elsewhere': defineFinding({
    severity: 'note',
    example: { line: 3, text: '-e git+https://example.com/net.git', lines: 1 },
    words: ({ line, text, lines }) => ({
      message: `Requirements from elsewhere than the package index, ${counted(lines, 'line')}: line ${formatCount(line)} is “${text}”.`,
      effect: 'pip fetches these packages from there, and runs their code when it builds them.',
      advice: 'Check where the packages come from before you install them.',
    }),
  }),
};
