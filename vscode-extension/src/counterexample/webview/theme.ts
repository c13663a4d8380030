/// <reference lib="dom" />
// The colours of VS Code's theme, as panel.css picks them, for the canvas.
import type { Theme } from './draw';

export function readTheme(): Theme {
  const style = getComputedStyle(document.body);
  // A property is text until something uses it; a canvas needs the colour.
  const probe = document.createElement('span');
  document.body.append(probe);
  const colour = (name: string): string => {
    probe.style.color = 'transparent';
    probe.style.color = `var(--wave${name})`;
    return getComputedStyle(probe).color;
  };
  const theme: Theme = {
    background: colour('-ground'),
    text: colour('-text'),
    faint: colour('-faint'),
    line: colour('-line'),
    grid: colour('-grid'),
    wave: colour(''),
    fill: colour('-fill'),
    unknown: colour('-unknown'),
    cursor: colour('-cursor'),
    cursorFill: colour('-cursor-fill'),
    tag: colour('-tag'),
    tagText: colour('-tag-text'),
    failure: colour('-failure'),
    loop: colour('-loop'),
    loopLine: colour('-loop-line'),
    error: colour('-error'),
    marker: colour('-marker'),
    selected: colour('-selected'),
    font: `${style.fontSize} ${style.fontFamily}`,
  };
  probe.remove();
  return theme;
}

/** Calls back after another theme was chosen. */
export function onThemeChange(changed: () => void): void {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
  matchMedia('(forced-colors: active)').addEventListener('change', changed);
}
