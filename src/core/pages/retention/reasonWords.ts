/** Reasons of retention in words, each a part of a cell. */
import type { CaveatCode, DropCode, ProtectionCode, Reason, RuleCode } from '../../retention/reason.js';
import { formatCount } from '../../text/units.js';
import { shortTime } from '../../text/quantities.js';
import { visibleText } from '../../text/visibleText.js';

type Code = ProtectionCode | RuleCode | DropCode | CaveatCode;

const number = (detail: string): string => formatCount(Number(detail));

/** By code, from the detail as text. */
const words: Record<Code, (detail: string) => string> = {
  newest: () => 'newest complete checkpoint',
  'latest-written': () => 'written last',
  'two-stay': () => 'two complete checkpoints always stay',
  pointer: (path) => `named by ${path}`,
  held: (why) => `held: ${why}`,
  linked: (path) => `${path} links into it`,
  'base-of-adapter': (path) => `base model in ${path}`,
  'framework-best': (source) => `best by ${source}`,
  marked: (file) => `marked by ${file}`,
  named: (word) => `named ${word}`,
  'model-of-run': () => "model in the run's directory",
  'only-component': (state) => `newest with ${state}`,
  keepLast: (count) => `newest ${number(count)}`,
  keepEverySteps: (steps) => `first of ${number(steps)} steps`,
  keepEveryHours: (hours) => `first of ${hours} h`,
  keepBest: (value) => `best ${value}`,
  milestone: (step) => `milestone ${number(step)}`,
  minimumAge: (hours) => `younger than ${hours} h`,
  'not-last': (count) => `not in the newest ${number(count)}`,
  'not-first-of-steps': (path) => (path === '' ? 'not the first of its steps' : `${path} covers its steps`),
  'not-first-of-hours': (path) => (path === '' ? 'not the first of its hours' : `${path} covers its hours`),
  'not-best': (value) => (value === '' ? 'metric not evaluated here' : `not among the best: ${value}`),
  'no-milestone': () => 'no milestone',
  incomplete: (missing) => (missing === '' ? 'temporary name of a save' : `lacks ${number(missing)} files that others have`),
  'much-smaller': () => 'less than half of the largest',
  'without-weights': () => 'no files of weights, which others have',
  'being-written': (why) =>
    /^\d+$/.test(why) ? `a file is younger than ${shortTime(Number(why))}: may be under way` : `${why} marks it as under way`,
  changed: () => 'changed while it was read',
  unreadable: (path) => (path === '' ? 'cannot be listed' : `${path} cannot be read`),
  'time-in-future': () => 'a file has a time in the future',
  'shorter-file': (file) => `${file} is shorter than that of the others`,
  'same-step': (step) => `another one has step ${number(step)}`,
  'no-step': () => 'no step in its name',
  'other-owner': (owner) => `has files of ${owner}`,
  'name-not-utf8': () => 'a name that is not UTF-8',
  'name-added-to': (added) => `${added ?? ''} was added to its name`,
  'no-model': () => 'no file is called after a model, there is no state of training and no pointer: it may be data or results',
  link: () => 'link to another directory',
  'not-understood': () => 'no checkpoint of a known framework',
  'other-run': () => 'of another run',
  'pointer-unreadable': (path) => `what ${path} names is not known`,
  'pointer-changed': (path) => `${path} changed while the run was read`,
  'adapter-unreadable': (path) => `what ${path} needs is not known`,
  'state-unreadable': (path) => `${path} cannot be read: it may name this one as the best`,
  'numbers-alone': () =>
    'directories that are called by numbers alone, without state of training and without a pointer, may be data or models of their own',
  'years-alone': () => 'directories that are called by years alone, without a pointer, may be models of their own',
  'two-runs': (names) => `checkpoints of two frameworks are in this directory (${names}): name one run by a directory of its own`,
  'run-within': (path) => `${path} in it may be a checkpoint of another run`,
  'listing-cut': () => 'not all files were listed',
  'age-unknown': () => 'its age is not known',
  'hours-unknown': () => 'its time is not known',
  'steps-unknown': () => 'its step is not known',
  'metric-unknown': () => 'its metric is not known',
  'no-verified-copy': () => 'no verified copy',
  'larger-than-kept': () => 'larger than those that stay',
};

/** Rules that overlap say a thing once; commas between them. */
export function reasonWords(reasons: readonly Reason<Code>[]): string {
  return [...new Set(reasons.map(({ code, detail }) => visibleText(words[code](detail ?? ''))))].join(', ');
}
