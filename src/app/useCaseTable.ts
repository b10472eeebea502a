/** The use cases as data: all that a face needs to offer them, without the code that runs them. */
import type { InputSchema } from './inputSchema.js';
import { checkInput, estimateInput, estimateToolInput, inspectInput, inspectToolInput, planInput } from './useCaseInputs.js';

/** A use case as assistants are offered it by the extension. */
interface LanguageModelTool {
  name: string;
  /** The inputs that it takes: some of the use case's. */
  input: InputSchema;
}

/** One use case. */
export interface UseCaseDescription {
  title: string;
  input: InputSchema;
  /** The JSON schemas of its report; empty where none is documented. A report is valid by one of them. */
  output: readonly string[];
  sideEffects: 'none' | 'reads' | 'writes';
  /** Null where the extension has no tool for it. */
  tool: LanguageModelTool | null;
}

export const useCaseTable = {
  inspect: {
    title: 'Inspect Checkpoint or Dataset',
    input: inspectInput,
    output: ['docs/report.schema.json', 'docs/dataset-report.schema.json'],
    sideEffects: 'reads',
    tool: { name: 'stowage_inspect_checkpoint', input: inspectToolInput },
  },
  estimate: {
    title: 'Estimate Checkpoint Size',
    input: estimateInput,
    output: ['docs/estimate-report.schema.json'],
    sideEffects: 'reads',
    tool: { name: 'stowage_estimate_checkpoint', input: estimateToolInput },
  },
  plan: {
    title: 'Plan Checkpoint Storage',
    input: planInput,
    output: ['docs/plan-report.schema.json'],
    sideEffects: 'reads',
    tool: null,
  },
  previewBandwidth: {
    title: 'Preview Bandwidth Check',
    input: checkInput,
    output: [],
    sideEffects: 'reads',
    tool: null,
  },
  checkBandwidth: {
    title: 'Check Checkpoint Bandwidth',
    input: checkInput,
    output: ['docs/bandwidth-report.schema.json'],
    sideEffects: 'writes',
    tool: null,
  },
} as const satisfies Record<string, UseCaseDescription>;

export type UseCaseName = keyof typeof useCaseTable;
