import { describe, expect, it } from 'vitest';
import { importsOf } from '../../scripts/house/importGraph.mjs';
import { readText, repositoryFiles } from './projectFiles.js';

const sources = repositoryFiles().filter((file) => /^(src|webview)\/.*\.ts$/.test(file));

/** What a runtime does not have. Which room may import which: scripts/house/floors.mjs. */
const rules: { zone: RegExp; forbidden: RegExp }[] = [
  { zone: /^src\/(core|protocol|app)\//, forbidden: /^(vscode|node:)/ },
  { zone: /^src\/(platform|cli)\b/, forbidden: /^vscode/ },
  { zone: /^src\/host\//, forbidden: /^node:/ },
  { zone: /^webview\//, forbidden: /^(vscode$|node:|src\/platform)/ },
];

describe('imports of the sources', () => {
  for (const { zone, forbidden } of rules) {
    it(`are of what there is where ${zone.source} runs`, () => {
      const files = sources.filter((file) => zone.test(file));
      expect(files.length).toBeGreaterThan(0);
      const wrong = files.flatMap((file) =>
        importsOf(file)
          .filter((target) => forbidden.test(target))
          .map((target) => `${file} imports ${target}`),
      );
      expect(wrong).toEqual([]);
    });
  }

  it('leave names of the browser out of core, protocol and use cases', () => {
    const pure = sources.filter((file) => /^src\/(core|protocol|app)\//.test(file));
    const withDom = pure.filter((file) =>
      /\bdocument\.(?:createElement|querySelector|getElement|addEventListener|body\b|head\b|documentElement|activeElement|cookie|location)|\b(?:localStorage|navigator|customElements)\.[a-z]|\bwindow\.(?:addEventListener|location)\b/.test(
        withoutComments(readText(file)),
      ),
    );
    expect(withDom).toEqual([]);
  });

  it('leave what differs between operating systems to one room', () => {
    const knowing = sources.filter(
      (file) =>
        !file.startsWith('src/platform/os/') &&
        /\bprocess\.platform\b|['"`]\/proc\/|\bO_DIRECT\b/.test(withoutStrings(readText(file))),
    );
    expect(knowing).toEqual([]);
  });

  it('never turn text into code', () => {
    const evaluating = sources.filter((file) =>
      /\beval\(|new Function\(|\bunsafeHTML\b|\.innerHTML\s*=/.test(withoutComments(readText(file))),
    );
    expect(evaluating).toEqual([]);
  });
});

/** Names of calls of the system stand in texts for people too. */
function withoutStrings(code: string): string {
  return withoutComments(code).replaceAll(/'(?!\/proc\/)(?:[^'\\\n]|\\.)*'/g, "''");
}

function withoutComments(code: string): string {
  return code.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/\/\/.*$/gm, '');
}
