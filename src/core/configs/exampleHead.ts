/** The output layers that transformers' own examples train (examples/pytorch of its repository): what runs decides the class, the task its labels. */
import { entryOf } from '../text/entryOf.js';
import type { Fields } from './fields.js';
import type { TrainedHead } from './trainedHead.js';

type HeadOfRun = (fields: Fields) => TrainedHead;

/** Tasks of GLUE: natural language inference with a neutral answer has three labels, similarity is one number (arXiv 1804.07461, table 1). */
const labelsOfGlue: Readonly<Record<string, number>> = {
  cola: 2,
  mnli: 3,
  mrpc: 2,
  qnli: 2,
  qqp: 2,
  rte: 2,
  sst2: 2,
  stsb: 1,
  wnli: 2,
};

function glue(fields: Fields): TrainedHead {
  const task = fields.text('task_name')?.toLowerCase() ?? '';
  return { task: 'SequenceClassification', labels: entryOf(labelsOfGlue, task) ?? 'of-data' };
}

function classification(fields: Fields): TrainedHead {
  return { task: 'SequenceClassification', labels: fields.flag('do_regression') === true ? 1 : 'of-data' };
}

/** Persons, places, organizations and others, each with where it begins and goes on, and what is none (CoNLL 2003). */
const labelsOfConll = 9;

function entities(fields: Fields): TrainedHead {
  const dataset = fields.text('dataset_name')?.split('/').at(-1);
  const isConll = dataset === 'conll2003' && (fields.text('task_name') ?? 'ner') === 'ner';
  return { task: 'TokenClassification', labels: isConll ? labelsOfConll : 'of-data' };
}

const questions: TrainedHead = { task: 'QuestionAnswering', labels: null };
const choices: TrainedHead = { task: 'MultipleChoice', labels: null };
const inference: TrainedHead = { task: 'SequenceClassification', labels: 3 };

const headsOfPrograms: Readonly<Record<string, HeadOfRun>> = {
  'run_glue.py': glue,
  'run_glue_no_trainer.py': glue,
  'run_xnli.py': () => inference,
  'run_classification.py': classification,
  'run_ner.py': entities,
  'run_ner_no_trainer.py': entities,
  'run_qa.py': () => questions,
  'run_qa_no_trainer.py': () => questions,
  'run_squad.py': () => questions,
  'run_swag.py': () => choices,
  'run_swag_no_trainer.py': () => choices,
};

/** The head of the first of these programs that runs. */
export function headOfExample(programs: readonly string[], fields: Fields): TrainedHead | undefined {
  for (const program of programs) {
    const head = entryOf(headsOfPrograms, program.slice(program.lastIndexOf('/') + 1));
    if (head !== undefined) return head(fields);
  }
  return undefined;
}
