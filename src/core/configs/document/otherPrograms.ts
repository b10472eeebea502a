/** Scripts that by their names train nothing, whatever arguments they share with those that do: a model, a batch, a folder. */

/** What they do with data or weights, at the beginning of the name or at its end. */
const names =
  /^(?:analy[sz]e|convert(?:er|or)?|preprocess|tokenize|eval|evaluate|generate|infer|inference|hf2mcore|hf2megads|mcore2hf|merge|export)(?:[_-]\w+)*\.py$|[_-](?:convert(?:er|or)?|conversion|inference|generation)\.py$/;

/** Modules of verl: `python3 -m verl.trainer.main_generation_server`. */
const modules = /^(?:verl\.trainer\.)?main_(?:generation|eval)(?:_server)?(?:\.py)?$/;

/** `generate_and_train.py` does both. */
const trains = /[_-]and[_-](?:pre)?train/;

/** @param programs of one command, as `Launch` has them */
export function trainsNothing(programs: readonly string[]): boolean {
  return programs.some((program) => {
    const name = program.slice(program.lastIndexOf('/') + 1);
    return (names.test(name) || modules.test(name)) && !trains.test(name);
  });
}
