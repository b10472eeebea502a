/**
 * Rules of this project that oxlint itself does not have, as a plugin with ESLint's interface.
 *
 * @typedef {{ filename: string, report(problem: { node: unknown, message: string }): void }} RuleContext
 * @typedef {{ type: string, name?: string, property?: Node, callee?: Node, parent?: Node, source?: { value?: unknown } | null }} Node as
 * ESTree names its parts
 */
import path from 'node:path';
import { projectRoot } from '../host/project.mjs';
import { mayImport, roomOf } from '../house/floors.mjs';
import { resolveImport } from '../house/importGraph.mjs';

const stackGrowers = /^(push|unshift|max|min)$/;

export default {
  meta: { name: 'house' },
  rules: {
    'no-enum': {
      create: (/** @type {RuleContext} */ context) => ({
        TSEnumDeclaration: (/** @type {Node} */ node) =>
          context.report({ node, message: 'Use a union of string literals: it survives messages and logs.' }),
      }),
    },
    'no-import-up': {
      create(/** @type {RuleContext} */ context) {
        const file = path.relative(projectRoot, context.filename).replaceAll(path.sep, '/');
        const check = (/** @type {Node} */ node) => {
          const specifier = node.source?.value;
          if (typeof specifier !== 'string') return;
          const target = resolveImport(file, specifier);
          if (mayImport(file, target)) return;
          const message = `${roomOf(file)} is not above ${roomOf(target)}: see scripts/house/floors.mjs and docs/architecture.md.`;
          context.report({ node, message });
        };
        return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check, ImportExpression: check };
      },
    },
    'no-spread-argument': {
      create: (/** @type {RuleContext} */ context) => ({
        SpreadElement(/** @type {Node} */ node) {
          const method = node.parent?.type === 'CallExpression' ? node.parent.callee?.property?.name : undefined;
          if (method === undefined || !stackGrowers.test(method)) return;
          const message = 'A file may decide how many arguments this passes, and the stack overflows: use appendAll or a loop.';
          context.report({ node, message });
        },
      }),
    },
  },
};
