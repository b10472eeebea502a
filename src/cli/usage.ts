/** What each command is called with, and what its flags mean; `stowage COMMAND --help` prints one of them. */
import { sectionIds } from '../core/pages/plan/planSection.js';

interface CommandUsage {
  synopsis: string[];
  summary: string;
  /** With the flag or the group's name, and what it does. */
  flags: [string, string][];
}

const report: [string, string][] = [
  ['--json', 'the whole report as JSON'],
  ['--markdown', 'the report as Markdown'],
  ['--no-color', 'no colours in a terminal'],
];

const remote: [string, string][] = [
  ['--fetch-all', 'of an address: go on without asking beyond 200 requests or 64 MiB'],
  ['--anonymous', 'ask stores that speak S3 without a key; also --profile NAME of ~/.aws, and --requester-pays'],
  ['--header-cache FOLDER', 'of an address: keep headers there, and read those of files that have not changed from there'],
];

const slurm: [string, string][] = [
  ['--partition NAME', 'of the job; also --account, --qos, --constraint, --reservation, --time-limit TIME'],
  ['--share-nodes', 'do not request whole nodes'],
];

const sharedSynopsis = [
  'PATH --nodes N [--yes] [--job-folder FOLDER] [--kubernetes --claim NAME=PATH [--namespace NAME] [--image NAME]]',
  '--gather FOLDER [--json | --markdown] [--no-color]',
];

/** Flags of commands whose work an array of tasks can share. */
function shared(items: string): [string, string][] {
  return [
    [
      '--nodes N',
      `share the ${items} among N nodes: write a job array for Slurm, submit it once you confirm, run again what a lost node left, and gather the results`,
    ],
    ['--yes, -y', 'submit it without asking'],
    ...slurm,
    ['--job-folder FOLDER', 'for the job and its results, on storage that all nodes mount; this folder without it'],
    ['--kubernetes', 'write an indexed Job for Kubernetes instead'],
    [
      '--claim NAME=PATH',
      'of Kubernetes: the volume claim with PATH and the job folder, and where it is mounted, here as in the pods',
    ],
    ['--namespace NAME', 'of the Job; also --image NAME, with Node.js 20 or newer'],
    ['--gather FOLDER', 'report what the tasks of such a job have left there'],
  ];
}

