import { isCheckThread, runCheckThread } from './platform/bandwidth/checkThread.js';
import { isValuesThread } from './platform/values/valuesThreadData.js';
import { isPassThread } from './platform/verification/isPassThread.js';

// Threads of a bandwidth check, of a verification, and those that read values, run this same file, so that the command line stays one; they load nothing else of it.
if (isCheckThread()) runCheckThread();
else if (isPassThread()) void import('./platform/verification/passThread.js').then(({ runPassThread }) => runPassThread());
else if (isValuesThread()) void import('./platform/values/valuesThread.js').then(({ runValuesThread }) => runValuesThread());
else {
  // Node reads files with four threads unless this is set before the first read; on a network file system they wait most of the time.
  // On Windows this comes too late: libuv reads a copy of the environment that is made when the process starts.
  process.env['UV_THREADPOOL_SIZE'] ??= '32';

  void import('./cli/main.js')
    .then(({ main }) => main(process.argv.slice(2)))
    .then((code) => {
      process.exitCode = code;
    });
}
