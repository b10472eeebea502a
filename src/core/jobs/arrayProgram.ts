/** The program of an array's tasks, as the nodes call it. */
export interface ArrayProgram {
  /** All are paths that the nodes see as well. */
  node: string;
  cli: string;
  /** With the job's description; tasks leave their results in it. */
  folder: string;
}

/** What an array of tasks does, for those who read it before it runs. */
export interface DescribedArray {
  /** `stowage-verify-1f2e3d4c`: letters, digits and hyphens, as Slurm and Kubernetes take them. */
  name: string;
  /** The files, as nodes see them. */
  target: string;
  tasks: number;
  /** Of the task that reads most. */
  mostBytes: number;
  /** What is read and what is written, in sentences. */
  promise: readonly string[];
}

/** What a node reads of a file system that many share, at the least: a slower one takes `--time-limit`. */
const leastBytesPerSecond = 100e6;

/** Time that a task takes at most, and for the node to get ready. */
export function taskMinutes(bytes: number): number {
  return Math.ceil(bytes / leastBytesPerSecond / 60) + 10;
}
