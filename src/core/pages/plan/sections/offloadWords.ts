/** Offloading in words: what moves at each step, when storage is what training waits for, what it does to drives. */
import type { PlanDocument } from '../../../planning/inputs/planDocument.js';
import type { PlanKey } from '../../../planning/inputs/planInputs.js';
import { ratedWritesPerDay, ratedYears } from '../../../planning/keeping/driveWear.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import type { OffloadCost, OffloadKind } from '../../../planning/training/offload.js';
import { formatBytes, formatCount, shortNumber } from '../../../text/units.js';
import { shortRate, shortShare, shortTime } from '../../../text/quantities.js';
import type { PageTable } from '../../table.js';
import type { Statement } from '../../statement.js';
import { statementKind } from '../statementKind.js';

const kindNames: Readonly<Record<OffloadKind, string>> = {
  'optimizer-memory': 'optimizer to host memory',
  'optimizer-nvme': 'optimizer to the node’s drives',
  'all-nvme': 'optimizer and weights to the node’s drives',
};

const directWords: Readonly<Record<OffloadCost['gpuDirect'], string>> = {
  'no-drives': 'no: nothing moves between drives and GPUs',
  'no-cpu-updates': 'no: the CPU updates the optimizer state, so it must come to host memory',
  'weights-only': 'yes, for the weights that stream to the GPUs; the optimizer state goes to the CPU',
};

/** Only where the plan offloads. */
export function offloadStatement(plan: StoragePlan, document: PlanDocument): Statement[] {
  const { offload, inputs } = plan;
  const cost = offload.planned;
  if (cost === null) return [];
  const keys: PlanKey[] = ['offload', 'parameters', inputs.stepSeconds === null ? 'tokensPerSecond' : 'stepSeconds'];
  const device = cost.kind === 'optimizer-memory' ? 'PCIe' : 'the node’s drives';
  const bound = Number.isFinite(cost.movedSeconds)
    ? cost.isStorageBound
      ? `${shortNumber(cost.shareOfStep, 2)} times the step: training is storage-bound`
      : `${shortShare(cost.shareOfStep)} of the step: training need not wait for it, where it overlaps`
    : '';
  const bytes = cost.kind === 'optimizer-memory' ? cost.hostBytes : cost.readBytes + cost.writtenBytes;
  const room = cost.fits ? '' : ` There is no room: ${formatBytes(cost.roomBytes)} are needed in each node.`;
  return [
    {
      amount: shortRate(cost.neededBytesPerSecond),
      text: `to and from ${device} of each node while training, ${formatBytes(bytes)} at each step. ${bound === '' ? 'There are no drives that could' : `That takes ${shortTime(cost.movedSeconds)}, ${bound}`}`,
      detail: `${stepWords(plan)}${wearWords(cost)}${room} GPU-direct storage helps: ${directWords[cost.gpuDirect]}.`.trim(),
      kind: statementKind(document, keys),
      derivation: {
        formula:
          'optimizer state is read and written once a step; offloaded weights are read twice and written once, gradients written and read',
        steps: [
          `read ${formatBytes(cost.readBytes)}, written ${formatBytes(cost.writtenBytes)}, between GPUs and host ${formatBytes(cost.hostBytes)}, of one node`,
          `${shortNumber(cost.operationsPerSecond)} operations a second of 1 MiB`,
        ],
        source: 'ZeRO-Offload (arXiv 2101.06840) and its successor for drives (arXiv 2104.07857); DeepSpeed’s asynchronous I/O',
      },
    },
  ];
}

function stepWords({ offload }: Pick<StoragePlan, 'offload'>): string {
  const step = shortTime(offload.stepSeconds);
  return offload.stepBasis === 'given'
    ? `A step takes ${step}.`
    : `A step takes ${step}, for an assumed batch of ${formatCount(offload.batchTokens)} tokens.`;
}

function wearWords({ wear }: OffloadCost): string {
  if (wear === null) return '';
  const often = `${shortNumber(wear.driveWritesPerDay, 2)} drive writes a day`;
  return wear.driveWritesPerDay > ratedWritesPerDay
    ? ` ${often}: drives rated for ${ratedWritesPerDay} over ${ratedYears} years last ${shortTime(wear.ratedForSeconds)}.`
    : ` ${often}, which drives rated for ${ratedWritesPerDay} stand.`;
}

export function offloadTable({ offload, inputs }: StoragePlan): PageTable {
  return {
    id: 'offload',
    caption: 'Offloading, each node at each step',
    columns: [
      { label: 'what goes where', isNumber: false },
      { label: 'read', isNumber: true },
      { label: 'written', isNumber: true },
      { label: 'over PCIe', isNumber: true },
      { label: 'bandwidth', isNumber: true },
      { label: 'operations/s', isNumber: true },
      { label: 'takes', isNumber: true },
      { label: 'of a step', isNumber: true },
      { label: 'drive writes a day', isNumber: true },
      { label: 'storage-bound', isNumber: false },
      { label: 'GPU-direct storage helps', isNumber: false },
    ],
    rows: offload.kinds.map((cost) => [
      `${kindNames[cost.kind]}${cost.kind === inputs.offload ? ' (planned)' : ''}`,
      formatBytes(cost.readBytes),
      formatBytes(cost.writtenBytes),
      formatBytes(cost.hostBytes),
      shortRate(cost.neededBytesPerSecond),
      shortNumber(cost.operationsPerSecond),
      shortTime(cost.movedSeconds),
      shortShare(cost.shareOfStep),
      cost.wear === null ? '' : shortNumber(cost.wear.driveWritesPerDay, 2),
      cost.isStorageBound ? 'yes' : 'no',
      directWords[cost.gpuDirect],
    ]),
    note: `${stepWords({ offload })} Drives read and write by turns. A shorter step, by more GPUs or a smaller batch, needs as much more bandwidth.`,
  };
}

export function offloadNotes({ offload }: StoragePlan): string[] {
  const drives = offload.kinds.find(({ kind }) => kind === 'optimizer-nvme');
  const bound =
    drives === undefined || !Number.isFinite(drives.movedSeconds)
      ? ''
      : ` Here training becomes storage-bound where a step is shorter than ${shortTime(drives.movedSeconds)}.`;
  return [
    `“Optimizer offload makes training storage-bound”: it does where moving takes longer than the step.${bound} More tokens in a step make it rarer, since the bytes are those of the parameters.`,
  ];
}
