/// <reference lib="dom" />
// Draws waves, ruler, cursor and marks on a canvas: only the rows and steps that
// are in view.
import type { PageSignal } from '../messages';
import type { Bus } from './buses';
import { isHeading, type Row, type Window } from './model';
import { labelOf, type Rounds } from './rounds';
import { labelInterval, shortened, stretches } from './waves';

export const rowHeight = 22;
export const rulerHeight = 32;

export interface Theme {
  background: string;
  text: string;
  faint: string;
  line: string;
  grid: string;
  wave: string;
  fill: string;
  unknown: string;
  cursor: string;
  cursorFill: string;
  tag: string;
  tagText: string;
  failure: string;
  loop: string;
  loopLine: string;
  error: string;
  marker: string;
  selected: string;
  font: string;
}

export interface Picture {
  width: number;
  height: number;
  /** Of the canvas, in steps × stepWidth and rows × rowHeight. */
  left: number;
  top: number;
  stepWidth: number;
  steps: number;
  /** Of a loop; a run that ends fails in its last step. */
  rounds: Rounds | undefined;
  step: number;
  markers: readonly number[];
  rows: readonly Row[];
  /** The first row does not scroll. */
  pinned: boolean;
  selected: number;
  signals: readonly PageSignal[];
  changes(of: number | Bus): Int32Array;
  busAt(bus: Bus, step: number): string;
  /** Whether a bit of a word is not known. */
  isOpen(bus: Bus, step: number): boolean;
}

export function draw(context: CanvasRenderingContext2D, picture: Picture, theme: Theme, rows: Window, steps: Window): void {
  const { width, height, stepWidth, left } = picture;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, width, height);
  const column = (step: number, fill: string) => {
    context.fillStyle = fill;
    context.fillRect(step * stepWidth - left, 0, Math.max(stepWidth, 1), height);
  };
  context.font = theme.font;
  context.textBaseline = 'middle';
  if (picture.rounds === undefined) column(picture.steps - 1, theme.failure);
  else drawLoop(context, picture, picture.rounds, theme);
  drawGrid(context, picture, theme, steps);
  const head = rulerHeight + (picture.pinned ? rowHeight : 0);
  context.save();
  context.beginPath();
  context.rect(0, head, width, height - head);
  context.clip();
  for (let row = rows.first; row < rows.last; row++) drawRow(context, picture, theme, row, rulerHeight + row * rowHeight - picture.top, steps);
  context.restore();
  if (picture.pinned) {
    drawRow(context, picture, theme, 0, rulerHeight, steps);
    context.fillStyle = theme.line;
    context.fillRect(0, head - 1, width, 1);
  }
  drawRuler(context, picture, theme, steps);
  if (picture.rounds !== undefined) drawRounds(context, picture, picture.rounds, theme);
  drawMarkers(context, picture, theme);
  drawCursor(context, picture, theme);
}

/** A band over the loop, in which every other round is stronger. */
function drawLoop(context: CanvasRenderingContext2D, { stepWidth, left, width, height }: Picture, { first, length, count }: Rounds, theme: Theme): void {
  const size = length * stepWidth;
  const round = Math.max(Math.floor((left / stepWidth - first) / length), 0);
  for (let one = round; one < count; one++) {
    const x = first * stepWidth + one * size - left;
    if (x > width) break;
    context.fillStyle = theme.loop;
    for (let strength = 0; strength < 1 + (one % 2); strength++) context.fillRect(x, rulerHeight, size, height - rulerHeight);
    context.fillStyle = theme.loopLine;
    context.fillRect(Math.round(x), rulerHeight, 1, height - rulerHeight);
  }
}

