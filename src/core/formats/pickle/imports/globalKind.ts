/** What a global of a pickle is, by its module and name alone: nothing is imported. */
import { isActingClass, isOpeningClass } from './actingClasses.js';
import { isFrameworkClass, isFrameworkFunction, isRebuild } from './frameworkGlobals.js';
import { executesOnImport } from './executingModules.js';
import { isStandardLibrary } from './standardLibrary.js';

/**
 * `rebuild`: saves of frameworks call it with arguments. `class`, `function`: they name it without calling it. `special`: what it does is
 * decided by its arguments. `package-class`: another class of torch or NumPy, or one that opens what it is given. `acting-class`: it opens a file,
 * a device or a connection as soon as it is made. `own-class`, `own-function`: of any other package, as the user's. `unexpected`: of the standard library, of a package that starts programs, or a name that no class has.
 */
export type GlobalKind =
  'rebuild' | 'class' | 'function' | 'special' | 'package-class' | 'acting-class' | 'own-class' | 'own-function' | 'unexpected';

/** Groups of kinds, as reports have them. `own` needs code that is not part of a framework's usual saves. */
export type ImportKind = 'usual' | 'own' | 'unexpected';

/** Packages whose functions and constructors do more than hold data: torch and NumPy, and those that start programs, load code or open connections. */
const strictPackages = new Set([
  ...['torch', 'numpy', 'functorch', 'caffe2'],
  ...['pip', 'setuptools', 'pkg_resources', 'distutils', '_distutils_hack', 'wheel', 'ensurepip', 'conda', 'uv'],
  ...['IPython', 'ipykernel', 'jupyter_client', 'notebook', 'nbconvert', 'pexpect', 'ptyprocess', 'winpty', 'paramiko', 'fabric'],
  ...['invoke', 'sh', 'plumbum', 'delegator', 'envoy', 'sarge', 'psutil', 'cloudpickle', 'dill', 'jsonpickle', 'cffi', 'joblib'],
  ...[
    'numba',
    'llvmlite',
    'cupy',
    'triton',
    'fsspec',
    'requests',
    'urllib3',
    'httpx',
    'aiohttp',
    'docker',
    'kubernetes',
    'ansible',
  ],
  ...[
    'celery',
    'billiard',
    'sqlalchemy',
    'psycopg2',
    'gevent',
    'eventlet',
    'twisted',
    'tornado',
    'nose',
    'pytest',
    '_pytest',
    'py',
  ],
  ...[
    'execnet',
    'rpyc',
    'Pyro4',
    'Pyro5',
    'jinja2',
    'mako',
    'django',
    'flask',
    'werkzeug',
    'yaml',
    'ruamel',
    'ray',
    'dask',
    'loky',
  ],
  ...['picklescan', 'fickling', 'modelscan'],
]);

/** What functions and classes that run programs or code are called in any module that imports them. */
const hazardousNames = new Set([
  ...['Popen', 'system', 'popen', 'exec', 'eval', 'execfile', 'compile', 'import_module', 'run_module', 'run_path', 'runpy'],
  ...['check_output', 'check_call', 'getoutput', 'getstatusoutput', 'FileIO', 'FileHandler', 'ProxyCommand', 'PopenSpawn'],
  ...['CodeType', 'FunctionType', 'LambdaType', 'MethodType', 'ModuleType', 'methodcaller', 'attrgetter', 'rmtree', 'fork_exec'],
  ...['InteractiveInterpreter', 'InteractiveConsole', 'CDLL', 'PyDLL', 'getattr', 'setattr', 'delattr', 'globals', 'runcode'],
]);

/** Those that the arguments of a call decide about; see callRule.ts. */
const specialNames = new Set([
  ...[
    'builtins.getattr',
    'builtins.type',
    'builtins.iter',
    'copyreg._reconstructor',
    'copyreg.__newobj__',
    'copyreg.__newobj_ex__',
  ],
  ...[
    'functools.partial',
    'functools.reduce',
    'builtins.reduce',
    '_operator.or_',
    'operator.or_',
    '_operator.getitem',
    'operator.getitem',
  ],
  ...['_operator.itemgetter', 'operator.itemgetter'],
  ...['torch._tensor._rebuild_from_type', 'torch._tensor._rebuild_from_type_v2', 'torch.storage._load_from_bytes'],
  ...['numpy.random._pickle.__generator_ctor', 'numpy.random._pickle.__randomstate_ctor'],
]);

