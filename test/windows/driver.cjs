/**
 * Runs command lines of the built program one after the other in one process, as wine takes longer to start Node than Node to answer. Runs
 * in Windows' own Node and in this machine's alike: `node driver.cjs JOBS RESULTS CLI`.
 */
const fs = require('node:fs');

const [, , jobsFile = '', resultsFile = '', cli = ''] = process.argv;
const cliFile = require.resolve(require('node:path').resolve(cli));
/** @type {{ args: string[] }[]} */
const jobs = JSON.parse(fs.readFileSync(jobsFile, 'utf8'));

/** Paths that the program handed to the system, of the job that runs. @type {string[]} */
let reached = [];
logPaths(fs.promises);
logPaths(fs);

/**
 * Has the calls of a module that take a path first write it down, and those of promises as well.
 * @param {Record<string, any>} calls
 */
function logPaths(calls) {
  const names = ['stat', 'lstat', 'statfs', 'open', 'opendir', 'readdir', 'readlink', 'realpath', 'access', 'readFile'];
  for (const name of names.flatMap((each) => [each, `${each}Sync`])) {
    const original = calls[name];
    if (typeof original !== 'function') continue;
    calls[name] = Object.assign((/** @type {any[]} */ ...args) => {
      if (typeof args[0] === 'string') reached.push(args[0]);
      return original.apply(calls, args);
    }, original);
  }
}

/**
 * @param {string[]} args
 * @returns {Promise<{ code: number, output: string, errors: string, reached: string[] }>}
 */
async function run(args) {
  let output = '';
  let errors = '';
  reached = [];
  const collect = (/** @type {(text: string) => void} */ keep) =>
    /** @type {any} */ (
      (/** @type {string} */ text, /** @type {unknown} */ encoding, /** @type {unknown} */ done) => {
        keep(String(text));
        const callback = typeof encoding === 'function' ? encoding : done;
        if (typeof callback === 'function') callback();
        return true;
      }
    );
  process.stdout.write = collect((text) => (output += text));
  process.stderr.write = collect((text) => (errors += text));
  process.argv = [process.argv[0] ?? '', cliFile, ...args];
  process.exitCode = undefined;
  delete require.cache[cliFile];
  require(cliFile);
  while (process.exitCode === undefined) await new Promise((resolve) => setImmediate(resolve));
  return { code: Number(process.exitCode), output, errors, reached };
}

void (async () => {
  const results = [];
  for (const { args } of jobs) results.push(await run(args));
  fs.writeFileSync(resultsFile, JSON.stringify(results));
  process.exit(0);
})();
