import type { ReactiveController, ReactiveElement } from 'lit';
import { DataGrid } from './dataGrid.js';

/** What the context menu of rows is told; the manifest's conditions name `webviewSection`. */
const rowContext = JSON.stringify({ webviewSection: 'stowageTableRow', preventDefaultContextMenuItems: true });

/**
 * Gives rows of tables a context menu of their own. VS Code reads the context of a menu from the element that an event seems to come from,
 * which is the panel's own, as tables are in shadow roots: the panel says it for them before VS Code looks.
 */
export class TableMenu implements ReactiveController {
  /** In which the menu was opened. */
  table: DataGrid | null = null;

  constructor(private readonly panel: ReactiveElement) {
    panel.addController(this);
  }

  hostConnected(): void {
    this.panel.addEventListener('contextmenu', this.onMenu, { capture: true });
  }

  hostDisconnected(): void {
    this.panel.removeEventListener('contextmenu', this.onMenu, { capture: true });
  }

  private readonly onMenu = (event: MouseEvent): void => {
    const path = event.composedPath();
    const table = path.find((target): target is DataGrid => target instanceof DataGrid);
    if (table?.activateAt(path) === true) {
      this.table = table;
      this.panel.dataset['vscodeContext'] = rowContext;
    } else delete this.panel.dataset['vscodeContext'];
  };
}
