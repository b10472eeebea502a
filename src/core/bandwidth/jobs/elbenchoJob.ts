import type { CheckRequest } from '../measurement.js';
import type { ToolPart } from './toolPart.js';

const treeEnd = 'END_OF_TREE';

/**
 * elbencho with a list of files ("custom tree mode"), and one service on each node; options as in its docs/usage/help-all.md, lines of
 * the list as its PathStore reads them.
 */
export function elbenchoPart(request: CheckRequest, nodes: number | null): ToolPart {
  const { shape, repeats } = request;
  const largestBytes = shape.files.reduce((most, { sizeBytes }) => Math.max(most, sizeBytes), 0);
  const check = [
    'elbencho',
    ...(nodes === null ? [] : ['--hosts "$HOSTS" --port "$PORT" --svcpwfile "$CHECK/password" --svcwait 60']),
    '-d -w -r -F -D',
    `-t ${shape.streams}`,
    `-b ${shape.blockBytes}`,
    '--treefile "$CHECK/files"',
    // Larger files are shared by threads, and none is.
    `--sharesize ${largestBytes + 1}`,
    '--sync ${DIRECT_OPTION}',
    `--timelimit ${request.seconds} -i ${repeats}`,
    '--lat --nolive --nopathexp "$CHECK/data"',
  ].join(' ');
  return {
    differences: [
      'elbencho deals the files out to its threads by size, and syncs the whole system after a phase, not each file in it.',
      'Count "last done". A phase that reaches the time limit is the last one.',
    ],
    lines: [
      `cat > files <<'${treeEnd}'`,
      ...treeLines(request, nodes ?? 1),
      treeEnd,
      'mkdir data',
      'DIRECT_OPTION=; if [ "$DIRECT" = 1 ]; then DIRECT_OPTION=--direct; fi',
      ...(nodes === null ? [check] : [...serviceLines, check, ...quitLines]),
    ],
  };
}

/** A folder for each node, with all files of the shape. */
function treeLines({ shape }: CheckRequest, nodes: number): string[] {
  const folders = Array.from({ length: nodes }, (_, node) => `node-${node + 1}`);
  return [
    ...folders.map((folder) => `d ${folder}`),
    ...folders.flatMap((folder) => shape.files.map(({ name, sizeBytes }) => `f ${sizeBytes} ${folder}/${name}`)),
  ];
}

/** A service takes orders from all who reach its port, so it gets a password. */
const serviceLines = [
  'HOSTS=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | paste -s -d , -)',
  'PORT=$((20000 + SLURM_JOB_ID % 20000))',
  '(umask 077 && od -An -N32 -tx1 /dev/urandom | tr -d " \\n" > password)',
  'srun --ntasks-per-node=1 --cpu-bind=none elbencho --service --foreground --port "$PORT" --svcpwfile "$CHECK/password" >/dev/null &',
];

const quitLines = ['elbencho --hosts "$HOSTS" --port "$PORT" --svcpwfile "$CHECK/password" --quit', 'wait'];
