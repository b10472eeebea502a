/** The room of a plan as a Kubernetes PersistentVolumeClaim. A storage class is a cluster's own, so its name is always given. */
import { peakIn } from '../keeping/retention.js';
import { usableShare } from '../systems/boughtCapacity.js';
import { counted, shortRate } from '../../text/quantities.js';
import { formatBinaryBytes, formatBytes } from '../../text/units.js';
import { yamlDocument } from '../../text/yamlText.js';
import type { PlanDocument } from '../inputs/planDocument.js';
import type { StoragePlan } from '../storagePlan.js';
import { systemNames } from '../systems/systemNames.js';
import { csiDriverOf, type CsiDriver } from './csiDrivers.js';
import { exportName } from './exportName.js';

const gibibyte = 2 ** 30;

/** What a claim names: a storage class, or a volume where the driver makes none. */
export function claimNeeds({ inputs }: Pick<StoragePlan, 'inputs'>): { what: 'storage class' | 'volume'; hint: string } {
  const driver = csiDriverOf(inputs.store);
  const of = driver.name === null ? `for ${systemNames[inputs.store]}` : `of ${driver.name} (${systemNames[inputs.store]})`;
  return driver.provisioning === 'static'
    ? { what: 'volume', hint: `Volume ${of}: kubectl get pv lists them` }
    : { what: 'storage class', hint: `Storage class ${of}: kubectl get storageclass lists them` };
}

/**
 * The claim's YAML.
 * @param named a name that isKubernetesName takes, of what claimNeeds says
 */
export function volumeClaim(plan: StoragePlan, { name }: Pick<PlanDocument, 'name'>, named: string): string {
  const { inputs, save } = plan;
  const driver = csiDriverOf(inputs.store);
  const roomBytes = roomOf(plan, driver);
  return yamlDocument(
    [
      `Room for the checkpoints of the storage plan ${name} on ${systemNames[inputs.store]}: ${formatBytes(roomBytes)}${driver.provisioning === 'static' ? ' at the peak' : ', so that a fifth stays free at the peak'}.`,
      `Kubernetes counts in binary units: ${formatBinaryBytes(gibibytesOf(roomBytes) * gibibyte)} are requested.`,
      ...(driver.isShared
        ? []
        : [`One claim for each of ${counted(save.writers.writingNodes, 'node')} that write: a volume is mounted by one node.`]),
      `A claim asks for room alone. The plan counts with ${shortRate(save.writeBytesPerSecond)} written, which the class has to give.`,
      ...(driver.name === null ? [] : [`Driver: ${driver.name}.`]),
    ],
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: `${exportName(name)}-checkpoints` },
      spec: {
        accessModes: [driver.isShared ? 'ReadWriteMany' : 'ReadWriteOnce'],
        // An empty class keeps the cluster's default from making a volume beside the named one.
        ...(driver.provisioning === 'static' ? { storageClassName: '', volumeName: named } : { storageClassName: named }),
        // In digits, however many: Kubernetes reads no `1e+21Gi`.
        resources: { requests: { storage: `${BigInt(gibibytesOf(roomBytes))}Gi` } },
      },
    },
  );
}

function gibibytesOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / gibibyte));
}

/** At the peak of the run, and what has to stay free of a file system; of storage that one node has, the largest node's share of it. */
function roomOf({ size, save: { writers }, retention }: StoragePlan, { isShared, provisioning }: CsiDriver): number {
  const bytes = peakIn(retention, 'store') / (provisioning === 'static' ? 1 : usableShare);
  return isShared ? bytes : (bytes * writers.largestNodeBytes) / size.checkpointBytes;
}
