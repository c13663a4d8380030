import { ColorThemeKind, window } from 'vscode';

export function isHighContrast(): boolean {
  const { kind } = window.activeColorTheme;
  return kind === ColorThemeKind.HighContrast || kind === ColorThemeKind.HighContrastLight;
}
