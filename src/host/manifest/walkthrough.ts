import { commandIdOf } from './commandId.js';
import type { CommandName } from './commandTable.js';

/** A step of the walkthrough: done once its command was run. */
interface WalkthroughStep {
  readonly command: CommandName;
  readonly title: string;
  readonly text: string;
  readonly button: string;
}

const walkthroughTitle = 'Account for your checkpoints';
const walkthroughText = 'What is in them, how large they get, which storage they need, and what your runs really took.';

const walkthroughSteps: readonly WalkthroughStep[] = [
  {
    command: 'inspect',
    title: 'Inspect a checkpoint',
    text: 'Right-click a directory or file of a checkpoint or dataset in the Explorer. The report accounts for every byte, says whether training resumes from it, and shows where each number comes from. Headers are read; nothing is executed.',
    button: 'Inspect Checkpoint or Dataset',
  },
  {
    command: 'estimate',
    title: 'Estimate from a config',
    text: 'Open a config of a model or a training run and rest the pointer on it: parameters, the size of a checkpoint, the disk that a run takes, and what one more layer adds.',
    button: 'Estimate Checkpoint Size',
  },
  {
    command: 'plan',
    title: 'Plan the storage',
    text: 'How often to save, which bandwidth pays, what to keep and what it costs, from a report, a config or a model.',
    button: 'Plan Checkpoint Storage',
  },
  {
    command: 'findRuns',
    title: 'See what your runs took',
    text: 'The Checkpoints view lists the runs of the workspace. A run shows its saves over time: how long each took and at what rate, late ranks, lost time, and what is under way.',
    button: 'Look for Checkpoints',
  },
];

/** As the manifest has it, with keys of its strings. */
export function walkthroughs(): object[] {
  return [
    {
      id: 'start',
      title: '%walkthrough.title%',
      description: '%walkthrough.description%',
      steps: walkthroughSteps.map(({ command }) => ({
        id: command,
        title: `%walkthrough.${command}.title%`,
        description: `%walkthrough.${command}.description%`,
        media: { markdown: `media/walkthrough/${command}.md` },
        completionEvents: [`onCommand:${commandIdOf(command)}`],
      })),
    },
  ];
}

/** The strings that the manifest refers to; a link in a line of its own is a button. */
export function walkthroughStrings(): [key: string, text: string][] {
  return [
    ['walkthrough.title', walkthroughTitle],
    ['walkthrough.description', walkthroughText],
    ...walkthroughSteps.flatMap(({ command, title, text, button }): [string, string][] => [
      [`walkthrough.${command}.title`, title],
      [`walkthrough.${command}.description`, `${text}\n[${button}](command:${commandIdOf(command)})`],
    ]),
  ];
}
