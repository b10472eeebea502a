/** Which unexpected calls come first where only some are shown: those that run commands or code, so that other calls cannot push them out. */

const runsCode = new Set(
  `os posix nt subprocess pty popen2 commands platform builtins __builtin__ runpy code codeop codecs ctypes _ctypes importlib imp sys timeit pdb bdb
  cProfile profile trace pickle _pickle cloudpickle dill marshal types operator _operator functools multiprocessing _posixsubprocess
  concurrent asyncio webbrowser pip`.split(/\s+/),
);
const reachesOut = new Set(
  `socket _socket ssl http urllib urllib2 requests ftplib smtplib poplib imaplib telnetlib xmlrpc httplib aiohttp shutil pathlib io _io tempfile glob
  fileinput sqlite3 zipfile tarfile signal threading _thread xgboost lightgbm catboost sentencepiece onnxruntime safetensors tokenizers h5py pyarrow`.split(
    /\s+/,
  ),
);
/** Functions that unpickle another file, or run the model in it. */
const loadsAnother =
  /^(?:torch|joblib|numpy|pandas|keras|tensorflow|tf_keras|sklearn|skops|mlflow|transformers)(?:\.\w{1,60}){0,8}\.(?:_?load\w{0,40}|read_pickle|read_hdf|from_pretrained)\(/;

/** 0 for a call that runs commands or code, or loads a file that may, 1 for one that reaches files or other machines, 2 for others. @param call `posix.system("id")` */
export function callRank(call: string): 0 | 1 | 2 {
  const [, top = ''] = /^(\w{1,60})[.(]/.exec(call) ?? [];
  if (runsCode.has(top) || loadsAnother.test(call)) return 0;
  return reachesOut.has(top) ? 1 : 2;
}
