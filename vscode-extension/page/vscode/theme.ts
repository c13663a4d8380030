// The three looks of the page and their colours: those of VS Code's own themes, and those that the manifest
// contributes. They are properties of the page's root, as they are in VS Code, and go to the panels from there.
import { editor as monaco, Emitter } from 'monaco-editor/editor/editor.api.js';
import { contributes } from './contributed';
import { ColorThemeKind } from './values';

export type Look = 'dark' | 'light' | 'highContrast' | 'highContrastLight';
export const looks = { light: 'Light', dark: 'Dark', highContrast: 'High contrast dark', highContrastLight: 'High contrast light' } as const satisfies Record<Look, string>;

const kinds: Record<Look, number> = { dark: ColorThemeKind.Dark, light: ColorThemeKind.Light, highContrast: ColorThemeKind.HighContrast, highContrastLight: ColorThemeKind.HighContrastLight };
const bases: Record<Look, monaco.BuiltinTheme> = { dark: 'vs-dark', light: 'vs', highContrast: 'hc-black', highContrastLight: 'hc-light' };
const bodyClasses: Record<Look, string> = { dark: 'vscode-dark', light: 'vscode-light', highContrast: 'vscode-high-contrast', highContrastLight: 'vscode-high-contrast-light' };

/** Each colour in dark, light, high contrast and high contrast light; empty for none. */
const table: Record<string, readonly [string, string, string, string]> = {
  foreground: ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  descriptionForeground: ['#9d9d9d', '#616161', '#e0e0e0', '#292929'],
  disabledForeground: ['#868686', '#767676', '#a5a5a5', '#6b6b6b'],
  errorForeground: ['#f85149', '#c72e0f', '#ff8080', '#a1000b'],
  focusBorder: ['#0a84e0', '#005fb8', '#f38518', '#006bbd'],
  contrastBorder: ['', '', '#6fc3df', '#0f4a85'],
  contrastActiveBorder: ['', '', '#f38518', '#006bbd'],
  'icon.foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'textLink.foreground': ['#4daafc', '#005fb8', '#21a6ff', '#0f4a85'],
  'textPreformat.foreground': ['#d0d0d0', '#3b3b3b', '#ffffff', '#292929'],
  'editor.background': ['#1f1f1f', '#ffffff', '#000000', '#ffffff'],
  'editor.foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'editorLineNumber.foreground': ['#7d8590', '#6e7781', '#ffffff', '#292929'],
  'editorLineNumber.activeForeground': ['#cccccc', '#171184', '#f38518', '#006bbd'],
  'editorCodeLens.foreground': ['#999999', '#6e6e6e', '#c0c0c0', '#292929'],
  'editorInlayHint.foreground': ['#8f8f8f', '#6e6e6e', '#ffffff', '#292929'],
  'editorInlayHint.background': ['#1f1f1f00', '#ffffff00', '#00000000', '#ffffff00'],
  'editorError.foreground': ['#f14c4c', '#e51400', '#f48771', '#b5200d'],
  'editorWarning.foreground': ['#cca700', '#9a6a00', '#ffd370', '#895503'],
  'editorWidget.background': ['#202020', '#f8f8f8', '#0c141f', '#ffffff'],
  'editorWidget.border': ['#454545', '#c8c8c8', '#6fc3df', '#0f4a85'],
  'sideBar.background': ['#181818', '#f8f8f8', '#000000', '#ffffff'],
  'sideBarSectionHeader.border': ['#2b2b2b', '#e5e5e5', '#6fc3df', '#0f4a85'],
  'panel.border': ['#2b2b2b', '#e5e5e5', '#6fc3df', '#0f4a85'],
  'statusBar.background': ['#181818', '#f8f8f8', '#000000', '#ffffff'],
  'button.background': ['#0078d4', '#005fb8', '#000000', '#0f4a85'],
  'button.foreground': ['#ffffff', '#ffffff', '#ffffff', '#ffffff'],
  'button.border': ['#ffffff12', '#0000001a', '#6fc3df', '#0f4a85'],
  'button.secondaryBackground': ['#313131', '#e5e5e5', '#000000', '#ffffff'],
  'button.secondaryForeground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'button.secondaryHoverBackground': ['#3c3c3c', '#cccccc', '#1c1c1c', '#ffffff'],
  'dropdown.background': ['#313131', '#ffffff', '#000000', '#ffffff'],
  'dropdown.foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'dropdown.border': ['#3c3c3c', '#cecece', '#6fc3df', '#0f4a85'],
  'input.background': ['#313131', '#ffffff', '#000000', '#ffffff'],
  'input.foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'input.border': ['#3c3c3c', '#cecece', '#6fc3df', '#0f4a85'],
  'input.placeholderForeground': ['#989898', '#767676', '#c0c0c0', '#4d4d4d'],
  'inputOption.activeBackground': ['#2489db82', '#bed6ed', '#00000000', '#00000000'],
  'inputOption.activeForeground': ['#ffffff', '#000000', '#ffffff', '#292929'],
  'inputOption.activeBorder': ['#2488db', '#005fb8', '#f38518', '#006bbd'],
  'inputValidation.warningBackground': ['#352a05', '#f6f5d2', '#000000', '#ffffff'],
  'inputValidation.warningBorder': ['#b89500', '#b89500', '#6fc3df', '#0f4a85'],
  'inputValidation.warningForeground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'inputValidation.errorBorder': ['#be1100', '#be1100', '#6fc3df', '#0f4a85'],
  'checkbox.background': ['#313131', '#f8f8f8', '#000000', '#ffffff'],
  'checkbox.border': ['#3c3c3c', '#cecece', '#6fc3df', '#0f4a85'],
  'checkbox.foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'list.hoverBackground': ['#2a2d2e', '#f2f2f2', '#ffffff1a', '#0f4a851a'],
  'list.activeSelectionBackground': ['#04395e', '#e8e8e8', '#00000000', '#0f4a851a'],
  'list.activeSelectionForeground': ['#ffffff', '#000000', '#ffffff', '#292929'],
  'list.inactiveSelectionBackground': ['#37373d', '#e4e6f1', '#00000000', '#0f4a851a'],
  'menu.background': ['#1f1f1f', '#ffffff', '#000000', '#ffffff'],
  'menu.foreground': ['#cccccc', '#3b3b3b', '#ffffff', '#292929'],
  'menu.border': ['#454545', '#cecece', '#6fc3df', '#0f4a85'],
  'toolbar.hoverBackground': ['#5a5d5e50', '#b8b8b850', '#00000000', '#00000000'],
  'sash.hoverBorder': ['#0a84e0', '#005fb8', '#f38518', '#006bbd'],
  'widget.border': ['#313131', '#e5e5e5', '#6fc3df', '#0f4a85'],
  'widget.shadow': ['#0000005c', '#00000029', '', ''],
  'charts.blue': ['#3794ff', '#1a85ff', '#3794ff', '#0f4a85'],
  'charts.orange': ['#d18616', '#b5650b', '#ffb454', '#895503'],
  'charts.purple': ['#b180d7', '#652d90', '#d9a6f4', '#652d90'],
  'testing.iconPassed': ['#73c991', '#2e7d32', '#89ffb0', '#0a5c1b'],
  'testing.iconFailed': ['#f14c4c', '#d32f2f', '#ff8080', '#a1000b'],
};

