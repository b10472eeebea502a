'use strict';
// Preloaded into every Node candidate: writes the process's peak memory where the runner looks for it. Works the same on all platforms.
const { isMainThread } = require('node:worker_threads');
const process = require('node:process');
const { writeFileSync } = require('node:fs');

const target = process.env['STOWAGE_BENCH_PEAK'];
if (isMainThread && target) process.on('exit', () => writeFileSync(target, String(process.resourceUsage().maxRSS * 1024)));
