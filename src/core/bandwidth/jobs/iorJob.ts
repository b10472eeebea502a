import type { CheckRequest } from '../measurement.js';
import { phaseSeconds, streamParts, type ToolPart } from './toolPart.js';

/** IOR with one task a stream; options as in its doc/sphinx/userDoc/options.rst, and `--help` for O_DIRECT, which has had two names. */
export function iorPart(request: CheckRequest, nodes: number | null): ToolPart {
  const { shape, repeats } = request;
  const streams = streamParts(request).length;
  // A block is whole transfers, and the same for each task.
  const transfers = Math.max(1, Math.floor(shape.totalBytes / streams / shape.blockBytes));
  const launch =
    nodes === null
      ? `mpirun -n ${streams}`
      : `srun --ntasks=${streams * nodes} --ntasks-per-node=${streams} --chdir="$CHECK" --cpu-bind=none`;
  return {
    differences: [
      `IOR writes one file a task: ${streams} of ${transfers * shape.blockBytes} bytes${nodes === null ? '' : ' on each node'}.`,
      'Each task reads what another node has written (-C), so that no node reads from its own cache.',
    ],
    lines: [
      'DIRECT_OPTION=',
      'if [ "$DIRECT" = 1 ]; then',
      '  # Its name since IOR 3.3; -B before that.',
      '  if ior --help 2>&1 | grep -q -e posix.odirect; then DIRECT_OPTION=--posix.odirect; else DIRECT_OPTION=-B; fi',
      'fi',
      [
        launch,
        'ior -a POSIX -F -w -r -e -g',
        `-C -Q ${streams}`,
        `-b ${transfers * shape.blockBytes} -t ${shape.blockBytes}`,
        '-l incompressible ${DIRECT_OPTION}',
        `-D ${phaseSeconds(request)} -i ${repeats}`,
        // Relative: an `@` in a path would part it into several.
        '-o data',
      ].join(' '),
    ],
  };
}
