/**
 * Programs that make another form of a checkpoint: for a job of other sizes, for another framework, or in one file. They are printed and never run. Each
 * says what it rests on; memory and bytes are sums of the tensors and files that it reads and writes.
 */
import type { Conversion } from '../../checkpoints/loadReport.js';
import type { ReadResult } from '../../checkpoints/readFiles.js';
import { localCopy } from '../../files/remote/localCopy.js';
import { JobError } from '../../jobs/jobError.js';
import type { LoadedAdapter } from '../loadedAdapter.js';
import { composer } from './composerConversions.js';
import { commandOf, type Place, type Maker } from './conversionPlace.js';
import { deepspeed } from './deepspeedConversions.js';
import { bytesByDirectory, type DirectoryBytes } from './directoryBytes.js';
import { distributed } from './distributedConversions.js';
import { gguf } from './ggufConversions.js';
import { litgpt } from './litgptConversions.js';
import { megatron } from './megatronConversions.js';
import { merged } from './mergedAdapters.js';
import { nanotron } from './nanotronConversions.js';
import { olmo } from './olmoConversions.js';
import { verl } from './verlConversions.js';

/**
 * Empty where the path cannot be written into a command.
 * @param place path of the checkpoint's directory, as a command is to name it; of an address the commands are of a copy, which they make first
 * @param adapters of the checkpoint, with their base models
 */
export function conversions({ parts, side }: ReadResult, place: string, adapters: readonly LoadedAdapter[] = []): Conversion[] {
  const copy = localCopy(place);
  const path = copy?.path ?? place.replace(/(?<=.)\/+$/, '');
  let sums: Map<string, DirectoryBytes> | undefined;
  const context: Place = { parts, json: side.json, place: path, adapters, bytes: () => (sums ??= bytesByDirectory(parts)) };
  try {
    const made = makers.flatMap((make) => make(context));
    if (copy?.words == null) return made;
    const first = commandOf(copy.words);
    return made.map((conversion) => ({ ...conversion, command: `${first} && ${conversion.command}` }));
  } catch (error) {
    if (error instanceof JobError) return [];
    throw error;
  }
}

const makers: readonly Maker[] = [deepspeed, distributed, verl, megatron, olmo, nanotron, litgpt, composer, merged, gguf];
