/** The table of published training runs in docs/plan.md. */
import { shortRate, shortTime } from '../../src/core/text/quantities.js';
import { formatBytes, formatCount } from '../../src/core/text/units.js';
import { planOfRun, trainingRuns, type PublishedRun } from './trainingRuns.js';

/** Each run: what was published, and what the plan of its public inputs says. */
export function planRunTable(): string {
  const rows = trainingRuns.map((run) => `| ${cellsOf(run).join(' | ')} |`);
  return [
    '| run | GPUs | checkpoint | plan | saved every | plan | write bandwidth | plan | a failure every | plan | difference | source |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |',
    ...rows,
  ].join('\n');
}

function cellsOf(run: PublishedRun): string[] {
  const { size, study, save, inputs } = planOfRun(run);
  const { gpus } = run.inputs;
  const published = (value: number | null, inWords: (value: number) => string) =>
    value === null ? 'not published' : inWords(value);
  // Without the number of GPUs nothing but the size follows.
  const planned = (text: string) => (gpus === undefined ? '' : text);
  return [
    run.name,
    gpus === undefined ? 'not published' : formatCount(gpus),
    published(run.checkpointBytes, formatBytes),
    formatBytes(size.checkpointBytes),
    published(run.intervalSeconds, shortTime),
    planned(shortTime(study.best.intervalSeconds)),
    published(run.writeBytesPerSecond, shortRate),
    planned(inputs.writeBytesPerSecond === null ? `${shortRate(save.writeBytesPerSecond)}` : 'as published'),
    published(run.mtbfSeconds, shortTime),
    planned(shortTime(save.mtbfSeconds)),
    run.remark,
    run.source,
  ];
}