/** Where rounds begin, over the numbers of their steps. */
function drawRounds(context: CanvasRenderingContext2D, { stepWidth, left, width }: Picture, { first, length, count }: Rounds, theme: Theme): void {
  const size = length * stepWidth;
  const round = Math.max(Math.floor((left / stepWidth - first) / length), 0);
  context.textAlign = 'left';
  for (let one = round; one < count; one++) {
    const x = Math.round(first * stepWidth + one * size - left);
    if (x > width) break;
    context.fillStyle = theme.loopLine;
    context.fillRect(x, 0, Math.max(size - 2, 1), 2);
    context.fillRect(x, 0, 1, rulerHeight);
    const text = [`↻ round ${one + 1}`, `↻ ${one + 1}`].find((words) => context.measureText(words).width + 8 < size);
    if (text === undefined) continue;
    context.fillStyle = theme.text;
    context.fillText(text, Math.max(x, 0) + 5, rulerHeight / 4 + 2);
  }
}

function drawGrid(context: CanvasRenderingContext2D, { stepWidth, left, height }: Picture, theme: Theme, steps: Window): void {
  const interval = labelInterval(stepWidth, 24);
  context.beginPath();
  for (let step = Math.ceil(steps.first / interval) * interval; step <= steps.last; step += interval) {
    const x = Math.round(step * stepWidth - left) + 0.5;
    context.moveTo(x, rulerHeight);
    context.lineTo(x, height);
  }
  context.strokeStyle = theme.grid;
  context.lineWidth = 1;
  context.stroke();
}

function drawRow(context: CanvasRenderingContext2D, picture: Picture, theme: Theme, index: number, y: number, steps: Window): void {
  const row = picture.rows[index]!;
  if (isHeading(row)) {
    context.fillStyle = theme.line;
    context.fillRect(0, y + rowHeight - 1, picture.width, 1);
    return;
  }
  if (index === picture.selected) {
    context.fillStyle = theme.selected;
    context.fillRect(0, y, picture.width, rowHeight);
  }
  if (row.kind === 'bus') drawBus(context, picture, theme, row.bus, y, steps);
  else drawWave(context, picture, theme, row.signal, y, steps);
}

const slant = 3; // pixels in which the lines of a word cross

/** Draws a word: two lines that cross where it changes, with the values between them. */
function drawBus(context: CanvasRenderingContext2D, picture: Picture, theme: Theme, bus: Bus, y: number, steps: Window): void {
  const { stepWidth, left, width, signals } = picture;
  const high = Math.round(y + 4) + 0.5;
  const low = Math.round(y + rowHeight - 4) + 0.5;
  const middle = (high + low) / 2;
  context.globalAlpha = bus.bits.some((bit) => signals[bit]!.inText) ? 1 : 0.5;
  context.strokeStyle = theme.wave;
  context.lineWidth = 1.5;
  context.textAlign = 'center';
  for (const { from, to, dense } of stretches(picture.changes(bus), steps.first, steps.last, 3 / stepWidth)) {
    const x = from * stepWidth - left;
    const end = to * stepWidth - left;
    if (dense) {
      context.fillStyle = theme.wave;
      context.fillRect(x, high, Math.max(end - x, 1), low - high);
      continue;
    }
    const text = picture.busAt(bus, from);
    const tip = Math.min(slant, (end - x) / 2);
    context.beginPath();
    context.moveTo(x, middle);
    for (const [px, py] of [[x + tip, high], [end - tip, high], [end, middle], [end - tip, low], [x + tip, low]] as const) context.lineTo(px, py);
    context.closePath();
    context.fillStyle = picture.isOpen(bus, from) ? theme.unknown : theme.fill;
    context.fill();
    context.stroke();
    const shownFrom = Math.max(x, 0);
    const shownTo = Math.min(end, width);
    context.fillStyle = theme.text;
    context.fillText(shortened(text, shownTo - shownFrom - 2 * slant - 2, (one) => context.measureText(one).width), (shownFrom + shownTo) / 2, middle);
  }
  context.globalAlpha = 1;
}

