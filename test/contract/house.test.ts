import { describe, expect, it } from 'vitest';
import { surveyHouse } from '../../scripts/house/house.mjs';
import { importsOf } from '../../scripts/house/importGraph.mjs';
import { repositoryFiles } from './projectFiles.js';

const sources = repositoryFiles().filter((file) => /^(src|webview)\/.*\.ts$/.test(file));

describe('the house', () => {
  const house = surveyHouse(new Map(sources.map((file) => [file, importsOf(file)])));

  it('has a room for every source file', () => expect(house.homeless).toEqual([]));
  it('has no import that runs up', () => expect(house.upwards).toEqual([]));
  it('has no cycle between rooms', () => expect(house.roomCycles).toEqual([]));
  it('has no cycle between files', () => expect(house.fileCycles).toEqual([]));
});

describe('the survey', () => {
  const words = 'src/core/text/words.ts';
  const page = 'src/core/pages/page.ts';

  it('finds an import that runs up, and the cycle of rooms that it closes', () => {
    const { upwards, roomCycles, fileCycles } = surveyHouse(
      new Map([
        [words, ['src/core/pages/other.ts']],
        [page, [words]],
        ['src/core/pages/other.ts', []],
      ]),
    );
    expect(upwards).toEqual([`${words} imports src/core/pages/other.ts`]);
    expect(roomCycles.map((cycle) => cycle.sort())).toEqual([['src/core/pages', 'src/core/text']]);
    expect(fileCycles).toEqual([]);
  });

  it('finds an import of the room beside', () => {
    const { upwards } = surveyHouse(
      new Map([
        ['src/core/checkpoints/a.ts', ['src/core/datasets/b.ts']],
        ['src/core/datasets/b.ts', []],
      ]),
    );
    expect(upwards).toHaveLength(1);
  });

  it('finds each cycle of files once, and nothing where there is none', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => `src/core/text/${name}.ts`) as [string, string, string, string];
    const { fileCycles, upwards } = surveyHouse(
      new Map([
        [a, [b]],
        [b, [c, 'vscode']],
        [c, [b, d]],
        [d, []],
      ]),
    );
    expect(fileCycles.map((cycle) => cycle.sort())).toEqual([[b, c]]);
    expect(upwards).toEqual([]);
  });

  it('names a file that is in no room', () => {
    expect(surveyHouse(new Map([['elsewhere/a.ts', []]])).homeless).toEqual(['elsewhere/a.ts']);
  });
});
