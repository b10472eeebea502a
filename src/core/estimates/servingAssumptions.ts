/** What the memory of serving takes for granted, or leaves out. */
import { counted } from '../text/quantities.js';
import { formatCount } from '../text/units.js';
import type { Estimate } from './estimate.js';
import type { EstimateReport } from './estimateReport.js';

type Assumption = EstimateReport['assumptions'][number];

/** None for configs of training. */
export function servingAssumptions({ serving, served: size, plan, kind }: Estimate): Assumption[] {
  if (serving === undefined || size === null) return [];
  const line = (text: string): Assumption => ({ about: 'serving', text, source: `${kind.id}: serving` });
  const { quantization } = serving;
  const method = typeof quantization === 'object' ? quantization.other : null;
  const { copies } = size.cache ?? { copies: 1 };
  const replicas = plan.dataParallel ?? 1;
  return [
    ...(size.weights !== null ? [] : [line(unknownWeights(method))]),
    ...(size.cache === null
      ? [line(serving.cacheDtype === 'other' ? dtypeUnknown : cacheUnknown)]
      : stateLine(size.cache.stateLayers).map(line)),
    ...(copies > 1
      ? [
          line(
            `${formatCount(serving.ranks ?? 1)} tensor-parallel ranks keep each part of the cache ${copies} times: over all of them it takes ${copies} times as much`,
          ),
        ]
      : []),
    ...(replicas > 1 ? [line(`each of ${counted(replicas, 'replica')} (data parallel) takes as much`)] : []),
  ];
}

function unknownWeights(method: string | null): string {
  return method === null
    ? 'in what the weights are is not known, so these are not sized'
    : `the weights are quantized by ${method}, whose bytes are not known, so these are not sized`;
}

const dtypeUnknown = 'the dtype of the cache is not one that is known, so the cache is not sized';
const cacheUnknown = 'the cache does not follow from what is known of the model, and is not sized';

function stateLine(layers: number): string[] {
  return layers === 0 ? [] : [`${counted(layers, 'layer')} keep a state of fixed size for each sequence, which is not counted`];
}