const commands = {
  inspect: {
    synopsis: [
      'PATH… [--json | --markdown] [--tensors] [--fail-on error|warning] [--fail-on-code CODE,…] [--no-color]',
      '[--part NAME] [--ranks N [--tensor-parallel N] [--pipeline-parallel N]] [--all-lengths] [--tokenizer FILE] [--seed N] [--sample-seconds N] [--tokens-per-second N]',
      '[--sequence-length N] [--train-tokens N] [--fetch-all] [--anonymous | --profile NAME] [--requester-pays]',
    ],
    summary:
      'account for every byte of a checkpoint or dataset, a directory, a file or an address (hf://, s3://, gs://, az://, abfs://, https://), reading only headers and executing nothing',
    flags: [
      ...report,
      ['--tensors', 'list the tensors as well (with --json; as a table without)'],
      ['--fail-on SEVERITY', 'exit with 1 when there is a finding of that severity or worse'],
      ['--fail-on-code CODE,…', 'exit with 1 when there is a finding of one of these codes: docs/findings.md lists them'],
      ['--part NAME', 'of several things in one directory this one: checkpoint, or a data set by its layout'],
      ['--ranks N', 'whether a job of so many ranks can go on from the checkpoint, and with what conversion'],
      ['--tensor-parallel N', 'of that job; as it was saved without it'],
      ['--pipeline-parallel N', 'of that job; as it was saved without it'],
      ['--all-lengths', 'of a dataset: read the lengths of all samples, also where that takes long'],
      ['--tokenizer FILE', 'tokenize samples of raw text with this tokenizer.json, in place of the one beside the data'],
      ['--seed N', 'sample raw text at other random places; 1 without it'],
      [
        '--sample-seconds N',
        'end tokenizing after so long, above 3 with more samples; without it only their number ends it, and a seed repeats the report',
      ],
      ['--tokens-per-second N', 'what a training run of that speed reads from it; N may end in k, M, B or T'],
      ['--sequence-length N', 'tokens of one sample of a batch'],
      ['--train-tokens N', 'tokens to train on: epochs and time'],
      ...remote,
    ],
  },
  estimate: {
    synopsis: [
      'CONFIG… [--json | --markdown] [--no-color] [--model NAME] [--optimizer NAME] [--precision f32|bf16|f16|f8]',
      '[--steps N] [--save-interval N] [--keep N] [--rank N] [--quota BYTES [--step-seconds N]]',
    ],
    summary: "count a model's parameters from its config or a training config, and size its checkpoints and its run",
    flags: [
      ...report,
      ...remote,
      ['--model NAME', 'a config.json, its folder or its name on the Hub, in place of the model that CONFIG names'],
      ['--optimizer NAME', "in place of the config's: adamw, adamw_8bit, adafactor, lion, muon, sgd, shampoo, soap, galore, …"],
      ['--precision NAME', "in place of the config's"],
      ['--steps N', 'optimizer steps of the run'],
      ['--save-interval N', 'steps between two checkpoints'],
      ['--rank N', 'of the adapter'],
      ['--keep N', 'checkpoints that stay'],
      ['--quota BYTES', 'that the checkpoints of all CONFIGs have together (20TB): whether they fit, and the save that does not'],
      ['--step-seconds N', 'of each run, which all begin at once: after how long the quota is full'],
    ],
  },
  runs: {
    synopsis: [
      'DIRECTORY [--cache FILE] [--policy FILE] [--json | --markdown | --output FILE] [--no-color]',
      '--telemetry FILE [--columns NAME=COLUMN,…] [--json | --markdown | --output FILE] [--no-color]',
    ],
    summary:
      'how often and how fast training runs really saved, by the names, sizes and times of their files: intervals, durations, bandwidth, late ranks, gaps, growth, owners; of one run or of a whole file system; or by a time series of what a file system wrote and read',
    flags: [
      ...report,
      ...remote,
      [
        '--cache FILE',
        'keep what is seen of directories in FILE: those that have not changed are not listed again, and a search that was ended goes on where it was',
      ],
      ['--policy FILE', 'of a retention policy: what of each run could go by it, and which checkpoints are best'],
      [
        '--output FILE',
        'a row for each job: FILE.csv, FILE.arrow, or FILE.md with charts of interval, bandwidth and overlap by size in a folder beside it',
      ],
      [
        '--telemetry FILE',
        'find jobs and their saves in telemetry: CSV or Parquet, a Prometheus range query, sadf -j or iostat -t -o JSON, job_stats of Lustre or mountstats of NFS taken in turn (also a directory of these)',
      ],
      [
        '--columns NAME=COLUMN,…',
        'of a CSV or Parquet table, where they have other names than time, writeBytesPerSecond, readBytesPerSecond, writeBytes, readBytes',
      ],
    ],
  },
  retention: {
    synopsis: ['RUN [--policy FILE] [--workspace DIRECTORY] [--script FILE] [--json | --markdown] [--no-color]'],
    summary:
      'which checkpoints of a run a policy keeps, which it lets go and what that frees, with the reasons; nothing is removed',
    flags: [
      ...report,
      ['--policy FILE', 'what stays: docs/retention.md lists its keys; RUN/.stowage/retention.yaml without it'],
      [
        '--script FILE',
        'write a POSIX shell script that moves them to RUN/.stowage/trash when it is called with --apply, and FILE-purge, which removes them from there days later',
      ],
      ['--workspace DIRECTORY', 'with adapters and links, whose checkpoints stay; RUN alone without it'],
    ],
  },
  verify: {
    synopsis: [
      'PATH [--manifest FILE] [--require-coverage SHARE] [--log] [--json | --markdown] [--no-color]',
      'PATH --create [--output DIRECTORY | --inside] [--replace] [--log] [--json | --markdown] [--no-color]',
      'PATH --against FILE [--manifest FILE] [--json | --markdown] [--no-color]',
      ...sharedSynopsis,
    ],
    summary:
      'compare files with every checksum that there is of them: those of their containers, SHA256SUMS and its like, names of the Hub cache, a manifest; exits with 1 where one failed',
    flags: [
      ...report,
      ...remote,
      ['--manifest FILE', 'compare with this stowage-manifest.json; the one beside or in PATH without it'],
      ['--require-coverage SHARE', 'exit with 1 where checksums cover less of all bytes (100%), or nothing was compared'],
      ['--create', 'hash all files, and write SHA256SUMS and stowage-manifest.json; goes on where an earlier one was ended'],
      ['--output DIRECTORY', 'for these; .stowage/NAME beside PATH without it'],
      ['--inside', 'write them into PATH itself'],
      ['--replace', 'write over an earlier manifest, which files are compared with first otherwise'],
      ['--log', 'enter what was found into .stowage/verified.json beside PATH, where `stowage inspect` shows it'],
      ['--against FILE', 'compare the manifest of PATH, or PATH as a manifest, with another one: no file is read'],
      ...shared('files'),
    ],
  },
  values: {
    synopsis: [
      'PATH [--tensors GLOB] [--sample SHARE [--seed N]] [--json | --markdown] [--no-color]',
      'PATH --log [--json | --markdown] [--no-color]',
      'PATH --tensors NAME --slice INDICES [--json | --markdown] [--no-color]',
      ...sharedSynopsis,
    ],
    summary:
      'NaN, infinities, zeros, extremes, mean, deviation and histogram of each tensor of a checkpoint, whose bytes are read once',
    flags: [
      ...report,
      ...remote,
      ['--tensors GLOB', 'only those of such a name: * is any text, ? one character'],
      ['--sample SHARE', 'read such a share of each tensor (1%) at places that are spread evenly'],
      ['--seed N', 'sample other places; 1 without it'],
      ['--log', 'enter what was found into .stowage/verified.json beside PATH, where `stowage inspect` shows it'],
      [
        '--slice INDICES',
        'values of a part of one tensor: "0:8,0:16", an axis after the other; 3 is one index, ::2 every second',
      ],
      ...shared('tensors'),
    ],
  },
  compare: {
    synopsis: ['A B [--values [--sample SHARE [--seed N]]] [--fail-on difference] [--json | --markdown] [--no-color]'],
    summary:
      'what differs between two checkpoints, also of different frameworks: tensors, components, settings, configs, tokenizer, files, and what a resume from B instead of A changes',
    flags: [
      ...report,
      ...remote,
      ['--values', 'compare the values of tensors that both have: reads the bytes of both'],
      ['--sample SHARE', 'of values such a share of each tensor (1%) at places that are spread evenly'],
      ['--seed N', 'sample other places; 1 without it'],
      ['--fail-on difference', 'exit with 1 when something differs'],
    ],
  },
  plan: {
    synopsis: [
      '[FILE]… [--all | --section NAME,… | --json | --markdown] [--no-color] [--preset NAME] [--gpu NAME] [--set KEY=VALUE]…',
      '[--cluster [--directory DIRECTORY] [--partition NAME] [--yes]] [--quota BYTES [--used BYTES]] [--step-seconds N]',
      '[--sites FILE] [--against "KEY=VALUE …"]… [--export NAME,… [--storage-class NAME | --volume NAME]] [--output FILE]',
      '--inputs',
    ],
    summary:
      'storage for a checkpoint: bandwidth, interval, tiers, restore, retention, cost; FILE is a plan, a config, a checkpoint or a bandwidth report',
    flags: [
      ...report,
      ['--preset NAME', '7b, 8b, 70b, 405b, 1t-moe or megatron-1t, below what FILE sets'],
      ['--gpu NAME', 'a100, h100, b200, mi300x, tpu-v5p, …: memory, arithmetic and price of the GPU, unless these are set'],
      [
        '--sites FILE',
        'the storage systems that you have, with their rates, prices and limits; --set store=NAME takes one of them',
      ],
      ['--set KEY=VALUE', 'an input: bytes, seconds or a share of 1, or with a unit (90min, 2TB/s, 10%); null derives it'],
      [
        '--cluster',
        'ask the cluster for nodes, GPUs, walltime, grace period, file system and quota (sinfo, scontrol, nvidia-smi, df, lfs): shows the commands, which read only, and runs them once you confirm',
      ],
      ['--directory DIRECTORY', 'where checkpoints go, for --cluster: its file system, room and quota'],
      ['--partition NAME', 'of Slurm, for --cluster; the default one, or the one with most GPUs'],
      ['--yes, -y', 'run the commands of --cluster without asking'],
      ['--quota BYTES', 'room or quota of the storage (20TB): what of it stays free, or the day on which it is full'],
      ['--used BYTES', 'of that room or quota, what other files use already'],
      ['--step-seconds N', 'time of a step, to say intervals in steps'],
      [
        '--against "KEY=VALUE …"',
        'the first plan with these inputs beside it, as several FILEs are beside each other: what each trains and costs',
      ],
      ['--section NAME,…', `these answers with their reasons: ${sectionIds.join(', ')}`],
      ['--all', 'every answer with its reasons'],
      ['--inputs', 'list the inputs with their defaults'],
      [
        '--export NAME,…',
        'for other programs: mlperf-storage, dlio (workloads that write and read these checkpoints), kubernetes (a volume claim), markdown, json',
      ],
      ['--storage-class NAME', 'of the volume claim, as your cluster calls it'],
      ['--volume NAME', 'of the volume claim where the driver makes no volumes, as those of object stores'],
      [
        '--output FILE',
        'write there: exports, each to its file where it is a folder; else Markdown, its charts as SVG beside it',
      ],
    ],
  },
  bandwidth: {
    synopsis: [
      'DIRECTORY | s3://BUCKET/PREFIX | gs://BUCKET/PREFIX | az://CONTAINER/PREFIX',
      '[--replay CHECKPOINT | --size BYTES] [--streams N] [--block BYTES] [--seconds N]',
      '[--repeats N] [--space BYTES] [--interval TIME] [--yes] [--accept-warnings] [--remove-left]',
      '[--sweep [N,…]] [--sustained [--sustained-bytes BYTES] [--sustained-seconds TIME]] [--output FILE]',
      '[--nodes N] [--with fio|elbencho|ior] [--endpoint URL] [--region NAME] [--profile NAME] [--json | --markdown] [--no-color]',
    ],
    summary:
      "write and read back files like a checkpoint's in a new folder of DIRECTORY, remove them, and report how long a save takes there",
    flags: [
      ...report,
      ['--replay CHECKPOINT', "write files of the sizes and the number of this checkpoint's, scaled to the space"],
      ['--size BYTES', 'a whole save, with a unit (112GB, 4GiB), in one file a stream'],
      ['--streams N', "threads that write at the same time; the checkpoint's writers, or 8"],
      ['--block BYTES', 'of one write; 4MiB without it'],
      ['--seconds N', 'end after about so long; 30 without it'],
      ['--repeats N', 'write and read everything so many times; 3 without it'],
      ['--space BYTES', 'most bytes there at once; the smaller of 4GiB and a twentieth of the free space without it'],
      ['--interval TIME', 'between two saves of your run, like 30min; an hour is assumed without it'],
      [
        '--sweep [N,…]',
        'write with these numbers of streams too, through the cache and past it, and find the fewest that are enough; 1,2,4,8,16 without a list',
      ],
      [
        '--sustained',
        'write without a pause until the burst of the storage is spent, within these two bounds; the room is used again',
      ],
      ['--sustained-bytes BYTES', 'in all; 300GB without it'],
      ['--sustained-seconds TIME', '5min without it'],
      ['--output FILE', 'write the result there as Markdown, its charts as SVG beside it'],
      ['--yes, -y', 'start without asking'],
      ['--accept-warnings', 'start also on a login node or a shared file system'],
      ['--remove-left', 'remove what an earlier check left there'],
      [
        '--nodes N',
        'write a job for Slurm that checks on N nodes at the same time, submit it once you confirm, and gather the result',
      ],
      ...slurm,
      ['--job-folder FOLDER', "for the job's script, log and result, on storage that all nodes mount; this folder without it"],
      ['--with TOOL', 'print the same check as a script for fio, elbencho or ior, and write nothing'],
      ['--endpoint URL', "of a store that speaks S3 other than Amazon's; AWS_ENDPOINT_URL_S3 or the profile's without it"],
      ['--region NAME', "of a bucket of S3; AWS_REGION or the profile's without it"],
      ['--profile NAME', 'of ~/.aws with the key of a store that speaks S3; AWS_ACCESS_KEY_ID or AWS_PROFILE without it'],
    ],
  },
} satisfies Record<string, CommandUsage>;

