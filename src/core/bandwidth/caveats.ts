/** What cannot be concluded from a check, and why. A rate without them is no better than that of `dd`. */
import { counted, shortRate, shortShare } from '../text/quantities.js';
import { formatBytes } from '../text/units.js';
import { readsMemory } from './cachedReads.js';
import type { CaveatCode, MeasuredReport } from './bandwidthReport.js';
import { isObjectStore } from './fileSystemKind.js';
import { plainConnection, proxiedConnection } from './targetFacts.js';
import { shortRepeatSeconds } from './shortRepeats.js';

export interface Caveat {
  code: CaveatCode;
  text: string;
}

/** Repeats that differ by more than this share of their median say that something else was going on. */
const largeSpread = 0.25;
/** Waits for data of more than this share of the writing time make the rate the check's own more than the storage's. */
const longWait = 0.05;
/** A thread that is busy for more than this share of a phase is its limit: the rest is too little to wait for a network. */
const fullyBusy = 0.9;

/** @param isAlone false where another check wrote to the same directory meanwhile */
export function caveatsOf(report: MeasuredReport, isAlone: boolean): Caveat[] {
  const caveats: (Caveat | null)[] = [
    ofPlace(report),
    ofConnection(report),
    ofProxy(report),
    ofNodes(report),
    ofBurst(report),
    ofRoom(report),
    ofScale(report),
    ofDraw(report),
    ofCut(report),
    ofTime(report),
    ofSpread(report),
    ofPace(report),
    ofCache(report),
    ofReads(report),
    ofOthers(report),
    isAlone ? null : { code: 'other-check', text: 'Another check was writing to the same directory; both were slower for it.' },
  ];
  return caveats.filter((caveat) => caveat !== null);
}

function ofPlace({ fileSystem: { kind } }: MeasuredReport): Caveat | null {
  if (kind === 'memory') return { code: 'memory', text: 'This is the speed of memory: nothing reaches a disk.' };
  if (kind === 'overlay')
    return {
      code: 'container-layer',
      text: 'This is a container’s own layer: a volume may be faster, and the layer ends with it.',
    };
  return null;
}

/** A secret key signs requests and is never sent (S3, Azure); the token of a session, of a login and a shared access signature are. */
function ofConnection({ fileSystem: { type, options } }: MeasuredReport): Caveat | null {
  if (!isObjectStore(type) || !options.includes(plainConnection)) return null;
  return {
    code: 'not-encrypted',
    text: 'The endpoint is http://, not encrypted: data, names and the token of a session or a login can be read on the way, and https:// may be slower.',
  };
}

function ofProxy({ fileSystem: { type, options } }: MeasuredReport): Caveat | null {
  if (!isObjectStore(type) || !options.includes(proxiedConnection)) return null;
  return {
    code: 'through-proxy',
    text: 'Requests went through the proxy that the environment names: the rates are of the proxy too. NO_PROXY names hosts that are reached without it.',
  };
}

/** Clients of one file system share servers and network: rates of nodes do not add up. */
function ofNodes({ nodes, fileSystem: { isShared, type } }: MeasuredReport): Caveat | null {
  if (nodes !== null || !isShared) return null;
  const measure = isObjectStore(type) ? '.' : ': --nodes measures it.';
  return {
    code: 'one-node',
    text: `One node was measured. The rate of several is not its rate times their number${measure}`,
  };
}

/** Dropped where the rate was followed until it settled, or for as many bytes as a save has. */
function ofBurst(report: MeasuredReport): Caveat | null {
  const { write, sustained, fileSystem } = report;
  if (fileSystem.kind === 'memory' || isBurstSpent(report)) return null;
  const bytes = write.samples.reduce((sum, sample) => sum + sample.bytes, 0);
  const cache = cacheOf(fileSystem);
  if (sustained === null)
    return { code: 'burst', text: `${formatBytes(bytes)} do not exhaust a burst: ${cache} may last longer than this check.` };
  if (sustained.outcome === 'unsettled')
    return {
      code: 'burst',
      text: `The rate had fallen and not settled after ${formatBytes(sustained.bytes)}: it may fall further. Raise the bounds of the sustained rate.`,
    };
  return {
    code: 'burst',
    text: `No fall within ${formatBytes(sustained.bytes)}, which is less than a save: ${cache} may last longer. Raise the bounds of the sustained rate.`,
  };
}

function isBurstSpent({ sustained, shape }: MeasuredReport): boolean {
  if (sustained === null || sustained.outcome === 'unsettled') return false;
  return sustained.outcome !== 'steady' || sustained.bytes >= shape.realBytes;
}

