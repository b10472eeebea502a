/**
 * Counters for coverage, put into the text that esbuild prints, whose lines have a known form: blocks begin at the end of a line, and a
 * condition without a block is a line by itself. What is not recognised has no counter, which loses guidance and nothing else.
 */

const block = /^(?!.*\b(class|switch)\b).*(\) \{|=> \{|\belse \{|\btry \{|\bfinally \{|\bdo \{)$/;
const bareCondition = /^(\s*(?:\} )?(?:else )?if \()(.*)(\))$/;
const caseLabel = /^\s*(case .*|default):( \{)?$/;

/** As esbuild names the module of the file that follows. */
const moduleComment = /^\/\/ (src|node_modules|test|fuzz)\//;

/**
 * @param {string} code as esbuild printed it, not minified
 * @returns {{ code: string, places: number }}
 */
export function instrument(code) {
  let places = 0;
  let isOurs = false;
  const reach = () => `stowageReach(${places++})`;
  const lines = code.split('\n').map((line) => {
    const module = moduleComment.exec(line);
    if (module !== null) isOurs = module[1] === 'src';
    if (!isOurs) return line;
    const condition = bareCondition.exec(line);
    if (condition !== null) return `${condition[1]}(${condition[2]}) && ${reach()}${condition[3]}`;
    return block.test(line) || caseLabel.test(line) ? `${line} ${reach()};` : line;
  });
  return { code: lines.join('\n'), places };
}
