import { expect, it } from 'vitest';
import { placeName } from '../../../src/core/files/paths.js';

it.each([
  ['/data/runs/step-10', 'step-10'],
  ['runs/step-10/', 'step-10'],
  [String.raw`Z:\runs\step-10`, 'step-10'],
  [String.raw`Z:/runs\step-10\\`, 'step-10'],
  [String.raw`\\server\share\model.safetensors`, 'model.safetensors'],
  ['C:\\', 'C:'],
  ['/', '/'],
  ['.', '.'],
])('%s is called %s', (path, name) => expect(placeName(path)).toBe(name));
