import { UnpackBudget } from '../../bytes/unpackBudget.js';
import type { FileFinding } from '../../findings/finding.js';
import type { FileSink, FoundTensor } from '../../formats/sink/fileSink.js';
import { TensorTable } from '../../tensors/tensorTable.js';

/** Keeps the tensors and the findings of a reader, and nothing else. */
export class TensorPlaces implements FileSink {
  readonly file = 0;
  readonly tensors = new TensorTable();
  readonly found: FoundTensor[] = [];
  readonly findings: FileFinding[] = [];
  readonly unpackBudget = new UnpackBudget({ bytesRead: 0 });
  readonly classify = 'weights';

  constructor(
    readonly path: string,
    readonly signal: AbortSignal | undefined,
  ) {}

  tensor(tensor: FoundTensor): void {
    this.found.push(tensor);
  }

  finding(finding: FileFinding): void {
    this.findings.push(finding);
  }

  turn(): Promise<void> {
    return Promise.resolve();
  }

  claim(): void {}
  unexplained(): void {}
  object(): void {}
  json(): void {}
  pickleImport(): void {}
  metadata(): void {}
}
