import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import { sampleReport } from './sampleReport.js';

/** Texts that break a page, a terminal or a reader when they are not shown as the plain text that they are. */
export const hostileTexts = {
  script: '</script><script>window.hacked=1</script>',
  image: '<img src=x onerror="window.hacked=1">',
  bidi: 'gnp.\u202emodel\u2066weights\u2069',
  control: 'tab\there\u0000nul\u001b[31mred\u0007\nnew line',
  markdown: '[click](https://example.invalid) **bold** `code` | cell |',
  template: '${window.hacked=1} {{hacked}} <stowage-report>',
  invisible: 'zero\u200bwidth\ufeff\u{e0041}tag\ud800',
  formula: '=HYPERLINK("https://example.invalid")',
  long: `model.${'very_long_module_name.'.repeat(400)}weight`,
} as const;

/** The sample report with hostile text in every place that a file can fill. */
export function hostileReport(): CheckpointReport {
  const report = sampleReport();
  const texts = Object.values(hostileTexts);
  const text = (index: number): string => texts[index % texts.length] ?? '';
  report.path = `/tmp/${hostileTexts.bidi}${hostileTexts.script}`;
  report.framework = { name: hostileTexts.image, version: hostileTexts.bidi };
  report.parameters.source = hostileTexts.script;
  report.files = report.files.map((file, index) => ({
    ...file,
    path: `${index}-${text(index)}`,
    format: text(index + 1),
    role: text(index + 2),
  }));
  report.facts = texts.map((value, index) => ({
    id: 'hostile',
    label: value,
    value: text(index + 1),
    path: text(index + 2),
    keyPath: text(index + 3),
  }));
  report.objects = texts.map((value, index) => ({
    path: value,
    root: {
      key: '',
      kind: 'object',
      type: text(index + 1),
      text: text(index + 2),
      count: 1_000_000,
      children: [{ key: text(index + 3), kind: 'text', text: text(index + 4) }],
    },
  }));
  report.findings = texts.map((value, index) => ({
    code: text(index + 4),
    severity: 'error',
    path: text(index + 3),
    offset: index,
    message: value,
    effect: text(index + 1),
    advice: text(index + 2),
  }));
  report.checks = { done: [hostileTexts.image], notDone: [hostileTexts.script] };
  report.resume = {
    verdict: 'broken',
    basis: 'names',
    coverage: { counted: 0, of: 1, unit: hostileTexts.script },
    present: ['weights'],
    missing: [{ component: 'rng', effect: hostileTexts.image }],
    blockedBy: [hostileTexts.script],
  };
  report.storedTwice = {
    bytes: 1000,
    items: [
      { what: hostileTexts.script, bytes: 1000, paths: [...texts], setting: hostileTexts.script, basis: 'names', coverage: null },
    ],
  };
  report.ranks = texts.map((rank, index) => ({ rank, bytes: index, files: 1, modified: null }));
  report.run = {
    checkpoints: texts.map((path, index) => ({
      path,
      layout: 'unknown',
      step: index,
      bytes: index,
      files: 1,
      modified: null,
      verdict: 'partial',
      finished: true,
    })),
    pointers: texts.map((path, index) => ({ path, target: text(index + 1), exists: false })),
  };
  report.pickleImports = texts.map((name) => ({ name, files: 1, expected: false, kind: 'unexpected', paths: [...texts] }));
  if (report.bytesPerParameter !== null) {
    report.bytesPerParameter.terms = report.bytesPerParameter.terms.map((term, index) => ({
      ...term,
      dtypes: [text(index)],
      source: text(index + 1),
    }));
  }
  return report;
}
