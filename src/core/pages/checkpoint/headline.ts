import type { CheckpointReport, RunCheckpoint, RunPointer } from '../../checkpoints/checkpointReport.js';
import { newestCheckpoint } from '../../checkpoints/newestCheckpoint.js';
import { stepOfName } from '../../checkpoints/runs/stepOfName.js';
import { labelOfComponent, segmentsOf } from '../../checkpoints/segments.js';
import { baseName } from '../../files/paths.js';
import { evidenceInWords, isPartial } from '../../findings/evidence.js';
import type { ComponentId } from '../../tensors/component.js';
import { counted } from '../../text/quantities.js';
import { formatBinaryBytes, formatBytes, formatCount, formatPerParameter, formatShare } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';

export interface Headline {
  /** `1.2 GB`. */
  size: string;
  /** `1.1 GiB`. */
  binarySize: string;
  /** Why it is this big: the shares of its largest parts and the bytes per parameter. */
  why: string;
  /** Whether training resumes from here, and what would restart; then whether jobs of other sizes can load it. */
  resume: string;
  /** The first half of `resume`. */
  verdict: string;
  /** Its second half; empty for most. */
  elsewhere: string;
}

/** The answer that stands at the top of a report. */
export function headlineOf(report: CheckpointReport): Headline {
  const verdict = `${newestSentence(report)}${resumeSentence(report)}${pointerSentence(report)}${completeSentence(report)}`;
  const elsewhere = `${reshardSentence(report)}${elsewhereSentence(report)}`;
  return {
    size: formatBytes(report.totalBytes),
    binarySize: formatBinaryBytes(report.totalBytes),
    why: `${runSentence(report)}${whySoBig(report)}`,
    resume: `${verdict}${elsewhere}`,
    verdict,
    elsewhere: elsewhere.trim(),
  };
}

/** `12 checkpoints from step 100 to step 1,200: `; empty for a single checkpoint. */
function runSentence({ run }: CheckpointReport): string {
  if (run === undefined) return '';
  const steps = run.checkpoints.map(({ step }) => step).filter((step) => step !== null);
  const [first, last] = [steps[0], steps.at(-1)];
  const range =
    first === undefined || last === undefined
      ? ''
      : first === last
        ? ` of step ${formatCount(first)}`
        : ` from step ${formatCount(first)} to step ${formatCount(last)}`;
  const copies = run.checkpoints.filter(({ copyOf }) => copyOf !== undefined).length;
  const saves = run.checkpoints.length - copies;
  const unfinished = run.checkpoints.filter(({ finished }) => !finished).length;
  const marks = [
    ...(unfinished === 0 ? [] : [`, ${formatCount(unfinished)} unfinished`]),
    ...(copies === 0 ? [] : [`, and ${copies === 1 ? '1 copy' : `${formatCount(copies)} copies`}`]),
  ];
  return `${counted(saves, 'checkpoint')}${range}${marks.join('')}: `;
}

/** Which checkpoint of a run the verdict is about. */
function newestSentence({ run }: CheckpointReport): string {
  const checkpoints = run?.checkpoints ?? [];
  const newest = newestCheckpoint(checkpoints);
  if (newest?.finished !== true) return '';
  if (run?.loaded !== undefined) {
    const [pointer, loaded] = [visibleText(run.loaded.pointer), nameOf(run.loaded)];
    return `${pointer} names ${loaded}, which loads; ${nameOf(newest)} is newer and may be unfinished. `;
  }
  const isLast =
    checkpoints.findLast(({ path, copyOf }) => copyOf === undefined && (path !== '' || newest.path === '')) === newest;
  const outside = newerOutside(run?.pointers ?? [], newest);
  if (outside !== undefined) return `The newest that was read is ${nameOf(newest)}; ${visibleText(outside)} was not followed. `;
  const which = isLast ? 'The newest' : 'The newest that was finished';
  return `${which} is ${nameOf(newest)}. `;
}

/** A link to a later checkpoint elsewhere, which was not read. */
function newerOutside(pointers: readonly RunPointer[], { step }: RunCheckpoint): string | undefined {
  if (step === null) return undefined;
  const stepOf = ({ path, target }: RunPointer): number => stepOfName(baseName(path)) ?? stepOfName(baseName(target)) ?? -1;
  return pointers.find((pointer) => pointer.followed === false && stepOf(pointer) > step)?.path;
}

