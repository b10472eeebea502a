import type { ReportPanelRequests } from '../../src/protocol/messages.js';
import type { ComponentChoice, TensorQuery } from '../../src/core/tensors/tensorQuery.js';
import { eventChannel } from '../shared/eventChannel.js';
import type { ReportViewState, TabId } from './viewState.js';

/** What the parts of the panel ask of the panel. They bubble through shadow roots up to `stowage-report`. */
export interface PanelEvents {
  /** Shows the tensors of one component and nothing else. */
  'panel-component': ComponentChoice;
  /** Shows the files of one rank and nothing else. */
  'panel-rank': string;
  'panel-query': TensorQuery;
  /** The first tensors are shown: what they can be filtered by may be counted now. */
  'panel-tensors-shown': null;
  'panel-tab': TabId;
  'panel-file': { path: string; offsetBytes: number | null };
  /** Opens the report of one checkpoint of a run, or of a part of a collection. */
  'panel-checkpoint': Parameters<ReportPanelRequests['inspectCheckpoint']>[0];
  /** Text for the clipboard and what it is, for the announcement. */
  'panel-copy': { text: string; what: string };
  /** Shows what was inspected in the Explorer. */
  'panel-reveal': null;
  /** A sentence for the status line, which is a live region. */
  'panel-say': string;
  'panel-state': Partial<
    Pick<ReportViewState, 'fileRank' | 'expanded' | 'oddShards' | 'plan' | 'tensorsAs' | 'toggledModules' | 'openTensor'>
  >;
  'panel-export': 'markdown' | 'json' | 'csv' | 'arrow';
  /** Inspects again; of a dataset also what was left out as it takes long. */
  'panel-refresh': { allLengths?: boolean; moreMemory?: boolean } | null;
  /** Asks for a tokenizer.json and inspects again with it. */
  'panel-tokenizer': null;
  'panel-cancel': null;
  /** Reads all bytes and compares them with their checksums. */
  'panel-verify': Parameters<ReportPanelRequests['verify']>[0];
  'panel-verify-cancel': null;
  'panel-copy-verification': null;
  /** Reads the values of all tensors. */
  'panel-values-scan': null;
  'panel-values-cancel': null;
  'panel-copy-values': null;
  /** Reads the values of one tensor. */
  'panel-tensor-values': Parameters<ReportPanelRequests['readTensorValues']>[0];
  'panel-tensor-values-cancel': null;
  /** Opens a plan whose numbers are the report's. */
  'panel-plan': null;
  /** Asks for another checkpoint and opens the comparison with it. */
  'panel-compare': null;
  /** Opens a bandwidth check where the next checkpoint would be saved. */
  'panel-bandwidth': null;
}

export const { emit: emitPanelEvent, on: onPanelEvent } = eventChannel<PanelEvents>();
