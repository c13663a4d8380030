// A signal and its word over the steps around the one that is shown, as a small picture.
import { type Element, h } from './nodes';

/** What is drawn, one below the other. */
export interface Waves {
  /** The step of the first values. */
  first: number;
  /** The one that is shown. */
  step: number;
  rows: readonly Wave[];
}

export interface Wave {
  name: string;
  /** One for each step: 0, 1 or x of a signal, a number or a name of a word. */
  values: readonly string[];
  isWord: boolean;
}

const height = 22;
const ruler = 14;
const inset = 3.5;
const slant = 3;
const letter = 7; // pixels of one, in the font of the values
const narrowest = 22; // pixels of a step

/** Draws waves. A click on a step asks for it. */
export function wavesOf({ first, step, rows }: Waves): Element {
  const steps = Math.max(0, ...rows.map(({ values }) => values.length));
  const longest = Math.max(1, ...rows.flatMap(({ values, isWord }) => (isWord ? values.map((value) => Math.min(value.length, 10)) : [])));
  const size = Math.max(narrowest, longest * letter + 2 * slant + 4);
  const [width, bottom] = [steps * size, rows.length * height + ruler];
  const columns = Array.from({ length: steps }, (_, index) => {
    const at = first + index;
    const said = rows.map(({ name, values }) => `${name} is ${values[index] ?? ''}`).join(', ');
    return h('g', { key: `step ${at}`, class: at === step ? 'column present' : 'column', 'data-step': at },
      h('rect', { x: index * size, y: 0, width: size, height: bottom }),
      h('text', { x: (index + 0.5) * size, y: bottom - 3 }, `${at}`),
      h('title', {}, `step ${at}: ${said}`));
  });
  const drawn = rows.map(({ values, isWord, name }, index) => {
    const shapes = isWord ? boxes(values, size) : [line(values, size), ...unknowns(values, size)];
    return h('g', { key: name, class: 'wave', transform: `translate(0 ${index * height})` }, ...shapes);
  });
  return h('svg', { class: 'waves', width, height: bottom, viewBox: `0 0 ${width} ${bottom}`, role: 'img', 'aria-label': rows.map((row) => spoken(row, first)).join('; ') }, ...columns, ...drawn);
}

/** The values in words: "a is 0 from step 2 on, 1 from step 4 on". */
export function spoken({ name, values }: Wave, first: number): string {
  return `${name} is ${stretches(values).map(({ from, value }) => `${value} from step ${first + from} on`).join(', ')}`;
}

interface Stretch {
  from: number;
  to: number;
  value: string;
}

/** Steps next to each other with the same value. */
export function stretches(values: readonly string[]): Stretch[] {
  const all: Stretch[] = [];
  values.forEach((value, index) => {
    const last = all.at(-1);
    if (last !== undefined && last.value === value) last.to = index + 1;
    else all.push({ from: index, to: index + 1, value });
  });
  return all;
}

function line(values: readonly string[], size: number): Element {
  let path = '';
  let before: string | undefined;
  for (const { from, to, value } of stretches(values)) {
    if (value !== '0' && value !== '1') {
      before = undefined;
      continue;
    }
    const y = value === '1' ? inset : height - inset;
    path += `${before === undefined ? 'M' : 'L'}${from * size} ${y}L${to * size} ${y}`;
    before = value;
  }
  return h('path', { key: 'line', class: 'line', d: path });
}

function unknowns(values: readonly string[], size: number): Element[] {
  return stretches(values)
    .filter(({ value }) => value !== '0' && value !== '1')
    .map(({ from, to }) => h('rect', { key: `x ${from}`, class: 'unknown', x: from * size, y: inset, width: (to - from) * size, height: height - 2 * inset }));
}

/** Of a word: its values between lines that cross where it changes. What has no room is shortened. */
function boxes(values: readonly string[], size: number): Element[] {
  return stretches(values).flatMap(({ from, to, value }) => {
    const [x, end, middle] = [from * size, to * size, height / 2];
    const fitting = Math.max(1, Math.floor((end - x - 2 * slant - 2) / letter));
    const shortened = value.length <= fitting ? value : `${value.slice(0, Math.max(1, fitting - 1))}…`;
    const points = [[x, middle], [x + slant, inset], [end - slant, inset], [end, middle], [end - slant, height - inset], [x + slant, height - inset]];
    return [
      h('path', { key: `box ${from}`, class: value.includes('x') ? 'word unknown' : 'word', d: `M${points.map((point) => point.join(' ')).join('L')}Z` }),
      h('text', { key: `value ${from}`, class: 'value', x: (x + end) / 2, y: middle + 4 }, shortened),
    ];
  });
}
