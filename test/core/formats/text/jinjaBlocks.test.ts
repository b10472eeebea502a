/** Blocks of Jinja templates, with the verdict of Jinja 3.1.6 as transformers 5.24 compiles a chat template. */
import { describe, expect, it } from 'vitest';
import { jinjaProblem } from '../../../../src/core/formats/text/jinjaBlocks.js';

const template = `{%- if tools %}{{- "it's }}" }}{%- for tool in tools %}{{- tool | tojson }}{%- endfor %}
{%- else %}{%- set ns = namespace(found=false) %}{%- endif %}{# {% if %} #}
{%- for message in messages[::-1] %}
  {%- if message.role == "user" and x != 2 %}{%- set ns.found = true %}
  {%- elif a >= 1 %}{% break %}
  {%- else %}{{ {'a': {'b': [1]}}['a'] }}{% generation %}{{ message['content'] }}{% endgeneration %}{%- endif %}
{%- endfor %}{% macro f(x, y=2) %}{{ x }}{% endmacro %}{% set block %}{{ f(1) }}{% endset %}{% raw %}{{ {% if %}{% endraw %} { %`;

describe('a template', () => {
  it.each([template, '', 'no template', '{{ x }}', '{% raw %}', '{% set x = {} %}{{ x }}'])(
    'in order has no problem: %s',
    (text) => {
      expect(jinjaProblem(text)).toBeUndefined();
    },
  );

  it.each<[text: string, problem: string, line: number]>([
    ['\n{% if x %}', '{% if %} is not closed', 2],
    ['{% for x in y %}{% endif %}', '{% endif %} in {% for %}', 1],
    ['{% endfor %}', 'unexpected {% endfor %}', 1],
    ['{% if x %}{% else %}{% endif %}{% else %}', 'unexpected {% else %}', 1],
    ['{% for x in y %}{% elif x %}{% endfor %}', 'unexpected {% elif %}', 1],
    ['\n\n{{ x', '{{ is not closed', 3],
    ['{% if x', '{% is not closed', 1],
    ['{# x', '{# is not closed', 1],
    ["{{ 'x }}", 'a string is not closed', 1],
    ['{{ x) }}', 'unexpected )', 1],
    ['{{ (x }}', 'unexpected }', 1],
    ['{% set x %}', '{% set %} is not closed', 1],
    ['{% wrong %}', 'unexpected {% wrong %}', 1],
    ['{% %}', '{% %} has no name', 1],
    ['{% raw %}{{ x', '{% raw %} is not closed', 1],
    ['{% constructor %}', 'unexpected {% constructor %}', 1],
  ])('with a problem names it: %s', (text, problem, line) => {
    expect(jinjaProblem(text)).toEqual({ problem, line });
  });

  it('of any length and depth is read in one pass', () => {
    expect(jinjaProblem('{% if x %}'.repeat(200_000))).toEqual({ problem: '{% if %} is not closed', line: 1 });
    expect(jinjaProblem(`{{ ${'('.repeat(1_000_000)}`)).toEqual({ problem: '{{ is not closed', line: 1 });
    expect(jinjaProblem('{{ x }}'.repeat(300_000))).toBeUndefined();
  });
});
