/** Which unexpected calls come first where only some are shown: those that run commands or code, so that other calls cannot push them out. */

const runsCode = new Set(
  `os posix nt subprocess pty popen2 commands platform builtins __builtin__ runpy code codeop codecs ctypes _ctypes importlib imp sys timeit pdb bdb
  cProfile profile trace pickle _pickle cloudpickle dill marshal types operator _operator functools multiprocessing _posixsubprocess
  concurrent asyncio webbrowser pip`.split(/\s+/),
);
const reachesOut = new Set(
  `socket _socket ssl http urllib urllib2 requests ftplib smtplib poplib imaplib telnetlib xmlrpc httplib aiohttp shutil pathlib io _io tempfile glob
  fileinput sqlite3 zipfile tarfile signal threading _thread`.split(/\s+/),
);

/** 0 for a call of a module that runs commands or code, 1 for one that reaches files or other machines, 2 for others. @param call `posix.system("id")` */
export function callRank(call: string): 0 | 1 | 2 {
  const [, top = ''] = /^(\w{1,60})[.(]/.exec(call) ?? [];
  if (runsCode.has(top)) return 0;
  return reachesOut.has(top) ? 1 : 2;
}