/** An older checkpoint that resumes with all of its state, where the newest one does not. */
function completeSentence({ run }: CheckpointReport): string {
  const checkpoints = run?.checkpoints ?? [];
  const isComplete = ({ finished, verdict, copyOf }: RunCheckpoint): boolean =>
    finished && copyOf === undefined && verdict === 'complete';
  const current = checkpoints.find(({ path }) => path === run?.loaded?.path) ?? newestCheckpoint(checkpoints);
  const complete = checkpoints.findLast(isComplete);
  if (current === null || isComplete(current)) return '';
  const resumes = checkpoints.findLast(
    ({ finished, verdict, copyOf, path }) => finished && copyOf === undefined && verdict === 'partial' && path !== current.path,
  );
  // Where the newest fails, one that resumes in part is of use as well.
  if (current.verdict === 'broken' && resumes !== undefined && (resumes.step ?? 0) > (complete?.step ?? -1))
    return ` The newest that resumes is ${nameOf(resumes)}, in part.${complete === undefined ? '' : ` The newest that is complete is ${nameOf(complete)}.`}`;
  if (complete === undefined) return '';
  return ` The newest that is complete is ${nameOf(complete)}.`;
}

/** As the directory is called; a bare number, as Orbax calls them, is a step. */
function nameOf({ path }: Pick<RunCheckpoint, 'path'>): string {
  if (path === '') return 'the model here';
  return /^\d+$/.test(path) ? `step ${formatCount(Number(path))}` : visibleText(path);
}

/** `On 8 ranks (data 4 · tensor 2 · pipeline 1): yes. …`; empty where no job was given. */
function elsewhereSentence({ resume: { elsewhere, reshard } }: CheckpointReport): string {
  if (elsewhere === undefined) return '';
  const { ranks, dataParallel, tensorParallel, pipelineParallel, can, why, command } = elsewhere;
  const sizes = Number.isSafeInteger(dataParallel)
    ? ` (data ${dataParallel} · tensor ${tensorParallel} · pipeline ${pipelineParallel})`
    : '';
  const answer = { yes: 'yes', convert: 'after a conversion', no: 'no', unknown: 'not known' }[can];
  const because = why === reshard?.detail ? '' : ` ${why}`;
  return ` On ${counted(ranks, 'rank')}${sizes}: ${answer}.${because}${command === null ? '' : ` Command: ${command}.`}`;
}

/** Whether a job of another size can load it, where ranks saved it together. */
function reshardSentence({ resume, topology }: CheckpointReport): string {
  if (resume.reshard === undefined || resume.verdict === 'broken' || (topology.worldSize ?? 1) < 2) return '';
  return ` ${resume.reshard.detail}`;
}

function whySoBig(report: CheckpointReport): string {
  if (report.totalBytes === 0) return 'No bytes were found.';
  if (report.resume.verdict === 'none') return whatIsHere(report);
  const segments = segmentsOf(report)
    .map((segment) => ({ label: segment.label, share: segment.bytes / report.totalBytes }))
    .sort((a, b) => b.share - a.share);
  const shown = segments.filter(({ share }, index) => share >= 0.01 && index < 4);
  const shares = mergeMoments(shown).map(({ label, share }) => `${formatShare(share)} ${label}`);
  const perParameter = report.bytesPerParameter;
  const sum = perParameter === null ? '' : `; ${formatPerParameter(perParameter.value)} bytes per parameter`;
  return `${shares.join(', ')}${sum}.`;
}

/** `75 % source code, 24 % configuration.`, for files that are no checkpoint. */
function whatIsHere({ files, totalBytes }: CheckpointReport): string {
  const bytesOf = new Map<string, number>();
  for (const { role, bytes } of files) bytesOf.set(role, (bytesOf.get(role) ?? 0) + bytes);
  const shares = [...bytesOf].map(([role, bytes]) => ({ role, share: bytes / totalBytes })).sort((a, b) => b.share - a.share);
  const shown = shares.filter(({ share }, index) => share >= 0.01 && index < 4);
  return `${counted(files.length, 'file')}: ${shown.map(({ role, share }) => `${formatShare(share)} ${role}`).join(', ')}.`;
}

