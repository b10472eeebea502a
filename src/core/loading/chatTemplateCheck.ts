/** The chat templates of a tokenizer, as text: whether there is one, and whether its blocks are closed. */
import type { ReadResult } from '../checkpoints/readFiles.js';
import type { ReadContext } from '../checkpoints/reading/readContext.js';
import { baseName } from '../files/paths.js';
import type { Finding } from '../findings/finding.js';
import { jinjaProblem } from '../formats/text/jinjaBlocks.js';
import { memberOf } from '../formats/text/jsonMember.js';
import { counted } from '../text/quantities.js';
import { isBeside, jsonBeside, textBeside } from './filesBeside.js';
import { nothingToCheck, type LoadCheck } from './loadCheck.js';
import type { TokenizerFacts } from './tokenizerFacts.js';

interface Template {
  path: string;
  /** What reports call it. */
  name: string;
  text: string;
}

/** @throws FormatError `cancelled` */
export async function chatTemplateCheck(read: ReadResult, context: ReadContext, tokenizer: TokenizerFacts): Promise<LoadCheck> {
  const templates = [
    ...templatesIn('tokenizer_config.json', memberOf(tokenizer.config, 'chat_template')),
    ...templatesIn('chat_template.json', memberOf(await jsonBeside(read, context, 'chat_template.json'), 'chat_template')),
    ...(await templateFiles(read, context)),
  ];
  if (templates.length === 0) return missing(read, context, tokenizer);
  const findings = templates.flatMap(({ path, name, text }): Finding[] => {
    const problem = jinjaProblem(text);
    return problem === undefined ? [] : [{ code: 'chat-template-invalid', path, facts: { template: name, ...problem } }];
  });
  return {
    verdict: findings.length === 0 ? 'loads' : 'loads-with-warnings',
    why: findings.length === 0 ? '' : 'A chat template is no valid Jinja template.',
    checked: ['chat-template'],
    notChecked: [],
    findings,
    done: [`${counted(templates.length, 'chat template')}: blocks, brackets and strings are closed; expressions are not parsed`],
  };
}

/** Templates beyond these of one tokenizer are not looked at; those of published ones are a handful. */
const MAX_TEMPLATES = 100;

/** One text, texts by name, or a list of `{name, template}` (transformers/tokenization_utils_base.py). */
function templatesIn(path: string, value: unknown): Template[] {
  if (typeof value === 'string') return [{ path, name: 'chat_template', text: value }];
  if (typeof value !== 'object' || value === null) return [];
  const named: [unknown, unknown][] = Array.isArray(value)
    ? value.slice(0, MAX_TEMPLATES).map((each) => [memberOf(each, 'name'), memberOf(each, 'template')])
    : Object.entries(value).slice(0, MAX_TEMPLATES);
  return named.flatMap(([name, text]): Template[] =>
    typeof text === 'string' ? [{ path, name: `chat_template ${typeof name === 'string' ? name : ''}`.trim(), text }] : [],
  );
}

/** `chat_template.jinja`, and those of other names in a folder (transformers/utils/hub.py: CHAT_TEMPLATE_FILE, CHAT_TEMPLATE_DIR). */
async function templateFiles(read: ReadResult, context: ReadContext): Promise<Template[]> {
  const paths = read.parts.files
    .flatMap(({ path }) => (/^(?:chat_template|additional_chat_templates\/[^/]+)\.jinja$/.test(path) ? [path] : []))
    .slice(0, MAX_TEMPLATES);
  const templates: Template[] = [];
  for (const path of paths) {
    const text = await textBeside(read, context, path);
    if (text !== undefined) templates.push({ path, name: baseName(path), text });
  }
  return templates;
}

/** Ends of a turn: a tokenizer whose sequences end with one is of a chat model, one that merely has it need not be. */
const turnEnds = new Set(['<|im_end|>', '<|eot_id|>', '<end_of_turn>', '<|eot|>', '<|end|>', '<|return|>']);
const chatName = /(?:^|[-_./])(?:chat|instruct)(?:$|[-_./])/i;

function missing(read: ReadResult, { tree }: ReadContext, tokenizer: TokenizerFacts): LoadCheck {
  if (!isBeside(read, 'tokenizer_config.json') || !isBeside(read, 'config.json')) return nothingToCheck;
  const end = memberOf(tokenizer.config, 'eos_token');
  const content = typeof end === 'string' ? end : memberOf(end, 'content');
  const names = [memberOf(read.side.json.get('config.json'), '_name_or_path'), tree.rootName];
  const isNamed = names.some((name) => typeof name === 'string' && chatName.test(name));
  const sign =
    typeof content === 'string' && turnEnds.has(content)
      ? `its sequences end with ${content}`
      : isNamed
        ? 'the name is that of a chat model'
        : undefined;
  if (sign === undefined) return nothingToCheck;
  return {
    ...nothingToCheck,
    checked: ['chat-template'],
    findings: [{ code: 'chat-template-missing', path: 'tokenizer_config.json', facts: { sign } }],
    done: ['tokenizer_config.json: whether there is a chat template'],
  };
}
