/** Files of programs and of the tools that build them. They are no part of a checkpoint, also where they lie beside one. */
import type { Rule } from './fileRule.js';

export const sourceRules: readonly Rule[] = [
  // Written by package managers, and kept: no leftovers of a save, as the lock of a file that is being written is one.
  [
    /(uv|yarn|Cargo|poetry|pdm|pixi|Pipfile|Gemfile|composer|bun|deno|flake|mix|pubspec|Podfile|Package|conda|requirements.*)\.lock$|\.terraform\.lock\.hcl$/i,
    'lock-of-packages',
    'unexplained',
    'none',
  ],
  [/(Makefile|Dockerfile|CMakeLists\.txt|Jenkinsfile|BUILD|WORKSPACE)$/, 'source-code', 'unexplained', 'none'],
  [
    /.+\.(pyi?|ipynb|[cm]?jsx?|[cm]?tsx?|c|h|cc|cpp|cxx|hpp|hh|cuh?|java|kt|rs|go|rb|php|swift|scala|jl|lua|pl|sh|bash|zsh|ps1|bat|sql|cmake|proto|css|scss|html?|vue|svelte)$/i,
    'source-code',
    'unexplained',
    'none',
  ],
];
