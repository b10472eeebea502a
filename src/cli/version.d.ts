/** The version in package.json, put in by the build. */
declare const STOWAGE_VERSION: string;
