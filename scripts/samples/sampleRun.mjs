/**
 * A run of an 8B model as its files are left by the Hugging Face Trainer with DeepSpeed ZeRO stage 3 on eight GPUs: twelve checkpoints of 112 GB over
 * two days. A rank was late once, a node was lost, training went back once, and the newest save was cut off.
 *
 * @typedef {{ path: string, sizeBytes: number, createdMs: number, modifiedMs: number }} SampleFile
 */

const ranks = 8;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** What eight ranks write together. */
const bytesPerSecond = 1.9e9;
const secondsPerStep = 28;

/** The bfloat16 weights of Llama 3.1 8B as the Trainer cuts them: at most 5 GB a file. What is in the files is in sampleFiles.ts. */
const weightFileBytes = [4_976_698_672, 4_999_802_712, 4_915_916_184, 1_168_138_800];
/** A rank's part of the float32 weights and of both moments, and its names and shapes. */
const optimizerBytes = 12_045_394_309;
const modelStateBytes = 69_225;

/** Grows with what was logged. @type {Readonly<Record<number, number>>} */
const trainerStateBytes = {
  500: 510,
  1000: 901,
  1500: 1299,
  2000: 1696,
  2500: 2092,
  3000: 2491,
  3500: 2890,
  4000: 3286,
  4400: 3626,
  4500: 3685,
  4800: 3939,
  5000: 4083,
  5200: 4252,
};

/** Steps in the order of their times, with what happened before or in each save. */
const saves = [
  ...[500, 1000, 1500, 2000].map((step) => ({ step })),
  { step: 2500, lateMs: 41 * minuteMs },
  { step: 3000 },
  // A node was lost: an hour and a half of work was done again.
  { step: 3500, lostMs: 1.55 * hourMs },
  ...[4000, 4500, 5000].map((step) => ({ step })),
  // The loss had risen: on from step 4,000, with more saves.
  { step: 4400, from: 4000, lostMs: 20 * minuteMs },
  { step: 4800 },
  { step: 5200, isCutOff: true },
];

/**
 * The files of the run, paths relative to its directory.
 * @param {number} endMs when its newest file was written, milliseconds since 1970
 * @returns {SampleFile[]}
 */
export function sampleRun(endMs) {
  const relative = filesFrom(0);
  const lastMs = relative.reduce((last, { modifiedMs }) => Math.max(last, modifiedMs), 0);
  return relative.map((file) => ({
    ...file,
    createdMs: Math.round(file.createdMs + endMs - lastMs),
    modifiedMs: Math.round(file.modifiedMs + endMs - lastMs),
  }));
}

/** @param {number} startMs */
function filesFrom(startMs) {
  /** @type {SampleFile[]} */
  const files = [];
  let nowMs = startMs;
  let step = 0;
  for (const save of saves) {
    const { lateMs = 0, lostMs = 0, isCutOff = false, from = step } = { lateMs: 0, lostMs: 0, isCutOff: false, from: step, ...save };
    nowMs += (save.step - from) * secondsPerStep * 1000 + lostMs;
    step = save.step;
    const written = checkpoint(step, nowMs, lateMs);
    files.push(...(isCutOff ? written.slice(0, 9) : written));
    nowMs = written.reduce((last, { modifiedMs }) => Math.max(last, modifiedMs), nowMs);
  }
  return files;
}

/**
 * @param {number} step
 * @param {number} startMs
 * @param {number} lateMs of the fourth rank
 */
function checkpoint(step, startMs, lateMs) {
  const folder = `checkpoint-${step}`;
  let nowMs = startMs;
  /**
   * @param {string} name
   * @param {number} sizeBytes
   */
  const write = (name, sizeBytes) => {
    const createdMs = nowMs;
    nowMs += (sizeBytes / bytesPerSecond) * 1000;
    return { path: `${folder}/${name}`, sizeBytes, createdMs, modifiedMs: nowMs };
  };
  const weights = weightFileBytes.map((sizeBytes, index) => write(`model-0000${index + 1}-of-00004.safetensors`, sizeBytes));
  const small = [
    write('model.safetensors.index.json', 23_949),
    write('config.json', 336),
  ];
  const beginMs = nowMs;
  const shards = Array.from({ length: ranks }, (_, rank) => {
    const seconds = (optimizerBytes * ranks) / bytesPerSecond;
    const modifiedMs = beginMs + seconds * 1000 * (0.97 + 0.03 * ((rank * 5) % ranks) / ranks) + (rank === 3 ? lateMs : 0);
    return {
      path: `${folder}/global_step${step}/bf16_zero_pp_rank_${rank}_mp_rank_00_optim_states.pt`,
      sizeBytes: optimizerBytes,
      createdMs: beginMs,
      modifiedMs,
    };
  });
  const states = Array.from({ length: ranks }, (_, rank) => ({
    path: `${folder}/global_step${step}/zero_pp_rank_${rank}_mp_rank_00_model_states.pt`,
    sizeBytes: modelStateBytes,
    createdMs: beginMs,
    modifiedMs: beginMs + 400,
  }));
  nowMs = shards.reduce((last, { modifiedMs }) => Math.max(last, modifiedMs), nowMs);
  const rest = [
    write('latest', `global_step${step}`.length),
    write('zero_to_fp32.py', 42),
    write('scheduler.pt', 1325),
    ...Array.from({ length: ranks }, (_, rank) => write(`rng_state_${rank}.pth`, 6885)),
    write('trainer_state.json', trainerStateBytes[step] ?? 0),
  ];
  return [...weights, ...small, ...states.slice(0, 4), ...shards, ...states.slice(4), ...rest];
}
