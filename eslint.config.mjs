import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

/**
 * Who may import whom: core <- protocol <- platform <- host, cli; core, protocol <- webview. A zone lists what its files must not
 * import. test/contract checks the same on the built bundles.
 */
const zones = [
  {
    files: ['src/core/**/*.ts'],
    not: ['**/protocol/**', '**/platform/**', '**/host/**', '**/cli/**', '**/webview/**'],
    pure: true,
  },
  { files: ['src/protocol/**/*.ts'], not: ['**/platform/**', '**/host/**', '**/cli/**', '**/webview/**'], pure: true },
  { files: ['src/platform/**/*.ts'], not: ['**/host/**', '**/cli/**', '**/webview/**'], vscode: false },
  { files: ['src/cli/**/*.ts', 'src/cli.ts'], not: ['**/host/**', '**/webview/**'], vscode: false },
  { files: ['src/host/**/*.ts'], not: ['**/cli/**', '**/webview/**/*.ts'], node: false },
  { files: ['webview/**/*.ts'], not: ['**/platform/**', '**/host/**', '**/cli/**'], pure: true },
].map(({ files, not, pure = false, vscode = !pure, node = !pure }) => ({
  files,
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          { group: not, message: 'This breaks the dependency direction, see docs/architecture.md.' },
          ...(node ? [] : [{ group: ['node:*'], message: 'This code also runs where there is no Node.' }]),
        ],
        paths: vscode ? [] : [{ name: 'vscode', message: 'Only src/host and the entry points know the editor.' }],
      },
    ],
  },
}));

const houseSyntax = [
  { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
  { selector: 'TSEnumDeclaration', message: 'Use a union of string literals: it survives messages and logs.' },
];

export default tseslint.config(
  {
    ignores: [
      'vitest.config.mts',
      'dist/',
      '.cache/',
      '.artifacts/',
      'samples/',
      'test/fixtures/',
      'bench/data/',
      'bench/.cache/',
      '**/.venv/',
    ],
  },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['src/tsconfig.json', 'webview/tsconfig.json', 'test/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    // Templates and page scripts hand methods over to Lit and Playwright, which bind them.
    files: ['webview/**/*.ts', 'test/**/*.ts'],
    rules: { '@typescript-eslint/unbound-method': 'off' },
  },
  {
    files: ['src/core/**/*.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'error' },
  },
  {
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'off',
      'no-restricted-syntax': ['error', ...houseSyntax],
    },
  },
  {
    files: ['src/**/*.ts', 'webview/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...houseSyntax,
        {
          selector: 'CallExpression[callee.property.name=/^(push|unshift|max|min)$/] > SpreadElement',
          message: 'How many there are may be up to a file, and the stack overflows: use appendAll or a loop.',
        },
      ],
    },
  },
  {
    files: ['*.config.{mjs,ts}'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'console',
          'process',
          'performance',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'URL',
          'URLSearchParams',
          'Buffer',
          'fetch',
          'TextDecoder',
          'TextEncoder',
          'document',
          'structuredClone',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  ...zones,
);
