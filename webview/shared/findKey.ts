/** `/` outside of inputs, and Ctrl+F: the keys that lead to the search of a table. */
export function isFindKey(event: KeyboardEvent): boolean {
  const hasCommand = event.ctrlKey || event.metaKey;
  if (hasCommand) return !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'f';
  const isTyping = event.composedPath().some((target) => target instanceof HTMLInputElement);
  return event.key === '/' && !isTyping && !event.altKey;
}
