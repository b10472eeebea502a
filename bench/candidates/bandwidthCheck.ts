/** A bandwidth check without the command line around it. usage: bandwidthCheck DIRECTORY STREAMS FILE_BYTES BLOCK_BYTES */
import { readFileSync } from 'node:fs';
import { isCheckThread, runCheckThread } from '../../src/platform/bandwidth/checkThread.js';
import { runCheck } from '../../src/platform/bandwidth/runCheck.js';

/** What the kernel counted as written by all of this process. */
function writtenByProcess(): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'latin1'))?.[1]);
}

async function main([target = '', streamsText = '', fileBytes = '', blockBytes = '']: string[]) {
  const streams = Number(streamsText);
  const sizeBytes = Number(fileBytes);
  const files = Array.from({ length: streams }, (_, index) => ({ name: `rank-${index}.bin`, sizeBytes }));
  const totalBytes = streams * sizeBytes;
  const before = writtenByProcess();
  const measured = await runCheck(
    {
      target,
      shape: {
        replayOf: null,
        realBytes: totalBytes,
        realFiles: streams,
        scale: 1,
        files,
        totalBytes,
        streams,
        blockBytes: Number(blockBytes),
      },
      repeats: 1,
      seconds: 3600,
      smallFiles: 0,
      sweep: null,
      sustained: null,
    },
    { onProgress: () => undefined },
    new AbortController().signal,
    { threadFile: __filename },
  );
  return { measured, processWrittenBytes: writtenByProcess() - before };
}

if (isCheckThread()) runCheckThread();
else {
  main(process.argv.slice(2)).then(
    (result) => process.stdout.write(JSON.stringify(result)),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exitCode = 1;
    },
  );
}
