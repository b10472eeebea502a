/** Sentences that several findings share. */

export const loadFails = 'Loading the file fails or returns wrong values.';
export const saveAgain = 'Copy the file again from the source, or use the previous checkpoint.';
export const truncationCauses = 'Common causes are a full disk and a killed process.';
