/** What names of checkpoints say of them besides the step: the epoch, metrics, and words by which frameworks mark one. */
import { baseName } from '../files/paths.js';

const epoch = /^epoch[-_=]?0*(\d{1,15})(?!\d)/i;
/** `val_loss=0.12` in Lightning's and NeMo's names; a value ends before `.ckpt` and `-v1`. */
const metric = /([A-Za-z_][A-Za-z0-9_.]*)=([-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)/g;
/** `checkpoint-300-loss-0.12`, `epoch2-valloss0.12.ckpt`: the words of metrics, with a fraction behind them. */
const spelledMetric =
  /((?:[a-z]+[-_])*[a-z]*(?:loss|acc|accuracy|f1|bleu|rouge|ppl|perplexity|wer|cer|auc|score|reward|map|miou))[-_]?(\d+\.\d+)/gi;
/** Counters that stand in names as metrics do. */
const counters: ReadonlySet<string> = new Set(['epoch', 'step', 'consumed_samples', 'global_step']);
/** `last.ckpt`, NeMo's `…-last`, `checkpoint-best`, `model_final`; and what people add: `-golden`, `_keep`, `_DO_NOT_DELETE`. */
const marked =
  /(?:^|[-_.=])(best|last|latest|final|newest|release|golden|gold|keep|pinned|hold|held|protected|important|do[-_. ]?not[-_. ]?(?:delete|remove|touch))(?=$|[-_.]|\d)/i;

export function epochOfName(path: string): number | null {
  const digits = epoch.exec(baseName(path))?.[1];
  return digits === undefined ? null : Number(digits);
}

/** In the order of the name. */
export function metricsOfName(path: string): [name: string, value: number][] {
  return [...baseName(path).matchAll(metric), ...baseName(path).matchAll(spelledMetric)].flatMap(
    ([, name = '', value = '']): [string, number][] =>
      counters.has(name) || !Number.isFinite(Number(value)) ? [] : [[name, Number(value)]],
  );
}

/** A file that people put into a checkpoint, or into a run, so that it stays: `KEEP`, `DO_NOT_DELETE.txt`, `.golden`. */
const marker =
  /^[._]*(?:golden|gold|keep|pinned|(?:legal[-_. ]?)?hold|held|protected|important|released|published|frozen|in[-_. ]?use|(?:do[-_. ]?not|don['’]?t|no)[-_. ]?(?:delete|remove|touch))(?:[-_. ](?:me|this|it|forever|checkpoint|ckpt))?(?:\.(?:txt|md|json|ya?ml|lock))?$/i;

export function isMarkerName(name: string): boolean {
  return marker.test(name);
}

/** The word by which a framework or a person marked it. */
export function markOfName(path: string): string | null {
  return marked.exec(baseName(path))?.[1]?.toLowerCase() ?? null;
}

/** What Lightning adds to a name that is there already; the rest is what no framework adds. */
const ownAddition = /^-v#$/;

/** The names of a run with digits as `#`, each once. */
export function patternsOf(paths: readonly string[]): string[] {
  return [...new Set(paths.map(patternOf))];
}

function patternOf(path: string): string {
  return baseName(path)
    .replace(/\.ckpt$/, '')
    .replace(/\d+/g, '#');
}

/**
 * What a name has behind that of others or before it, or behind its number: `-paper` of `checkpoint-200-paper`, `b` of `checkpoint-7b`; null for names as the others are. Who added it
 * means something by it.
 */
export function additionOf(path: string, patterns: readonly string[]): string | null {
  const own = patternOf(path);
  const others = patterns.filter((pattern) => own.length > pattern.length);
  const before = others.find((pattern) => own.endsWith(pattern));
  const behind = others.find((pattern) => own.startsWith(pattern));
  const size = /[-_=]#([A-Za-z]{1,3})$/.exec(own)?.[1] ?? '';
  const added = behind !== undefined ? own.slice(behind.length) : before !== undefined ? own.slice(0, -before.length) : size;
  return added === '' || ownAddition.test(added) ? null : added.replaceAll('#', '…');
}

/** How listings write a byte that is not UTF-8. Such a name cannot be distinguished from one that has these characters. */
const undecoded = /\\x[0-9a-f]{2}/;

export function hasUndecodedName(path: string): boolean {
  return undecoded.test(path);
}