const order = { dark: 0, light: 1, highContrast: 2, highContrastLight: 3 } as const;

/** Colours of what the server tells apart, where Monaco has no rule of its own. */
const tokens: Record<string, readonly [string, string, string, string]> = {
  input: ['9cdcfe', '001080', '9cdcfe', '001080'],
  latch: ['4fc1ff', '0070c1', '4fc1ff', '02715d'],
  and: ['dcdcaa', '795e26', 'dcdcaa', '5e2cbc'],
  constant: ['569cd6', '0000ff', '569cd6', '0f4a85'],
  property: ['c586c0', 'af00db', 'd9a6f4', 'b5200d'],
  header: ['b5cea8', '098658', 'b5cea8', '096d48'],
  model: ['4ec9b0', '267f99', '4ec9b0', '185e73'],
  predicate: ['4ec9b0', '267f99', '4ec9b0', '185e73'],
  undefined: ['f44747', 'cd3131', 'ff8080', 'b5200d'],
};

export function colours(look: Look): Record<string, string> {
  const known = Object.entries(table).map(([id, values]) => [id, values[order[look]]] as const);
  const own = contributes.colors.map(({ id, defaults }) => [id, defaults[look]] as const);
  return Object.fromEntries([...known, ...own].filter(([, value]) => value !== ''));
}

const changes = new Emitter<{ kind: number }>();
export const onDidChangeActiveColorTheme = changes.event;

let look: Look = 'dark';
export const activeColorTheme = (): { kind: number } => ({ kind: kinds[look] });
export const isDark = (): boolean => look === 'dark' || look === 'highContrast';

/** What a panel is told of the look. */
export interface PanelLook {
  bodyClass: string;
  variables: Record<string, string>;
}

export function panelLook(): PanelLook {
  return { bodyClass: bodyClasses[look], variables: variables(look) };
}

function variables(of: Look): Record<string, string> {
  const fonts = { 'font-family': 'system-ui, "Segoe UI", Ubuntu, sans-serif', 'font-size': '13px', 'font-weight': 'normal', 'editor-font-family': 'ui-monospace, "SF Mono", Consolas, "DejaVu Sans Mono", monospace', 'editor-font-size': '14px' };
  const named = Object.entries(colours(of)).map(([id, value]) => [id.replaceAll('.', '-'), value]);
  const scheme = of === 'dark' || of === 'highContrast' ? 'dark' : 'light';
  return { 'color-scheme': scheme, ...Object.fromEntries([...Object.entries(fonts), ...named].map(([name, value]) => [`--vscode-${name}`, value!])) };
}

export function setLook(to: Look): void {
  look = to;
  monaco.defineTheme(`aiglens-${to}`, {
    base: bases[to],
    inherit: true,
    rules: Object.entries(tokens).map(([token, values]) => ({ token, foreground: values[order[to]] })),
    colors: colours(to),
  });
  monaco.setTheme(`aiglens-${to}`);
  const root = document.documentElement;
  root.removeAttribute('style');
  for (const [name, value] of Object.entries(variables(to))) root.style.setProperty(name, value);
  document.body.className = bodyClasses[to];
  changes.fire(activeColorTheme());
}

/** The look that the system asks for. */
export function systemLook(): Look {
  const isLight = matchMedia('(prefers-color-scheme: light)').matches;
  if (matchMedia('(prefers-contrast: more), (forced-colors: active)').matches) return isLight ? 'highContrastLight' : 'highContrast';
  return isLight ? 'light' : 'dark';
}

export function onSystemChange(changed: () => void): void {
  for (const query of ['(prefers-color-scheme: light)', '(prefers-contrast: more)', '(forced-colors: active)']) matchMedia(query).addEventListener('change', changed);
}
