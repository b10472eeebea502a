/** What @vscode-elements/elements needs of a page, and happy-dom's documents do not have. Imported for that by each test that renders them. */

// Buttons and fields take part in forms by their internals; there are no forms here.
HTMLElement.prototype.attachInternals ??= () => ({ setFormValue() {}, setValidity() {} }) as unknown as ElementInternals;

// Icons look for the style sheet of their font.
const icons = document.createElement('link');
icons.id = 'vscode-codicon-stylesheet';
document.head.append(icons);
