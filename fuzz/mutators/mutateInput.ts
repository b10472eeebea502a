import type { FuzzTarget, Input } from '../target.js';
import { mutateBytes } from './mutateBytes.js';
import { mutateJson } from './mutateJson.js';
import { mutateText } from './mutateText.js';
import type { Random } from './random.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Draws further inputs of a target. */
export class Mutator {
  private readonly words: readonly string[];
  private readonly wordBytes: readonly Uint8Array[];

  constructor(
    private readonly target: FuzzTarget,
    private readonly random: Random,
  ) {
    this.words = target.dictionary ?? [];
    this.wordBytes = this.words.map((word) => Uint8Array.from(word, (character) => character.charCodeAt(0)));
  }

  /** A changed copy of an input: one of its files, sometimes two, and now and then which files there are. */
  mutate(input: Input, other: Input): Input {
    const files: Record<string, Uint8Array> = { ...input };
    const paths = Object.keys(files);
    if (this.target.isDirectory === true && this.random.once(12)) this.changeNames(files, paths);
    const times = this.random.once(4) ? 2 : 1;
    for (let time = 0; time < times; time++) {
      const path = this.random.of(paths);
      const bytes = files[path];
      if (bytes !== undefined) files[path] = this.changed(path, bytes, other[path] ?? this.random.of(Object.values(other)));
    }
    return files;
  }

  private changed(path: string, bytes: Uint8Array, other: Uint8Array): Uint8Array {
    const form = this.random.once(20) ? 'bytes' : this.target.formOf(path);
    if (form === 'bytes') return mutateBytes(bytes, this.random, other, this.wordBytes);
    const mutate = form === 'json' ? mutateJson : mutateText;
    return encoder.encode(mutate(decoder.decode(bytes), this.random, decoder.decode(other), this.words));
  }

  /** A file is missing, is there twice, or has the content of another one. */
  private changeNames(files: Record<string, Uint8Array>, paths: readonly string[]): void {
    const [path, second] = [this.random.of(paths), this.random.of(paths)];
    const content = files[path];
    if (content === undefined) return;
    if (this.random.once(3) && paths.length > 1) delete files[path];
    else if (this.random.once(2)) files[second] = content;
    else files[path.replace(/\d+(?=\D*$)/, (digits) => String(Number(digits) + 1 + this.random.below(3)))] = content;
  }
}
