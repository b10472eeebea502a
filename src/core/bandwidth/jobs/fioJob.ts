import { limits } from '../../bytes/limits.js';
import type { CheckRequest } from '../measurement.js';
import { phaseSeconds, streamParts, type StreamPart, type ToolPart } from './toolPart.js';

const jobEnd = 'END_OF_JOB';

/**
 * One fio on each node; all options as in fio(1), 3.33. Not fio's own client and server: the server takes jobs from anybody who
 * reaches its port.
 */
export function fioPart(request: CheckRequest, nodes: number | null): ToolPart {
  const run = 'mkdir "$1" && cd "$1" && fio ../check.fio && rm -f -- * && cd .. && rmdir "$1"';
  const perRepeat =
    nodes === null
      ? `  sh -c '${run}' sh data`
      : `  srun --ntasks-per-node=1 --cpu-bind=none --label sh -c '${run.replaceAll('$1', '$SLURMD_NODENAME')}'`;
  return {
    differences: [
      'fio gives all files of a stream the same size, in whole blocks.',
      ...(nodes === null ? [] : ['There is no barrier between the nodes: srun starts them within some milliseconds.']),
    ],
    lines: [
      `cat > check.fio <<'${jobEnd}'`,
      ...fioJobFile(request),
      jobEnd,
      `for repeat in ${repeatNumbers(request)}; do`,
      '  echo "repeat $repeat"',
      perRepeat,
      'done',
    ],
  };
}

/** fio replaces `${DIRECT}` by the variable of the environment. */
function fioJobFile(request: CheckRequest): string[] {
  const streams = streamParts(request);
  const { blockBytes } = request.shape;
  return [
    '[global]',
    'ioengine=psync',
    'thread=1',
    'direct=${DIRECT}',
    `bs=${blockBytes}`,
    'end_fsync=1',
    'fsync_on_close=1',
    '# Files are made and grow while the clock runs, as those of a checkpoint do.',
    'create_on_open=1',
    'fallocate=none',
    'file_service_type=sequential',
    'openfiles=1',
    '# New random data for each block.',
    'refill_buffers=1',
    'randrepeat=0',
    `runtime=${phaseSeconds(request)}`,
    'group_reporting=1',
    ...streams.flatMap((stream, index) => section('write', index, stream, blockBytes)),
    ...streams.flatMap((stream, index) => section('read', index, stream, blockBytes)),
  ];
}

function section(kind: 'write' | 'read', index: number, stream: StreamPart, blockBytes: number): string[] {
  const { blocks, bytesOfBlock } = blocksOfFile(stream, blockBytes);
  return [
    `[${kind}-${index}]`,
    // All sections of reading begin when those of writing are done.
    ...(kind === 'read' && index === 0 ? ['stonewall'] : []),
    `rw=${kind}`,
    ...(bytesOfBlock === blockBytes ? [] : [`bs=${bytesOfBlock}`]),
    `filename=${stream.names.join(':')}`,
    `filesize=${blocks * bytesOfBlock}`,
    `size=${blocks * bytesOfBlock * stream.names.length}`,
  ];
}

/** fio leaves out what is no whole block, so files are rounded to whole ones; a file below one block is one of its own size. */
function blocksOfFile({ names, bytes }: StreamPart, blockBytes: number): { blocks: number; bytesOfBlock: number } {
  const each = bytes / names.length;
  if (each >= blockBytes) return { blocks: Math.round(each / blockBytes), bytesOfBlock: blockBytes };
  const sector = limits.checkSectorBytes;
  return { blocks: 1, bytesOfBlock: Math.max(sector, Math.floor(each / sector) * sector) };
}

function repeatNumbers({ repeats }: CheckRequest): string {
  return Array.from({ length: repeats }, (_, repeat) => repeat + 1).join(' ');
}
