import { type ConfigDocument } from './configNode.js';
import { flagMap, type Launch, launchOf } from './shellFlags.js';
import { convertsAlone, infersAlone } from './otherPrograms.js';
import { ShellReader, type SourcedTexts } from './shellReader.js';

/**
 * A launch script as text: the flags of the command that trains, else of one that evaluates, generates or serves, as a map. Assignments of the same file and of files that it sources are followed, nothing
 * is run and no other file is read. What a program would decide (loops, conditions, `$(…)`, heredocs) is passed over.
 * @param sources texts of sourced files, as far as they are at hand; `sourced` of the document has the others
 */
export function parseShellText(text: string, sources: SourcedTexts = new Map()): ConfigDocument {
  const script = new ShellReader(text, sources).read();
  const launches = script.commands.map((words) => launchOf(words)).filter((launch) => launch !== null);
  const using = launches.filter(({ programs }) => !convertsAlone(programs));
  const training = using.filter(({ programs }) => !infersAlone(programs));
  // A file of assignments that another script sources: its strings and arrays are the flags.
  const launch =
    launches.length > 0 ? (longest(training) ?? longest(using)) : launchOf([...script.assigned], { isSourced: true });
  const problems: ConfigDocument['problems'] = [];
  const root = flagMap(text.length, launch, script.batch);
  for (const { span, text: detail } of script.unresolved)
    problems.push({ code: 'unresolved', span, path: [], detail: detail.slice(0, 200) });
  const [branched] = script.branched;
  if (branched !== undefined)
    problems.push({ code: 'branched', span: branched[1], path: [], detail: someOf([...script.branched.keys()]) });
  const chosen = training.length > 0 ? training : using;
  const other = launch === null ? undefined : chosen.find((one) => one !== launch && programOf(one) === programOf(launch));
  const [flag] = other?.flags ?? [];
  if (other !== undefined && flag !== undefined)
    problems.push({ code: 'other-launch', span: flag.keySpan, path: [], detail: programOf(other) ?? '' });
  return { syntax: 'shell', root, problems, programs: launch?.programs ?? [], sourced: script.sourced };
}

function programOf({ programs }: Launch): string | undefined {
  return programs.at(-1);
}

const mostNamed = 4;

/** `NUM_LAYERS, HIDDEN_SIZE`; of many the first ones. */
function someOf(names: readonly string[]): string {
  const named = names.slice(0, mostNamed).join(', ');
  return names.length > mostNamed ? `${named} and ${names.length - mostNamed} more` : named;
}

/** Scripts also convert, tokenize and evaluate; the command that trains has the most flags. */
function longest(launches: readonly Launch[]): Launch | null {
  let best: Launch | null = null;
  for (const launch of launches) if (best === null || launch.flags.length > best.flags.length) best = launch;
  return best;
}
