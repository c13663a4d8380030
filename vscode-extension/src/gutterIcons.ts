// The marks of the gutter, drawn on a grid of 16: each differs from the others
// by its shape alone, a verdict about an earlier text by its broken ring.
import { Uri } from 'vscode';
import type { Mark } from './status';

const ring = '<circle cx="8" cy="8" r="6.3"/>';
const check = `${ring}<path d="M5 8.3 7.2 10.5 11.2 5.7"/>`;
const cross = `${ring}<path d="M5.6 5.6 10.4 10.4M10.4 5.6 5.6 10.4"/>`;
const question = `${ring}<path d="M6 6.3C6 3.9 10 3.9 10 6.3 10 7.9 8 7.7 8 9.3"/><circle class="dot" cx="8" cy="11.5" r=".9"/>`;
const clock = `${ring}<path d="M8 4.6V8.2L10.2 9.8"/>`;
const arc = '<path d="M8 1.7A6.3 6.3 0 1 1 1.7 8"/><circle class="dot" cx="8" cy="8" r="1.6"/>';

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
  return Uri.parse(`data:image/svg+xml;base64,${btoa(svgOf(mark, palette))}`);
}

export function svgOf(mark: Mark, palette: Palette): string {
  const stale = mark.startsWith('stale');
  const colour = palette[stale ? 'stale' : (mark as Colour)];
  const line = `fill="none" stroke="${colour}" stroke-width="${mark === 'running' ? 1.8 : 1.3}" stroke-linecap="round" stroke-linejoin="round"`;
  const dots = shapes[mark].replaceAll('class="dot"', `fill="${colour}" stroke="none"`);
  const shape = stale ? dots.replace(ring, ring.replace('/>', ' stroke-dasharray="1.6 2.4"/>')) : dots;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16"><g ${line}>${shape}</g></svg>`;
}
