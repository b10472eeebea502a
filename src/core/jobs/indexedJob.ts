import { yamlDocument } from '../text/yamlText.js';
import type { ArrayProgram, DescribedArray } from './arrayProgram.js';
import { JobError } from './jobError.js';
import { isKubernetesName } from './kubernetesName.js';

/** What a user tells Kubernetes about a job. */
export interface IndexedJobOptions {
  /** Pods that run at the same time. */
  nodes: number;
  /** Volume claim with the files, and where it is mounted: here and in the pods. */
  claim: { name: string; mountPath: string };
  namespace: string | null;
  /** With Node.js 20 or newer. */
  image: string;
  /** Of who may read the files; null for the image's own. */
  user: { userId: number; groupId: number; groups: readonly number[] } | null;
}

/** Failures of one index: a node that is lost is none of its own, and a program that fails three times will not do better. */
const failuresOfIndex = 2;

/**
 * A manifest of a Job of Kubernetes with an index for each task (batch/v1, `completionMode: Indexed`, from 1.29 on: `backoffLimitPerIndex`).
 * Pods see all of the claim but the job's folder as read-only.
 * @throws JobError `bad-setting` for names that Kubernetes refuses, and files or a folder outside of the claim
 */
export function indexedJob(array: DescribedArray, options: IndexedJobOptions, { node, cli, folder }: ArrayProgram): string {
  const { name, target, tasks, promise } = array;
  const { nodes, claim, namespace, image, user } = options;
  for (const [what, text] of Object.entries({ claim: claim.name, ...(namespace !== null && { namespace }) }))
    if (!isKubernetesName(text)) throw new JobError('bad-setting', `${JSON.stringify(text)} cannot be the name of a ${what}`);
  if (!/^[\w./:@-]+$/.test(image)) throw new JobError('bad-setting', `${JSON.stringify(image)} cannot be the name of an image`);
  partBelow(target, claim.mountPath);
  const subPath = partBelow(folder, claim.mountPath);
  const labels = { 'app.kubernetes.io/name': 'stowage', 'app.kubernetes.io/instance': name };
  return yamlDocument([...promise, 'Needs Kubernetes 1.29 or newer.'], {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, ...(namespace !== null && { namespace }), labels },
    spec: {
      completionMode: 'Indexed',
      completions: tasks,
      parallelism: Math.min(nodes, tasks),
      backoffLimitPerIndex: failuresOfIndex,
      // A pod that ends because its node goes away is begun again, and counts for nothing.
      podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }] },
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: 'Never',
          automountServiceAccountToken: false,
          ...(user !== null && {
            securityContext: {
              runAsUser: user.userId,
              runAsGroup: user.groupId,
              runAsNonRoot: user.userId !== 0,
              ...(user.groups.length > 0 && { supplementalGroups: user.groups }),
            },
          }),
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: labels },
            },
          ],
          containers: [
            {
              name: 'stowage',
              image,
              command: [node, cli, 'job-task', folder],
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                // Without it root reads its own files alone.
                capabilities: { drop: ['ALL'], ...(user?.userId === 0 && { add: ['DAC_OVERRIDE'] }) },
              },
              resources: { requests: { cpu: '2', memory: '1Gi' }, limits: { memory: '2Gi' } },
              volumeMounts: [
                { name: 'files', mountPath: claim.mountPath, readOnly: true },
                { name: 'files', mountPath: folder, subPath },
              ],
            },
          ],
          volumes: [{ name: 'files', persistentVolumeClaim: { claimName: claim.name } }],
        },
      },
    },
  });
}

/** A path within the claim. @throws JobError `bad-setting` */
function partBelow(path: string, mountPath: string): string {
  const prefix = mountPath.endsWith('/') ? mountPath : `${mountPath}/`;
  if (path.startsWith(prefix) && path.length > prefix.length) return path.slice(prefix.length);
  throw new JobError('bad-setting', `${path} is not below ${mountPath}, where the claim is mounted`);
}
