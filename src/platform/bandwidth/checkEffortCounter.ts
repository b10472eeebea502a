import type { CheckEffort } from '../../core/bandwidth/measurement.js';
import { smallFileBytes, type SmallDone, type SustainedDone, type WriteDone } from './streamJobs.js';

/** Adds up what the phases of a check moved, and what that took of the machine. */
export class CheckEffortCounter {
  private writtenBytes = 0;
  private readBytes = 0;
  private countedBytes: number | null = 0;
  private cpuSeconds = 0;
  private waitedSeconds = 0;
  private writingSeconds = 0;

  /** @param cpu of the whole process meanwhile, in microseconds */
  addWritten(done: readonly (WriteDone | SustainedDone)[], cpu: NodeJS.CpuUsage): void {
    this.cpuSeconds += (cpu.user + cpu.system) / 1e6;
    for (const part of done) {
      this.writtenBytes += part.bytes;
      this.waitedSeconds += part.dataWaitSeconds;
      this.writingSeconds += part.doneSeconds;
      this.count(part.countedBytes);
    }
  }

  addSmall(done: readonly SmallDone[]): void {
    for (const part of done) {
      this.writtenBytes += part.files * smallFileBytes;
      this.count(part.countedBytes);
    }
  }

  addRead(bytes: number): void {
    this.readBytes += bytes;
  }

  /** Bytes written so far, small files included. */
  get written(): number {
    return this.writtenBytes;
  }

  summary(): CheckEffort {
    return {
      writtenBytes: this.writtenBytes,
      readBytes: this.readBytes,
      countedWrittenBytes: this.countedBytes,
      writeCpuSeconds: this.cpuSeconds,
      dataWaitShare: this.writingSeconds === 0 ? 0 : this.waitedSeconds / this.writingSeconds,
      busyShare: null,
    };
  }

  private count(bytes: number | null): void {
    this.countedBytes = this.countedBytes === null || bytes === null ? null : this.countedBytes + bytes;
  }
}
