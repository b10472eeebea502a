import { exitCode } from './exitCode.js';
import { runInspect } from './inspectCommand.js';
import { UsageError } from './usageError.js';

const usage = `usage: stowage inspect PATH [--json | --markdown] [--tensors] [--fail-on error|warning] [--no-color]
                             [--all-lengths] [--tokenizer FILE] [--seed N] [--sample-seconds N] [--tokens-per-second N]
                             [--sequence-length N] [--train-tokens N]
       stowage estimate CONFIG [--json | --markdown] [--no-color] [--optimizer NAME] [--precision f32|bf16|f16|f8]
                               [--steps N] [--save-interval N] [--keep N]
       stowage plan [FILE] [--json | --markdown] [--no-color] [--preset NAME] [--set KEY=VALUE]… [--output FILE.md]
       stowage plan --inputs
       stowage bandwidth DIRECTORY [--like CHECKPOINT | --size BYTES] [--streams N] [--block BYTES] [--seconds N] [--repeats N]
                         [--space BYTES] [--interval TIME] [--yes] [--accept-cautions] [--remove-left] [--json | --markdown] [--no-color]

  inspect     account for every byte of a checkpoint or dataset, a directory or a file, reading only headers and executing nothing
  estimate    count a model's parameters from its config or a training config, and size its checkpoints and its run
  plan        storage for a checkpoint: bandwidth, interval, tiers, restore, retention, cost; FILE is a plan, a config or a checkpoint
  bandwidth   write and read back files like a checkpoint's in a new folder of DIRECTORY, remove them, and say how long a save takes there
  --json      the whole report as JSON
  --markdown  the report as Markdown
  --tensors   list the tensors as well (with --json; as a table without)
  --fail-on   exit with 1 when there is a finding of that severity or worse

  for a dataset:
  --all-lengths          read the lengths of all samples, also where that takes long
  --tokenizer FILE       tokenize samples of raw text with this tokenizer.json, in place of the one beside the data
  --seed N               sample raw text at other random places; 1 without it
  --sample-seconds N     tokenize samples for so long; 3 without it
  --tokens-per-second N  what a training run of that speed reads from it; N may end in k, M, B or T
  --sequence-length N    tokens of one sample of a batch
  --train-tokens N       tokens to train on: epochs and time

  for an estimate:
  --optimizer NAME       in place of the config's: adamw, adamw_8bit, adafactor, lion, muon, sgd, shampoo, soap, galore, …
  --precision NAME       in place of the config's
  --steps N              optimizer steps of the run
  --save-interval N      steps between two checkpoints
  --keep N               checkpoints that stay

  for a plan:
  --preset NAME          7b, 8b, 70b, 405b, 1t-moe or megatron-1t, below what FILE says
  --set KEY=VALUE        an input: bytes, seconds or a share of 1, or with a unit (90min, 2TB/s, 10%); null derives it
  --inputs               list the inputs with their defaults
  --output FILE.md       write Markdown there, and its charts as SVG beside it

  for bandwidth:
  --like CHECKPOINT      write files of the sizes and the number of this checkpoint's, scaled to the space
  --size BYTES           a whole save, with a unit (112GB, 4GiB), in one file a stream
  --streams N            threads that write at the same time; the checkpoint's writers, or 8
  --block BYTES          of one write; 4MiB without it
  --seconds N            end after about so long; 30 without it
  --repeats N            write and read everything so many times; 3 without it
  --space BYTES          most that lies there at once; the smaller of 4GiB and a twentieth of what is free without it
  --interval TIME        between two saves of your run, like 30min; an hour is assumed without it
  --yes                  start without asking
  --accept-cautions      start also on a login node or a shared file system
  --remove-left          remove what a check that was killed left there

exit codes: 0 a report was made, 1 --fail-on found something, 2 wrong usage, 3 the path cannot be read or measured,
            130 the check was cancelled
`;

/** Runs one command line; answers the exit code. Writes to standard output and standard error only. */
export async function main(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  try {
    if (command === 'inspect') return await runInspect(rest);
    if (command === 'estimate') {
      // Only here: its tables would take a tenth of an inspection's start.
      const { runEstimate } = await import('./estimateCommand.js');
      return await runEstimate(rest);
    }
    if (command === 'plan') {
      const { runPlan } = await import('./planCommand.js');
      return await runPlan(rest);
    }
    if (command === 'bandwidth') {
      const { runBandwidth } = await import('./bandwidth/bandwidthCommand.js');
      return await runBandwidth(rest);
    }
    if (command === '--version') {
      process.stdout.write(`${STOWAGE_VERSION}\n`);
      return exitCode.done;
    }
    if (command === '--help' || command === '-h' || command === 'help') {
      process.stdout.write(usage);
      return exitCode.done;
    }
    throw new UsageError(command === undefined ? 'a command is missing' : `there is no command ${command}`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`stowage: ${error.message}\n${usage}`);
    return exitCode.usage;
  }
}
