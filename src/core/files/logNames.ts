/**
 * Names of what trainers and evaluations write as records and tables (`trainer_log.jsonl`, `metrics-3.csv`), up to the extension. Whole words
 * only: `dialogues.jsonl` and `catalog.csv` are data.
 */
export const logName =
  /^(?:.*[^a-z])?(?:(?:train|trainer|training|eval|run)?logs?|loss(?:es)?|metrics|progress|history|results?|events|monitor|evaluations?)(?![a-z])[^/]*/i;
