/** Sentences that several findings share. */

export const loadFails = 'Loading this file fails, or gives wrong values.';
export const saveAgain = 'Copy it again from where it was saved, or use the checkpoint before this one.';
