/** What training reads of its dataset, and why that is not what storage must be bought for. */
import type { PlanDocument } from '../../../planning/inputs/planDocument.js';
import type { PlanKey } from '../../../planning/inputs/planInputs.js';
import type { StoragePlan } from '../../../planning/storagePlan.js';
import { formatBytes, formatCount, shortNumber } from '../../../text/units.js';
import { eachOf, shortParameters, shortRate, shortShare, shortTime } from '../../../text/quantities.js';
import type { PlanSection } from '../planSection.js';
import type { PageTable } from '../../table.js';
import type { Statement } from '../../statement.js';
import { statementKind } from '../statementKind.js';

export function dataSection(plan: StoragePlan, document: PlanDocument): PlanSection {
  return {
    id: 'data',
    title: 'Reading the dataset',
    lead: lead(plan, document),
    more: [reads(plan, document), dataset(plan, document)],
    charts: [],
    tables: [sizesTable(plan)],
    notes: notes(plan),
  };
}

/** Fewest random reads a second that one hard disk cannot give. */
const diskReadsPerSecond = 100;

function speedKeys({ inputs }: StoragePlan): PlanKey[] {
  if (inputs.tokensPerSecond !== null) return ['tokensPerSecond'];
  return ['gpus', 'gpuFlopsPerSecond', inputs.activeParameters === null ? 'parameters' : 'activeParameters'];
}

function lead(plan: StoragePlan, document: PlanDocument): Statement {
  const { feed, inputs } = plan;
  const rate = shortRate(feed.readBytesPerSecond);
  const isLittle = feed.readBytesPerSecond < 1e9;
  const computed =
    feed.tokensBasis === 'given'
      ? []
      : [
          `${formatCount(inputs.gpus)} × ${shortNumber(inputs.gpuFlopsPerSecond / 1e12)} TFLOP/s ÷ (6 × ${shortParameters(inputs.activeParameters ?? inputs.parameters)}) = ${shortParameters(feed.tokensPerSecond)} tokens a second`,
        ];
  return {
    amount: rate,
    text: `feeds ${inputs.gpus === 1 ? 'the GPU' : `all ${formatCount(inputs.gpus)} GPUs`}: ${shortParameters(feed.tokensPerSecond)} tokens a second at ${shortNumber(inputs.bytesPerToken)} bytes each`,
    detail: `Of the tokens alone, without other columns. ${isLittle ? 'Bandwidth is not what limits' : 'That is much for tokens'}: it is ${shortShare(feed.shareOfWriting)} of what saving needs, and ${shortRate(feed.perNodeBytesPerSecond)} for each node.`,
    kind: statementKind(document, [...speedKeys(plan), 'bytesPerToken']),
    derivation: {
      formula: 'tokens/s = GPUs × FLOP/s ÷ (6 × active parameters); read = tokens/s × bytes a token',
      steps: [...computed, `${shortParameters(feed.tokensPerSecond)} × ${shortNumber(inputs.bytesPerToken)} B = ${rate}`],
      source: 'Kaplan et al. 2020: 6 operations a parameter and token; Llama 3 405B at 400 TFLOP/s a GPU reads 10.8 MB/s',
    },
  };
}

function reads(plan: StoragePlan, document: PlanDocument): Statement {
  const { feed, inputs } = plan;
  const many = feed.readsPerSecond >= diskReadsPerSecond;
  return {
    amount: `${shortNumber(feed.readsPerSecond)} reads a second`,
    text: `of ${formatBytes(feed.bytesPerRead)}, one for each sequence of ${formatCount(inputs.sequenceLength)} tokens, at random places once the data are shuffled`,
    detail: many
      ? 'That is what storage feels: more than a hard disk gives. Read ahead, keep the data on flash, or shuffle in large blocks.'
      : 'A single disk gives that many. What hurts are small files, cold pages of mapped files, and building the shuffle index.',
    kind: statementKind(document, [...speedKeys(plan), 'sequenceLength']),
    derivation: {
      formula: 'reads/s = tokens/s ÷ tokens of a sequence',
      steps: [
        `${shortParameters(feed.tokensPerSecond)} ÷ ${formatCount(inputs.sequenceLength)} = ${shortNumber(feed.readsPerSecond)}`,
      ],
      source: 'loaders of Megatron and the like map the token file and read a sequence at its offset',
    },
  };
}

function dataset(plan: StoragePlan, document: PlanDocument): Statement {
  const { feed, inputs } = plan;
  return {
    amount: formatBytes(feed.datasetBytes),
    text: `hold ${shortParameters(inputs.tokens)} tokens, tokenized; once over them takes ${shortTime(feed.epochSeconds)}`,
    detail: `The same with 2 bytes a token: ${formatBytes(feed.datasetBytes16)}, with 4: ${formatBytes(feed.datasetBytes32)}.`,
    kind: statementKind(document, ['tokens', 'bytesPerToken']),
    derivation: {
      formula: 'bytes = tokens × bytes a token: 2 for vocabularies below 65,500, else 4',
      steps: [`${shortParameters(inputs.tokens)} × ${shortNumber(inputs.bytesPerToken)} B = ${formatBytes(feed.datasetBytes)}`],
      source: 'Megatron, indexed_dataset.py: uint16 below a vocabulary of 65,500, int32 from there on',
    },
  };
}

/** Bytes of a token in other forms, as they were published. */
const forms = [
  { label: 'uint16 tokens', bytes: 2, example: 'Pythia: 299.9 billion tokens in 599.8 GB' },
  { label: 'FineWeb, compressed Parquet', bytes: 2.93, example: '15 trillion tokens in 44 TB' },
  { label: 'int32 tokens', bytes: 4, example: 'OLMo 2: 4 trillion tokens in 16 TB' },
  { label: 'raw English', bytes: 4.4, example: 'about 4.0 to 4.4 characters a token' },
] as const;

function sizesTable({ inputs }: StoragePlan): PageTable {
  return {
    id: 'dataset-forms',
    caption: 'The same tokens in other forms',
    columns: [
      { label: 'form', isNumber: false },
      { label: 'bytes a token', isNumber: true },
      { label: 'this dataset', isNumber: true },
      { label: 'known from', isNumber: false },
    ],
    rows: forms.map(({ label, bytes, example }) => [label, shortNumber(bytes), formatBytes(inputs.tokens * bytes), example]),
    note: 'Bytes a token mean little without the form: raw, compressed or tokenized.',
  };
}

function notes({ inputs, feed, save }: StoragePlan): string[] {
  return [
    `“About 4 bytes a token, a few TB for each trillion tokens” is right for int32 token files: ${formatBytes(4e12)} a trillion. uint16 takes half. That raw English has about as many characters a token is a coincidence; the header of the files decides.`,
    `Each node reads ${shortRate(feed.perNodeBytesPerSecond)} of tokens; a save takes ${shortRate(save.writeBytesPerSecond / save.writers.writingNodes)} out of ${eachOf(save.writers.writingNodes, 'writing node')}. Images and simulations are another matter: they need GB/s a node.`,
    ...(inputs.bytesPerToken < 2
      ? ['Less than 2 bytes a token is no token file: compressed text must be decompressed and tokenized on the way.']
      : []),
  ];
}