/** Both moments are named as one where both are shown: they are the same size and have the same reason. */
function mergeMoments(shown: { label: string; share: number }[]): { label: string; share: number }[] {
  const moments = shown.filter(({ label }) => label === 'first moment' || label === 'second moment');
  if (moments.length < 2) return shown;
  const merged = { label: 'first and second moments', share: moments.reduce((sum, { share }) => sum + share, 0) };
  return [...shown.filter((item) => !moments.includes(item)), merged].sort((a, b) => b.share - a.share);
}

/** What starts anew without a part, as a clause. */
const restarts: Partial<Record<ComponentId, string>> = {
  scheduler: 'the learning-rate schedule restarts',
  rng: 'random numbers differ',
  dataLoader: 'data order restarts',
  trainerState: 'step and epoch counters restart',
};

function resumeSentence(report: CheckpointReport): string {
  const { verdict, present } = report.resume;
  switch (verdict) {
    case 'complete':
      return `Resume: complete${report.resume.pointer === undefined ? '' : ' by an explicit path only'}${restsOn(report.resume)}.`;
    case 'partial':
      return `${resumesWithout(report.resume)}${restsOn(report.resume)}.`;
    case 'weights-only':
      return `Resume: weights only${restsOn(report.resume)}. The weights load, but no optimizer state was saved.`;
    case 'state-only':
      return `Resume: state only${restsOn(report.resume)}. Contains ${listInWords(present.map(labelOfComponent))}, no weights.`;
    case 'unknown':
      if (report.resume.blockedBy.length > 0)
        return 'Resume: not known. Loading a file of its state makes an unexpected call, which strict loaders refuse: see the findings.';
      return 'Resume: not known. The format of the contents is not supported: see the findings.';
    case 'none':
      return report.tensorCount === 0
        ? 'No checkpoint: no tensors and no training state found.'
        : `No checkpoint: ${counted(report.tensorCount, 'array')}${report.layout === 'numpy' ? ' of integers' : ' beside other files'}.`;
    case 'broken':
      if (report.resume.blockedBy.length === 0) return 'Resume: fails (no weights).';
      // transformers goes on with random weights: that is no model, and no failure to load.
      if (report.load?.verdict === 'loads-with-warnings')
        return `Loads, not as it was saved (${counted(blockingFindings(report), 'error')}).`;
      if (report.load?.verdict === 'loads') return `Loads, in spite of ${counted(blockingFindings(report), 'error')}.`;
      return `${present.includes('optimizer') ? 'Resume' : 'Load'}: fails (${counted(blockingFindings(report), 'error')}).`;
  }
}

/** Why the checkpoint is not found by the pointer to the latest one; empty for most. */
function pointerSentence({ resume: { verdict, pointer } }: CheckpointReport): string {
  if (pointer === undefined) return '';
  const [path, target] = [visibleText(pointer.path), visibleText(pointer.target)];
  const faults = {
    'target-missing': `${path} names ${target}, which is missing`,
    'target-unfinished': `${path} names ${target}, whose save was interrupted`,
    'pointer-missing': `${path}, which names ${target}, is missing`,
  };
  return `${verdict === 'complete' ? '' : ' It loads by an explicit path only.'} ${faults[pointer.fault]}.`;
}

/** ` (from headers, 5 of 6 files)`; empty where all files that hold state were read. */
function restsOn(resume: CheckpointReport['resume']): string {
  return resume.basis === 'header' && !isPartial(resume.coverage) ? '' : ` (${evidenceInWords(resume)})`;
}

/** `Resumes without RNG state and data-loader position: random numbers differ, data order restarts` */
function resumesWithout({ missing }: CheckpointReport['resume']): string {
  const names = missing.map(({ component }) =>
    component === 'dataLoader' ? 'data-loader position' : labelOfComponent(component),
  );
  const effects = missing.flatMap(({ component }) => restarts[component] ?? []);
  return `Resumes without ${listInWords(names)}${effects.length === 0 ? '' : `: ${effects.join(', ')}`}`;
}

/** `RNG state, LR scheduler and optimizer`. */
function listInWords(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** Findings that keep it from being loaded. */
export function blockingFindings({ resume, findings }: Pick<CheckpointReport, 'resume' | 'findings'>): number {
  const codes = new Set<string>(resume.blockedBy);
  const count = findings.reduce((sum, { code, more = 1 }) => (codes.has(code) ? sum + more : sum), 0);
  return Math.max(count, codes.size);
}
