/**
 * Rules of this project that oxlint itself does not have, as a plugin with ESLint's interface.
 *
 * @typedef {{ report(problem: { node: unknown, message: string }): void }} RuleContext
 * @typedef {{ type: string, name?: string, property?: Node, callee?: Node, parent?: Node }} Node as ESTree names its parts
 */

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