export type CommandName = keyof typeof commands;

export function isCommand(name: string | undefined): name is CommandName {
  return name !== undefined && Object.hasOwn(commands, name);
}

const exitCodes = `exit codes: 0 a report was made, 1 --fail-on or values found something, or a file failed, 2 wrong usage or not confirmed,
            3 a path cannot be read or measured, 130 a check was cancelled
`;

/** All commands in short, or one with its flags. */
export function usageOf(command: CommandName | null): string {
  return command === null ? overview() : whole(command, commands[command]);
}

/** How a command is called, or each of them, and where its flags are: what stands below an error, so that the error stays in sight. */
export function synopsesOf(command: CommandName | null): string {
  const names = command === null ? (Object.keys(commands) as CommandName[]) : [command];
  const synopses = names.flatMap((name) => synopsisOf(name, commands[name]));
  return `${indented('usage: ', synopses)}\nstowage ${command ?? 'COMMAND'} --help lists its flags\n`;
}

function overview(): string {
  const names = Object.keys(commands) as CommandName[];
  const lines = names.map((name) => `  ${name.padEnd(11)} ${commands[name].summary}`);
  const synopses = names.flatMap((name) => synopsisOf(name, commands[name]));
  return `${indented('usage: ', synopses)}\n\n${lines.join('\n')}\n\nstowage COMMAND --help lists its flags\n\n${exitCodes}`;
}

function whole(name: string, usage: CommandUsage): string {
  const width = usage.flags.reduce((most, [flag]) => Math.max(most, flag.length), 0);
  const flags = usage.flags.map(([flag, text]) => `  ${flag.padEnd(width)}  ${text}`);
  return `${indented('usage: ', synopsisOf(name, usage))}\n\n${usage.summary}\n\n${flags.join('\n')}\n\n${exitCodes}`;
}

/** A line that begins with a flag in brackets goes on with the one before. */
function synopsisOf(name: string, { synopsis }: CommandUsage): string[] {
  const call = `stowage ${name} `;
  return synopsis.map((line, index) => (index > 0 && line.startsWith('[') ? ' '.repeat(call.length) : call) + line);
}

function indented(first: string, lines: readonly string[]): string {
  return lines.map((line, index) => (index === 0 ? first : ' '.repeat(first.length)) + line).join('\n');
}
