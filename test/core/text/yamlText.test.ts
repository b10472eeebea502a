import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { yamlDocument } from '../../../src/core/text/yamlText.js';
import { runs } from '../../builders/seed.js';

/** As YAML 1.1 and 1.2 read it: the one document that there is. */
function readBack(text: string): unknown[] {
  return (['1.1', '1.2'] as const).map((version) => {
    const documents = parseAllDocuments(text, { version, uniqueKeys: true });
    const [only] = documents;
    if (!('length' in documents) || documents.length !== 1 || only === undefined) throw new Error('not one document');
    expect(only.errors).toEqual([]);
    expect(only.warnings).toEqual([]);
    return only.toJS() as unknown;
  });
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('no', '1e3', '~', '---', '# x', '${a}', 'a: b', ''),
);
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    anyText,
    fc.integer(),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(anyText, fc.constantFrom('model', 'yes', 'null', '12')), tie('value'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
}));

it('is read back as it was, by YAML 1.1 and 1.2, whatever comments hold', () => {
  fc.assert(
    fc.property(
      fc.array(anyText, { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('model', 'checkpoint', 'spec', 'x y'), anyValue['value'] as fc.Arbitrary<string>, {
        minKeys: 1,
        noNullPrototype: true,
      }),
      (comments, value) => {
        for (const read of readBack(yamlDocument(comments, value))) expect(read).toEqual(value);
      },
    ),
    runs(100),
  );
});

it.each(['\n', '\r', '\u0085', '\u2028', '\u2029'])('keeps a comment with the line end %j on its line', (end) => {
  const text = yamlDocument([`a${end}model: other`], { model: 'own' });
  expect(text.split('\n')).toHaveLength(3);
  for (const read of readBack(text)) expect(read).toEqual({ model: 'own' });
});

it('replaces halves of characters, which no encoding holds', () => {
  expect(readBack(yamlDocument([], { name: 'a\ud800b' }))).toEqual([{ name: 'a\ufffdb' }, { name: 'a\ufffdb' }]);
});