/** Names of Python 2 for modules of Python 3 (CPython's Lib/_compat_pickle.py), as far as the tables have them. */
const renamedModules: Readonly<Record<string, string>> = {
  __builtin__: 'builtins',
  __builtins__: 'builtins',
  _functools: 'functools',
  copy_reg: 'copyreg',
  exceptions: 'builtins',
  UserDict: 'collections',
  UserList: 'collections',
  UserString: 'collections',
  StringIO: 'io',
  cStringIO: 'io',
};

/** The module by its name in Python 3. */
export function currentModule(module: string): string {
  return Object.hasOwn(renamedModules, module) ? (renamedModules[module] as string) : module;
}

/** A module path or a name as Python's syntax has them. */
export function isDottedIdentifier(text: string): boolean {
  return text.length <= 512 && /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*$/u.test(text);
}

/** Of Python 2's builtins, where they have another name. */
const renamedNames: Readonly<Record<string, string>> = { long: 'int', unicode: 'str', xrange: 'range', basestring: 'str' };

const torchConstants =
  /^torch\.(?:contiguous_format|preserve_format|channels_last(?:_3d)?|strided|sparse_(?:coo|csr|csc|bsr|bsc)|jagged)$/;

const classPath = /^_{0,2}[A-Z]\w*(?:\._{0,2}[A-Z]\w*)*$/;

/** What a global is. Both may be any text. */
export function globalKind(rawModule: string, name: string): GlobalKind {
  const module = currentModule(rawModule);
  if (module !== rawModule && Object.hasOwn(renamedNames, name)) return kindOfCurrent(module, renamedNames[name] as string);
  return kindOfCurrent(module, name);
}

function kindOfCurrent(module: string, name: string): GlobalKind {
  if (!isDottedIdentifier(module) || !isDottedIdentifier(name)) return 'unexpected';
  if (specialNames.has(`${module}.${name}`) && !name.includes('.')) return 'special';
  if (isRebuild(module, name)) return 'rebuild';
  if (isFrameworkClass(module, name)) return 'class';
  if (isFrameworkFunction(module, name)) return 'function';
  // A memory format or a layout pickles as a path from whichever module has `torch`.
  if (torchConstants.test(name)) return 'class';
  // The machine of TorchScript names its own types so; Python has no such module.
  if (module.startsWith('__torch__.') || module === '__torch__') return 'class';
  return kindOfOther(module, name);
}

function kindOfOther(module: string, name: string): GlobalKind {
  const [top = ''] = module.split('.', 1);
  if (isStandardLibrary(module) || executesOnImport(module) || name.split('.').some((part) => hazardousNames.has(part)))
    return 'unexpected';
  // Cython's rebuild function of a class: it takes the class, a checksum and the state.
  if (/^__pyx_unpickle_[A-Z]\w*$/.test(name)) return 'rebuild';
  const isClass = classPath.test(name);
  if (strictPackages.has(top) && !(isClass && (top === 'torch' || top === 'numpy') && !name.includes('.'))) return 'unexpected';
  if (isClass && isActingClass(top, name)) return 'acting-class';
  if (isClass) return strictPackages.has(top) || isOpeningClass(top, name) ? 'package-class' : 'own-class';
  // A path through a lower-case name may lead into any module that this one imports.
  return name.includes('.') || /^__.*__$/.test(name) ? 'unexpected' : 'own-function';
}

const ownKinds: ReadonlySet<GlobalKind> = new Set(['package-class', 'acting-class', 'own-class', 'own-function']);

/** The group of a kind. */
export function importKindOf(kind: GlobalKind): ImportKind {
  if (kind === 'unexpected') return 'unexpected';
  return ownKinds.has(kind) ? 'own' : 'usual';
}
