import { callRank } from '../../../findings/callRank.js';
import { limits } from '../../../bytes/limits.js';
import { shownText } from './callText.js';
import { importKindOf, type GlobalKind, type ImportKind } from './globalKind.js';
import { ImportTable } from './importTable.js';
import { ScannedName } from './scannedValue.js';

/** A global that a pickle names. */
export interface PickleImportName {
  fullName: string;
  kind: ImportKind;
  /** True where an unexpected call of it is listed. */
  isCalled: boolean;
}

/** A call that loading the pickle would make, and that no usual save has. */
export interface UnexpectedCall {
  /** As Python would write it, bounded. */
  text: string;
  /** Offset of the opcode in the bytes that were scanned. */
  offset: number;
}

/** A pickle, or a file of torch.save, that a pickle hands to a loader as bytes. */
export interface NestedBytes {
  bytes: Uint8Array;
  /** Where they begin in the bytes that were scanned. */
  offset: number;
  /** True where nothing tells that they are a pickle but their first bytes. */
  isGuess?: boolean;
}

/** What the scans of one file found, within the limits. */
export class ImportCollector {
  private readonly names = new ImportTable<ScannedName>(({ kind }) => importKindOf(kind));
  /** What stands for those beyond the limit, by their kind, so that their calls are still known. */
  private readonly overflow = new Map<GlobalKind, ScannedName>();
  readonly calls: UnexpectedCall[] = [];
  /** Calls of classes of any package with a path or an address: what they do with it is not known. */
  readonly unchecked: UnexpectedCall[] = [];
  readonly nested: NestedBytes[] = [];
  /** Places of nested bytes that are noted: a memo may name the same ones again and again. */
  private readonly loadedOffsets = new Set<number>();
  private readonly guessedOffsets = new Set<number>();
  private readonly callTexts = new Set<string>();
  /** Names of functions and classes whose bytecode the pickle holds, as far as they are listed. */
  readonly embedded = new Set<string>();
  /** True where there are more of them. */
  hasMoreEmbedded = false;
  /** Where the first call that rebuilds one is; undefined without any. */
  embeddedAt: number | undefined;
  /** Different calls that are not written out. */
  moreCalls = 0;
  /** Nested pickles that are not scanned, and their bytes. */
  leftOutBytes = 0;
  /** True where there are more different imports than are listed. */
  get hasMore(): boolean {
    return this.names.hasMore;
  }

  /** The name, the same object for the same text. */
  name(module: string, name: string): ScannedName {
    const key = `${module}\n${name}`;
    const known = this.names.get(key);
    if (known !== undefined) return known;
    const made = new ScannedName(module, name);
    if (this.names.add(key, made)) return made;
    const same = this.overflow.get(made.kind) ?? new ScannedName('(more imports)', '(not listed)', made.kind);
    this.overflow.set(made.kind, same);
    return same;
  }

  /** All names, in order of appearance. */
  imports(): PickleImportName[] {
    return this.names.items().map(({ fullName, kind, isCalled }) => ({
      fullName,
      kind: importKindOf(kind),
      isCalled,
    }));
  }

  /** @param text of the call, with the secrets in it */
  addCall(text: string, offset: number): void {
    if (this.callTexts.has(text)) return;
    if (this.calls.length >= limits.pickleCalls) {
      this.moreCalls += 1;
      // A call that does more takes the place of one that does less.
      const rank = callRank(text);
      const less = this.calls.findLastIndex((call) => callRank(call.text) > rank);
      if (less === -1) return;
      this.calls.splice(less, 1);
    }
    this.callTexts.add(text);
    this.calls.push({ text: shownText(text), offset });
  }

  /** @param text of a call that is not known to be harmful, or to be harmless */
  addUnchecked(text: string, offset: number): void {
    if (this.unchecked.length >= limits.pickleCalls || this.callTexts.has(text)) return;
    this.callTexts.add(text);
    this.unchecked.push({ text: shownText(text), offset });
  }

  /** Notes a call that rebuilds a function or a class. @param name undefined for a step to one */
  addEmbedded(name: string | undefined, offset: number): void {
    this.embeddedAt ??= offset;
    if (name === undefined || this.embedded.has(name)) return;
    if (this.embedded.size < limits.pickleCalls) this.embedded.add(name);
    else this.hasMoreEmbedded = true;
  }

  addNested(nested: NestedBytes): void {
    // What a loader gets is scanned whatever its first bytes are, so that a guess does not stand for it.
    if (this.loadedOffsets.has(nested.offset) || (nested.isGuess === true && this.guessedOffsets.has(nested.offset))) return;
    if (this.nested.length >= limits.nestedPickles) {
      this.leftOutBytes += nested.bytes.byteLength;
      return;
    }
    (nested.isGuess === true ? this.guessedOffsets : this.loadedOffsets).add(nested.offset);
    this.nested.push(nested);
  }
}
