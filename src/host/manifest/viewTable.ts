import { hasLookedForRuns } from './contextKeys.js';

/** Views of the side bar, one row each: the manifest follows from it by `npm run generate`. */
export const viewIds = { checkpoints: 'stowage.checkpoints' } as const;

/** The place of the views in the activity bar. */
export const viewContainer = { id: 'stowage', title: 'Stowage', icon: 'media/activity.svg' } as const;

interface ViewRow {
  readonly name: string;
  /** What is said while a view has no lines, the first whose condition holds. Links are commands. */
  readonly welcome: readonly { readonly text: string; readonly when: string }[];
}

/** The rows by the name of the view; its id is `stowage.<name>`. */
export const viewTable: Readonly<Record<keyof typeof viewIds, ViewRow>> = {
  checkpoints: {
    name: 'Checkpoints',
    welcome: [
      {
        text: 'Open a folder with training runs to see their checkpoints here.\n[Open Folder](command:vscode.openFolder)',
        when: 'workbenchState == empty',
      },
      {
        text: 'The runs of this workspace, with the size, the age and the state of each checkpoint. Names, sizes and times of files are read; no file is opened.\n[Look for Checkpoints](command:stowage.findRuns)',
        when: `workbenchState != empty && !${hasLookedForRuns}`,
      },
      {
        text: 'No checkpoints of a run were found in this workspace.\n[Look Again](command:stowage.findRuns)',
        when: `workbenchState != empty && ${hasLookedForRuns}`,
      },
    ],
  },
};
