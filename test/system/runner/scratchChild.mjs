/** A run of its own, for a test that interrupts it: it starts what outlives a process group, and mounts where it may. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onInterrupt, spawnGroup } from '../../../scripts/host/processGroups.mjs';
import { closeScratch, openScratch } from '../../runner/scratch.mjs';

const folder = openScratch();
onInterrupt(() => closeScratch(folder));
const child = spawnGroup('sleep', ['1000']);
const daemon = spawn('sleep', ['1000'], { stdio: 'ignore', detached: true });
writeFileSync(path.join(folder, 'left.txt'), '');
let mount = null;
try {
  mount = path.join(folder, 'mount');
  mkdirSync(mount);
  execFileSync('mount', ['-t', 'tmpfs', 'none', mount], { stdio: 'ignore' });
} catch {
  mount = null;
}
process.stdout.write(`${JSON.stringify({ folder, pids: [child.pid, daemon.pid], mount })}\n`);
