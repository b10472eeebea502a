/** Levels of brackets and signs; scripts that launch training have two. */
const deepest = 20;

/**
 * `$(( … ))` of whole numbers: `+ - * / % **`, brackets and names. Null for anything else, for what a name does not tell, and for results
 * that are no exact integer. `valueOf` answers a variable's text.
 */
export function shellArithmetic(text: string, valueOf: (name: string) => string | undefined): number | null {
  const tokens = text.match(/\d+|\$?\{?[A-Za-z_]\w*\}?|\*\*|[-+*/%()]|\S/g) ?? [];
  if (tokens.length === 0 || tokens.length > 200) return null;
  let at = 0;

  function sum(depth: number): number | null {
    let left = product(depth);
    while (left !== null && (tokens[at] === '+' || tokens[at] === '-')) {
      const isPlus = tokens[at++] === '+';
      const right = product(depth);
      left = right === null ? null : exact(isPlus ? left + right : left - right);
    }
    return left;
  }

  function product(depth: number): number | null {
    let left = power(depth);
    while (left !== null && (tokens[at] === '*' || tokens[at] === '/' || tokens[at] === '%')) {
      const operator = tokens[at++];
      const right = power(depth);
      if (right === null || (operator !== '*' && right === 0)) return null;
      left = exact(operator === '*' ? left * right : operator === '/' ? Math.trunc(left / right) : left % right);
    }
    return left;
  }

  function power(depth: number): number | null {
    const base = operand(depth);
    if (base === null || tokens[at] !== '**') return base;
    at++;
    const exponent = depth > deepest ? null : power(depth + 1);
    return exponent === null || exponent < 0 ? null : exact(base ** exponent);
  }

  function operand(depth: number): number | null {
    const token = tokens[at++];
    if (token === undefined || depth > deepest) return null;
    if (token === '(') {
      const inner = sum(depth + 1);
      return tokens[at++] === ')' ? inner : null;
    }
    if (token === '-' || token === '+') {
      const inner = operand(depth + 1);
      return inner === null ? null : token === '-' ? -inner : inner;
    }
    const written = /^\d+$/.test(token) ? token : valueOf(token.replace(/^\$?\{?|\}$/g, ''));
    return written !== undefined && /^\s*[+-]?\d{1,16}\s*$/.test(written) ? exact(Number(written)) : null;
  }

  const result = sum(0);
  return at >= tokens.length ? result : null;
}

function exact(value: number): number | null {
  return Number.isSafeInteger(value) ? value : null;
}
