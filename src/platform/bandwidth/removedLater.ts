/** Of what could not be removed, and whose marker stays with it. */
export const removedLater = 'the next check there offers to remove it (--remove-left)';
