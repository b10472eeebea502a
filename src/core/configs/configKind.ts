import type { ConfigKindId } from '../text/frameworkLabels.js';
import type { DecoderShape } from './architectures/decoderShape.js';
import type { ModelTensors } from './architectures/tensorGroup.js';
import type { ConfigDocument } from './document/configNode.js';
import type { Fields } from './fields.js';
import type { ServingSettings } from './servingSettings.js';
import type { TrainingPlan } from './trainingPlan.js';
import type { NoHead, TrainedHead } from './trainedHead.js';

/** A config file that was parsed. */
export interface ConfigFile {
  /** Path below the folder of the config that was asked for; its name alone for that one. */
  path: string;
  name: string;
  text: string;
  document: ConfigDocument;
  fields: Fields;
}

/** One kind of config file: recognises it by what is in it, then by its name. */
export interface ConfigKind {
  id: ConfigKindId;
  match(file: ConfigFile): boolean;
  read(file: ConfigFile, access: ConfigAccess): ConfigReading | Promise<ConfigReading>;
}

/** What a config says. */
export interface ConfigReading {
  model: ModelSource | null;
  plan: TrainingPlan;
  /** Of configs that evaluate, generate or serve alone: nothing is trained and no checkpoint is written. Of the plan only the ranks are used. */
  serving?: ServingSettings | undefined;
}

/** Where the sizes of a model come from. */
export type ModelSource =
  /** A Hugging Face config, in the file itself, in one beside it, or known by heart. */
  | { kind: 'fields'; fields: Fields; origin?: ModelOrigin }
  /** Another framework's sizes. */
  | { kind: 'shape'; shape: DecoderShape; /** What it is called: "Llama", "GPT". */ name: string }
  /** A framework's own modules, where they differ from those of a shape. */
  | { kind: 'tensors'; tensors: ModelTensors; name: string }
  /** A folder or a name on the Hub; to be resolved. `key` is where the config names it. */
  | {
      kind: 'named';
      name: string;
      key: string;
      /** What the framework builds otherwise than the model's config says. */ instead?: ModelChanges;
      /** The output layer that is trained in place of the model's own. */ head?: TrainedHead | NoHead | undefined;
      /** A layer of one score a token is trained and saved beside the output layer (`v_head` of TRL). */ hasValueHead?:
        boolean | undefined;
    }
  /** Parameters that a file gives as a number. */
  | { kind: 'counted'; parameters: number; name: string };

/** Values of a `config.json` that a framework does not follow. */
export type ModelChanges = Readonly<Record<string, boolean | number | string>>;

/** Where a model's config was found when it was not in the file itself. */
export type ModelOrigin =
  | { kind: 'file'; path: string }
  | { kind: 'hub-cache'; name: string }
  /** Stowage's own table of published architectures. */
  | { kind: 'published'; name: string };

/** How a reader gets at files beside the config. Answers are kept, so that asking again costs nothing. */
export interface ConfigAccess {
  /** A config by its path relative to the file that names it; null where there is none, or none that can be read. */
  open(path: string): Promise<ConfigFile | null>;
  /** The config.json of a model in the local cache of the Hugging Face Hub. Nothing is fetched. */
  openCached(model: string): Promise<ConfigFile | null>;
  /** The text of a file that is no config, by its path; null where there is none. */
  read(path: string): Promise<FoundText | null>;
}

/** A text file that was found, and where. */
export interface FoundText {
  path: string;
  text: string;
}
