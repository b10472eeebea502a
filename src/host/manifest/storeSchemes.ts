/** Schemes of stores whose names have capitals: all of the address is in the path, as an editor writes authorities in small letters. */
export const storeSchemes = ['hf', 's3', 'gs', 'az', 'abfs'] as const;