function cacheOf({ kind }: MeasuredReport['fileSystem']): string {
  return kind === 'node' || kind === 'overlay'
    ? 'the fast cells of a drive, or the credits of a cloud volume'
    : 'the cache of a server, or the credits of a cloud file system';
}

/** Written again and again in the same room, all may have stayed in a cache that holds the room. */
function ofRoom({ sustained, fileSystem: { kind } }: MeasuredReport): Caveat | null {
  if (sustained?.outcome !== 'steady' || kind === 'memory' || sustained.bytes <= sustained.roomBytes) return null;
  return {
    code: 'reused-room',
    text: `No fall, but all ${formatBytes(sustained.bytes)} were written into the same ${formatBytes(sustained.roomBytes)}: a cache of that size hides one. Allow more space to exclude it.`,
  };
}

function ofScale(report: MeasuredReport): Caveat | null {
  const { scale, totalBytes, realBytes } = report.shape;
  // Whole sectors round a small file up, and hold it all. Where a burst was spent, no more slows a save down.
  if (scale >= 0.999 || (report.sustained !== null && isBurstSpent(report))) return null;
  return {
    code: 'scaled',
    text: `${formatBytes(totalBytes)} were written in place of ${formatBytes(realBytes)} (${shortShare(scale)}): a longer save may slow down.`,
  };
}

function ofDraw({ metadata, shape: { files, realFiles } }: MeasuredReport): Caveat | null {
  if (files >= realFiles) return null;
  return {
    code: 'few-files',
    text:
      metadata === null
        ? `${counted(files, 'file')} in place of ${counted(realFiles, 'file')}: more files take longer.`
        : `${counted(files, 'file')} in place of ${counted(realFiles, 'file')}: the others count with the time of small files, and many in one directory may take longer.`,
  };
}

function ofCut({ write, read }: MeasuredReport): Caveat | null {
  if (![...write.samples, ...read.samples].some(({ isCut }) => isCut)) return null;
  return { code: 'cut', text: 'The time ran out before all was written or read: the rates cover the part that was.' };
}

function ofTime({ write, read }: MeasuredReport): Caveat | null {
  if (![...write.samples, ...read.samples].some(({ seconds }) => seconds < shortRepeatSeconds)) return null;
  return {
    code: 'short',
    text: 'A repeat took less than half a second: start and end dominate it. Allow more space for longer repeats.',
  };
}

function ofSpread({ write, read }: MeasuredReport): Caveat | null {
  const widest = write.spread >= read.spread ? { what: 'writing', ...write } : { what: 'reading', ...read };
  if (widest.spread <= largeSpread) return null;
  const range = `from ${shortRate(widest.minimumBytesPerSecond)} to ${shortRate(widest.maximumBytesPerSecond)}`;
  return { code: 'spread', text: `Repeats of ${widest.what} differ: ${range}. Others used the storage, or a cache filled up.` };
}

function ofPace({ io: { dataWaitShare, busyShare } }: MeasuredReport): Caveat | null {
  if (dataWaitShare !== null && dataWaitShare > longWait)
    return {
      code: 'own-pace',
      text: `For ${shortShare(dataWaitShare)} of the time, writers waited until the check had made data: the storage may be faster than that.`,
    };
  if (busyShare !== null && busyShare > fullyBusy)
    return {
      code: 'own-pace',
      text: `The check itself was busy for ${shortShare(busyShare)} of the time: the store may be faster than one thread can send or receive.`,
    };
  return null;
}

function ofCache({ write, fileSystem: { kind } }: MeasuredReport): Caveat | null {
  if (write.isDirect || kind === 'memory' || kind === 'object') return null;
  return {
    code: 'through-cache',
    text: 'Writes went through the cache of this machine and were synced: it could not be bypassed (O_DIRECT).',
  };
}

function ofReads(report: MeasuredReport): Caveat | null {
  if (report.fileSystem.kind === 'object')
    return {
      code: 'object-cache',
      text: 'What was just written may be read from a cache of the store: older objects may be slower.',
    };
  if (readsMemory(report))
    return {
      code: 'cached-reads',
      text: 'Reads may have come from this machine’s memory, as its cache could be neither bypassed nor dropped: their rate is not used for plans.',
    };
  return null;
}

function ofOthers({ fileSystem: { isShared } }: MeasuredReport): Caveat | null {
  if (!isShared) return null;
  return { code: 'other-users', text: 'Others use this storage too: at another hour it may be slower or faster.' };
}