function drawWave(context: CanvasRenderingContext2D, picture: Picture, theme: Theme, signal: number, y: number, steps: Window): void {
  const { stepWidth, left, signals } = picture;
  const { values, inText, error } = signals[signal]!;
  if (error !== undefined) {
    context.fillStyle = theme.error;
    context.textAlign = 'left';
    context.fillText(error, 8, y + rowHeight / 2);
    return;
  }
  const high = Math.round(y + 5) + 0.5;
  const low = Math.round(y + rowHeight - 5) + 0.5;
  context.globalAlpha = inText ? 1 : 0.5;
  context.strokeStyle = theme.wave;
  context.lineWidth = 1.5;
  context.beginPath();
  let before: number | undefined;
  for (const { from, to, dense } of stretches(picture.changes(signal), steps.first, steps.last, 3 / stepWidth)) {
    const x = from * stepWidth - left;
    const end = to * stepWidth - left;
    const value = values[from];
    if (dense || value === 'x') {
      context.fillStyle = dense ? theme.wave : theme.unknown;
      context.fillRect(x, high, Math.max(end - x, 1), low - high);
      before = undefined;
      continue;
    }
    const level = value === '1' ? high : low;
    if (value === '1') {
      context.fillStyle = theme.fill;
      context.fillRect(x, high, end - x, low - high);
    }
    context.moveTo(x, before ?? level);
    if (before !== undefined && before !== level) context.lineTo(x, level);
    context.lineTo(end, level);
    before = level;
  }
  context.stroke();
  context.globalAlpha = 1;
}

function drawRuler(context: CanvasRenderingContext2D, picture: Picture, theme: Theme, steps: Window): void {
  const { stepWidth, left, width } = picture;
  context.fillStyle = theme.background;
  context.fillRect(0, 0, width, rulerHeight);
  context.fillStyle = theme.line;
  context.fillRect(0, rulerHeight - 1, width, 1);
  context.textAlign = 'center';
  const interval = labelInterval(stepWidth, 14 + 8 * String(picture.steps).length);
  for (let step = Math.floor(steps.first / interval) * interval; step < steps.last; step += interval) {
    context.fillStyle = theme.faint;
    context.fillText(labelOf(picture.rounds, step), (step + 0.5) * stepWidth - left, labelHeight(picture.rounds));
  }
}

/** The middle of the numbers of steps, which leave room for the rounds above them. */
function labelHeight(rounds: Rounds | undefined): number {
  return rounds === undefined ? rulerHeight / 2 : (rulerHeight * 3) / 4 - 2;
}

/** The number of a step in the ruler, on a ground that covers what is below. */
function tag(context: CanvasRenderingContext2D, { rounds, width }: Picture, step: number, x: number, ground: string, ink: string): void {
  const text = labelOf(rounds, step);
  const middle = labelHeight(rounds);
  const size = context.measureText(text).width + 10;
  const half = Math.min(10, rulerHeight - 2 - middle);
  const from = Math.min(Math.max(x - size / 2, 0), width - size);
  context.fillStyle = ground;
  context.fillRect(from, middle - half, size, 2 * half);
  context.fillStyle = ink;
  context.textAlign = 'center';
  context.fillText(text, from + size / 2, middle);
}

function drawMarkers(context: CanvasRenderingContext2D, picture: Picture, theme: Theme): void {
  const { markers, stepWidth, left, width, height } = picture;
  for (const step of markers) {
    const x = Math.round((step + 0.5) * stepWidth - left) + 0.5;
    if (x < 0 || x > width) continue;
    context.strokeStyle = theme.marker;
    context.lineWidth = 1;
    context.setLineDash([4, 3]);
    context.beginPath();
    context.moveTo(x, rulerHeight);
    context.lineTo(x, height);
    context.stroke();
    context.setLineDash([]);
    tag(context, picture, step, x, theme.marker, theme.background);
  }
}

function drawCursor(context: CanvasRenderingContext2D, picture: Picture, theme: Theme): void {
  const { step, stepWidth, left, width, height } = picture;
  const x = step * stepWidth - left;
  if (x + stepWidth < 0 || x > width) return;
  context.fillStyle = theme.cursorFill;
  context.fillRect(x, rulerHeight, Math.max(stepWidth, 1), height - rulerHeight);
  context.strokeStyle = theme.cursor;
  context.lineWidth = 1;
  const right = Math.max(stepWidth, 2);
  context.strokeRect(Math.round(x) + 0.5, rulerHeight - 0.5, Math.round(right) - 1, height);
  tag(context, picture, step, x + stepWidth / 2, theme.tag, theme.tagText);
}
