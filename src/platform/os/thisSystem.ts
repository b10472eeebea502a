import { linuxSystem } from './linux.js';
import { macosSystem } from './macos.js';
import type { System } from './system.js';
import { systemName } from './systemName.js';
import { unixSystem } from './unix.js';
import { windowsSystem } from './windows.js';

/** This machine's, chosen once. */
export const thisSystem: System = chooseSystem();

function chooseSystem(): System {
  const name = systemName();
  if (name === 'linux') return linuxSystem();
  if (name === 'macos') return macosSystem();
  if (name === 'windows') return windowsSystem();
  return unixSystem;
}
