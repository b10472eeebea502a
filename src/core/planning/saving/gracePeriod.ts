/** The time between a warning and the end: of a job that is stopped, of a machine that is taken back. */

/** Of it, what a save may take: the rest goes to noticing the warning and to finishing the step that is under way. */
const saveShareOfGrace = 0.8;

/** How long a save may take, in seconds. @param graceSeconds from the warning to the end */
export function saveTimeIn(graceSeconds: number): number {
  return graceSeconds * saveShareOfGrace;
}

/** How long a warning has to be for a save of so many seconds. */
export function warningFor(saveSeconds: number): number {
  return saveSeconds / saveShareOfGrace;
}

/** How long a warning is, where it is usual. */
export interface GracePeriod {
  id: string;
  label: string;
  seconds: number;
  source: string;
}

export const gracePeriods: readonly GracePeriod[] = [
  {
    id: 'aws-spot',
    label: 'AWS spot instance',
    seconds: 120,
    source: 'Amazon EC2 user guide, Spot Instance interruption notices',
  },
  { id: 'gcp-spot', label: 'Google Cloud spot VM', seconds: 30, source: 'Compute Engine documentation, Spot VMs' },
  {
    id: 'azure-spot',
    label: 'Azure spot VM',
    seconds: 30,
    source: 'Azure documentation, Scheduled Events: Preempt, at least 30 s',
  },
  {
    id: 'slurm',
    label: 'Slurm, KillWait as shipped',
    seconds: 30,
    source: 'slurm.conf: KillWait; sbatch --signal asks for a longer one',
  },
  {
    id: 'kubernetes',
    label: 'Kubernetes pod, as shipped',
    seconds: 30,
    source: 'Kubernetes documentation, terminationGracePeriodSeconds',
  },
];
