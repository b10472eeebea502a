import type { WindowTheme, Workbench } from './workbench.js';

export interface SpecContext {
  workbench: Workbench;
  /** Where the extension looks for the Hub: a spec may listen there. */
  hubPort: number;
  /** Folder of the workspace, a copy of samples/. Only a spec with a window of its own may change it. */
  workspace: string;
  /** Keeps a picture for people to look at, where pictures are asked for; of a part of the window, or all of it. Only in specs that are marked so. */
  keepPicture(name: string, part?: PicturePart): Promise<void>;
  /** Shows the window in one of VS Code's own themes. */
  setTheme(theme: WindowTheme): Promise<void>;
}

/** A part of the window, in pixels. */
export interface PicturePart {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What a person does in the window, from opening it to what they see. */
export interface Spec {
  name: string;
  /** Set where files of the workspace are changed. Other specs share a window, which has no editors when they begin. */
  needs?: 'own window';
  /** 'only': takes pictures and asserts nothing of its own, so that it runs where pictures are asked for. 'also': does both. */
  pictures?: 'only' | 'also';
  run(context: SpecContext): Promise<void>;
}
