// The marks of the gutter, drawn on a grid of 16: each is told from the others
// by its shape alone, a verdict about an earlier text by broken lines.
import { Uri } from 'vscode';
import type { Mark } from './status';

const check = '<path d="M3 8.6 6.6 12.2 13.2 4.4"/>';
const cross = '<path d="M4 4 12 12M12 4 4 12"/>';
const question = '<path d="M4.8 5.8C4.8 1.9 11.2 1.9 11.2 5.6 11.2 8.2 8 7.8 8 10.4"/><circle class="dot" cx="8" cy="13.6" r="1.2"/>';
const clock = '<circle cx="8" cy="8" r="5.6"/><path d="M8 4.8V8.2L10.4 9.8"/>';
const arc = '<path d="M8 2.4A5.6 5.6 0 1 1 2.4 8"/><circle class="dot" cx="3.9" cy="4.1" r="1.2"/>';

const shapes: Record<Mark, string> = {
  proved: check,
  refuted: cross,
  unknown: question,
  staleProved: check,
  staleRefuted: cross,
  staleUnknown: question,
  queued: clock,
  running: arc,
};

type Colour = 'proved' | 'refuted' | 'unknown' | 'stale' | 'queued' | 'running';
export type Palette = Readonly<Record<Colour, string>>;

/** For each kind of theme its colours, with a contrast of at least 3 to its gutter. */
export const palettes = {
  dark: { proved: '#73c991', refuted: '#f14c4c', unknown: '#cca700', stale: '#9a9a9a', queued: '#9a9a9a', running: '#75beff' },
  light: { proved: '#2e7d32', refuted: '#d32f2f', unknown: '#9a6a00', stale: '#767676', queued: '#767676', running: '#1a6fb5' },
  highContrast: { proved: '#89ffb0', refuted: '#ff8080', unknown: '#ffe14d', stale: '#d4d4d4', queued: '#ffffff', running: '#7fd4ff' },
  highContrastLight: { proved: '#0a5c1b', refuted: '#a1000b', unknown: '#6b4700', stale: '#4d4d4d', queued: '#292929', running: '#0f4a85' },
} as const satisfies Record<string, Palette>;

export function iconOf(mark: Mark, palette: Palette): Uri {
  return Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svgOf(mark, palette)).toString('base64')}`);
}

export function svgOf(mark: Mark, palette: Palette): string {
  const stale = mark.startsWith('stale');
  const colour = palette[stale ? 'stale' : (mark as Colour)];
  const width = mark === 'queued' ? 1.5 : 2.2;
  const line = `fill="none" stroke="${colour}" stroke-width="${width}" ${stale ? 'stroke-dasharray="2.4 1.5"' : 'stroke-linecap="round" stroke-linejoin="round"'}`;
  const shape = shapes[mark].replaceAll('class="dot"', `fill="${colour}" stroke="none"`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16"><g ${line}>${shape}</g></svg>`;
}
