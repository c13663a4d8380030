/// <reference lib="dom" />
// The keys of the page.
import type { FromPage, PlayMove } from '../messages';
import type { Target } from './model';
import type { State } from './state';

/** What keys do. */
export interface Page {
  readonly state: State;
  readonly filter: HTMLInputElement;
  readonly pageOfRows: number;
  moveTo(step: number): void;
  selectRow(row: number): void;
  /** Opens or closes a group, an instance or a word. */
  unfold(row: number): void;
  turnRadix(): void;
  /** The same for the selected word alone; not in a comparison, whose words are those of two texts. */
  turnWordRadix(): void;
  /** Goes to the text of a signal, or to the field where an expression is changed. */
  enter(signal: number | undefined): void;
  typeExpression(instead?: string): void;
  /** Opens the list of signals to choose from. */
  chooseSignals(): void;
  search(direction: 1 | -1, target?: Target): void;
  mark(): void;
  /** Shows a loop once more. */
  oneMoreRound(): void;
  zoom(factor: number | undefined): void;
  why(): void;
  /** Gives the selected signal its other value at the cursor. */
  flip(): void;
  play(move: PlayMove): void;
  toggle(what: 'hideUnchanged' | 'hideIrrelevant' | 'asTable'): void;
  send(message: FromPage): void;
}

export function listenToKeys(page: Page, view: HTMLElement): void {
  view.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { state } = page;
    const run = {
      ArrowLeft: () => page.moveTo(state.step - (event.shiftKey ? 10 : 1)),
      ArrowRight: () => page.moveTo(state.step + (event.shiftKey ? 10 : 1)),
      ArrowUp: () => page.selectRow(state.selected - 1),
      ArrowDown: () => page.selectRow(state.selected + 1),
      PageUp: () => page.selectRow(state.selected - page.pageOfRows),
      PageDown: () => page.selectRow(state.selected + page.pageOfRows),
      Home: () => page.moveTo(0),
      End: () => page.moveTo(state.trace.steps - 1),
      Enter: () => (state.rows[state.selected]?.kind === 'signal' ? page.enter(state.selectedSignal) : page.unfold(state.selected)),
      ' ': () => (state.canFlip ? page.flip() : page.unfold(state.selected)),
      r: () => page.turnRadix(),
      ...(state.trace.compared === true ? {} : { R: () => page.turnWordRadix() }),
      n: () => page.search(1),
      p: () => page.search(-1),
      m: () => page.mark(),
      l: () => page.oneMoreRound(),
      ']': () => page.moveTo(state.markers.next(state.step, 1) ?? state.step),
      '[': () => page.moveTo(state.markers.next(state.step, -1) ?? state.step),
      '+': () => page.zoom(1.5),
      '=': () => page.zoom(1.5),
      '-': () => page.zoom(1 / 1.5),
      '0': () => page.zoom(undefined),
      w: () => page.why(),
      f: () => page.flip(),
      s: () => page.play('add'),
      x: () => page.play('random'),
      u: () => page.play('until'),
      Delete: () => remove(page),
    }[event.key];
    if (run === undefined) return;
    event.preventDefault();
    run();
  });
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key === 'Escape' && event.target === page.filter) {
      page.filter.value = '';
      page.filter.dispatchEvent(new Event('input'));
      view.focus({ preventScroll: true });
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/') {
      event.preventDefault();
      page.filter.focus();
      page.filter.select();
    } else if (event.key === 'e') {
      event.preventDefault();
      page.typeExpression();
    } else if (event.key === 'c') {
      event.preventDefault();
      page.chooseSignals();
    } else if (event.key === 't') {
      page.toggle('asTable');
    }
  });
}

function remove(page: Page): void {
  const signal = page.state.selectedSignal;
  const group = signal === undefined ? undefined : page.state.trace.signals[signal]?.group;
  if (signal !== undefined && (group === 'gates' || group === 'expressions')) page.send({ type: 'remove', signal });
}
