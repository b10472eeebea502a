/** Patterns of module names, against the answers of Python's re.fullmatch. */
import { describe, expect, it } from 'vitest';
import { parseNamePattern } from '../../../src/core/configs/architectures/namePattern.js';

const query = 'model.layers.11.self_attn.q_proj';

describe('a pattern of names', () => {
  it.each([
    ['.*\\.(q_proj|v_proj)', true],
    ['.*q_proj', true],
    ['q_proj', false],
    ['.*layers\\.(1|2|3)\\..*', false],
    ['.*layers\\.1[0-5]\\..*', true],
    ['.*layers\\.\\d+\\.self_attn\\.(?:q|k)_proj$', true],
    ['^model\\..*?(?:self_attn|mlp).*?(?:q_proj|up_proj).*?', true],
    ['(?:.*?(?:vision).*?(?:q_proj).*?)|(?:\\bmodel\\.layers\\.[\\d]{1,}\\.(?:self_attn|mlp)\\.(?:q_proj))', true],
    ['model\\.layers\\.\\d{2}\\.self_attn\\.[a-z]_proj', true],
    ['model\\.layers\\.\\d{3,}\\.self_attn\\.[a-z]_proj', false],
    ['model\\.layers\\.\\d{1}?1\\.self_attn\\.[^k]_proj', true],
    ['.*', true],
    ['', false],
    ['.*q_proj|', true],
    ['(a*)*', false],
    ['model.layers.11.self_attn.q_proj', true],
    ['.*\\W11\\W.*', true],
    ['.+\\.lm_head', false],
  ])('%s: %s', (source, isMatch) => {
    expect(parseNamePattern(source)?.(query)).toBe(isMatch);
  });

  it.each(['(?!.*vision).*q_proj', '(.)\\1', '[', '(', ')', '*', 'a**', 'a{2,1}', 'a{1,9999}', '\\', '[\\', '(?P<a>b)', 'a++'])(
    '%s is not known',
    (source) => {
      expect(parseNamePattern(source)).toBeNull();
    },
  );

  it('takes no longer for patterns that make others run for ever', () => {
    expect(parseNamePattern('(a|aa|a*)*'.repeat(20) + 'b')?.('a'.repeat(500))).toBe(false);
    expect(parseNamePattern('(((a{100}){100}){100}){100}')).toBeNull();
    expect(parseNamePattern('('.repeat(3000))).toBeNull();
  });
});

it('matches alike whatever was matched before, with assertions and without', () => {
  const names = [
    'model.layers.3.self_attn.q_proj',
    'model.layers.30.self_attn.q_proj',
    'model.layers.3.mlp.up_proj',
    '',
    'q_proj',
    'a\nq_proj',
  ];
  const sources = [
    String.raw`.*\.layers\.(3|7)\.self_attn\.(q|k)_proj|.*\.mlp\.(gate|up)_proj`,
    String.raw`^.*\b3\..*proj$`,
    '.*',
  ];
  for (const source of sources) {
    const matches = parseNamePattern(source) ?? expect.fail(source);
    const fresh = names.map((name) => (parseNamePattern(source) ?? expect.fail(source))(name));
    for (let round = 0; round < 3; round += 1) expect(names.map(matches)).toEqual(fresh);
    const expression = new RegExp(`^(?:${source})$`, '');
    expect(names.map((name) => expression.test(name))).toEqual(fresh);
  }
});
