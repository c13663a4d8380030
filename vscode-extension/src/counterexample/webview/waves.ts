// The shape of a wave within a window of steps: stretches of one value, and
// where changes stand closer than can be drawn, stretches of many.

/** The steps at which a value differs from the one before. */
export function changesOf(values: string): Int32Array {
  let count = 0;
  for (let step = 1; step < values.length; step++) if (values.charCodeAt(step) !== values.charCodeAt(step - 1)) count++;
  const changes = new Int32Array(count);
  let next = 0;
  for (let step = 1; step < values.length; step++) {
    if (values.charCodeAt(step) !== values.charCodeAt(step - 1)) changes[next++] = step;
  }
  return changes;
}

/** The index of the first change at a step or after it. */
export function changeAt(changes: Int32Array, step: number): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (changes[middle]! < step) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** From a step to before another; dense where the value changes within. */
export interface Stretch {
  from: number;
  to: number;
  dense: boolean;
}

/**
 * The stretches between two steps. Those shorter than `least` steps come together
 * as dense ones, so that their number is bounded by what there is room for and not
 * by the number of changes.
 */
export function stretches(changes: Int32Array, first: number, last: number, least: number): Stretch[] {
  const all: Stretch[] = [];
  let from = first;
  while (from < last) {
    const next = changeAt(changes, from + 1);
    let to = Math.min(changes[next] ?? last, last);
    let dense = false;
    if (to - from < least && to < last) {
      dense = true;
      const after = changeAt(changes, Math.floor(from + least) + 1);
      to = Math.max(to, Math.min(changes[after - 1] ?? last, last));
    }
    const before = all.at(-1);
    if (dense && before?.dense === true) before.to = to;
    else all.push({ from, to, dense });
    from = to;
  }
  return all;
}

/** A round number of steps, so that labels of this width do not touch. */
export function labelInterval(stepWidth: number, labelWidth: number): number {
  for (let power = 1; ; power *= 10) {
    for (const factor of [1, 2, 5]) if (power * factor * stepWidth >= labelWidth) return power * factor;
  }
}

/** As much of a text as there is room for, with a sign where something is missing, so that no part is taken for the whole; never nothing. */
export function shortened(text: string, room: number, widthOf: (text: string) => number): string {
  if (widthOf(text) <= room) return text;
  const characters = [...text];
  let kept = Math.min(characters.length - 1, Math.floor((room / widthOf(text)) * characters.length));
  while (kept > 0 && widthOf(`${characters.slice(0, kept).join('')}…`) > room) kept--;
  if (kept > 0) return `${characters.slice(0, kept).join('')}…`;
  return widthOf('…') <= room ? '…' : '·';
}
