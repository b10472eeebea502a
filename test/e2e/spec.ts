import type { Workbench } from './workbench.js';

export interface SpecContext {
  workbench: Workbench;
  /** Folder of the workspace, a copy of samples/ that may be changed. */
  workspace: string;
  keepPicture(name: string): Promise<void>;
  /** Shows the window in one of VS Code's own themes. */
  setTheme(theme: string): Promise<void>;
}

/** What a person does in the window, from opening it to what they see. */
export interface Spec {
  name: string;
  run(context: SpecContext): Promise<void>;
}
