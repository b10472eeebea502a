/** Names of one or several types of models in files. */
export interface StoredNames {
  modelTypes: readonly string[];
  /**
   * Parts of names, the longest first: as this project's architectures have them, and as files do. `N` is a number. Several of the former
   * with one of the latter lie one after the other in it; several of the latter, with `|` between them, are put together on load.
   */
  names: readonly (readonly [string, string])[];
}
