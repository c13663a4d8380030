/// <reference lib="dom" />
// The list of signals to choose from: a column beside the waves, or over them where there is little room.
// A box shows or hides a signal, a word or all of a scope.
import { h } from '../../circuit/webview/nodes';
import { patch } from '../../circuit/webview/patch';
import { moveOf, rowsOf, treeOf } from '../../circuit/webview/tree';
import { type Choosable, choosables, entriesOf, found, signalsOf, turned } from './choice';
import type { State } from './state';

/** The most signals with which all scopes are open at first. */
const fewSignals = 200;

export interface ChooserListener {
  /** The user wants these signals hidden, and all others shown. */
  hide(names: ReadonlySet<string>): void;
  /** It was opened or closed. */
  opened(isOpen: boolean): void;
  /** The keyboard is to go to the waves. */
  leave(): void;
}

export class Chooser {
  private readonly field: HTMLInputElement;
  private readonly list: HTMLElement;
  /** The scopes that the user has folded, and with false those that were opened. */
  private readonly folded = new Map<string, boolean>();
  /** The entry that Tab leads to. */
  private current: string | undefined;
  private all: readonly Choosable[] = [];
  private hidden: ReadonlySet<string> = new Set();
  /** What all was made of. */
  private of: unknown;

  constructor(
    private readonly column: HTMLElement,
    private readonly button: HTMLElement,
    private readonly listener: ChooserListener,
  ) {
    const within = <Kind extends HTMLElement>(selector: string) => column.querySelector<Kind>(selector)!;
    this.field = within('#choose');
    this.list = within('#choices');
    button.addEventListener('click', () => (column.hidden ? this.open(true) : this.close()));
    this.field.addEventListener('input', () => this.redraw());
    within('#choose-all').addEventListener('click', () => this.showAll(true));
    within('#choose-none').addEventListener('click', () => this.showAll(false));
    this.list.addEventListener('click', ({ target }) => target instanceof Element && this.click(target));
    this.list.addEventListener('focusin', ({ target }) => {
      const key = (target as HTMLElement).dataset['key'];
      if (key === undefined || key === this.current) return;
      this.current = key;
      this.redraw();
    });
    column.addEventListener('keydown', (event) => this.press(event));
    document.addEventListener('pointerdown', ({ target }) => {
      if (this.isOver && target instanceof Node && !column.contains(target) && !button.contains(target)) this.close();
    });
  }

  /** Draws the signals of a trace, where they are to be seen. */
  draw(state: State): void {
    this.hidden = state.hidden;
    if (this.of !== state.trace) {
      this.of = state.trace;
      this.all = choosables(state.trace.signals, state.words);
    }
    const count = [...signalsOf(this.all)].filter((name) => this.hidden.has(name)).length;
    this.button.dataset['hidden'] = count === 0 ? '' : String(count);
    this.button.setAttribute('aria-label', count === 0 ? 'Signals' : `Signals, ${count} hidden`);
    if (state.choosing && this.column.hidden && !this.isOver) this.open(false);
    else this.redraw();
  }

  /** @param focus the field of the search takes the keyboard */
  open(focus: boolean): void {
    this.column.hidden = false;
    this.button.setAttribute('aria-expanded', 'true');
    this.listener.opened(true);
    this.redraw();
    if (!focus) return;
    this.field.focus();
    this.field.select();
  }

  private close(): void {
    const had = this.column.contains(document.activeElement);
    this.column.hidden = true;
    this.button.setAttribute('aria-expanded', 'false');
    this.listener.opened(false);
    if (had) this.listener.leave();
  }

  /** It lies over the waves. */
  private get isOver(): boolean {
    return !matchMedia('(min-width: 640px)').matches;
  }

  private get shown(): readonly Choosable[] {
    return found(this.all, this.field.value);
  }

  private redraw(): void {
    if (this.column.hidden) return;
    const { shown, folded, hidden } = this;
    const isFolded = this.field.value.trim() === '' && signalsOf(shown).size > fewSignals;
    const rows = rowsOf(entriesOf(shown, hidden), ({ key }) => !(folded.get(key) ?? isFolded));
    const nothing = this.all.length === 0 ? 'There are no signals to choose from.' : 'No signal has such a name.';
    patch(this.list, [rows.length === 0 ? h('p', {}, nothing) : treeOf('choice', 'Signals to show', rows, this.current)]);
  }

  private showAll(isWanted: boolean): void {
    const names = signalsOf(this.shown);
    this.hide(isWanted ? new Set([...this.hidden].filter((name) => !names.has(name))) : new Set([...this.hidden, ...names]));
  }

  private hide(names: ReadonlySet<string>): void {
    this.hidden = names;
    this.listener.hide(names);
    this.redraw();
  }

  private click(target: Element): void {
    const item = target.closest<HTMLElement>('[role="treeitem"]');
    if (item === null) return;
    if (target.closest('.twistie') !== null && item.ariaExpanded !== null) this.fold(item);
    else this.choose(item);
    item.focus({ preventScroll: true });
  }

  private choose(item: HTMLElement): void {
    const one = this.called(item.dataset['key'], this.shown);
    if (one !== undefined) this.hide(turned(one, this.hidden));
  }

  private called(path: string | undefined, all: readonly Choosable[]): Choosable | undefined {
    for (const one of all) {
      const here = one.path === path ? one : this.called(path, one.inside ?? []);
      if (here !== undefined) return here;
    }
    return undefined;
  }

  private fold(item: HTMLElement): void {
    this.folded.set(item.dataset['key'] ?? '', item.ariaExpanded === 'true');
    this.redraw();
  }

  private press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      if (event.target === this.field && this.field.value !== '') {
        this.field.value = '';
        this.redraw();
      } else this.close();
      return;
    }
    const items = [...this.list.querySelectorAll<HTMLElement>('[role="treeitem"]')];
    const at = items.indexOf(event.target as HTMLElement);
    if (event.target === this.field && event.key === 'ArrowDown') {
      event.preventDefault();
      items.find(({ tabIndex }) => tabIndex === 0)?.focus();
    }
    const item = items[at];
    if (item === undefined) return;
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      this.choose(item);
      return;
    }
    const move = moveOf(items.map((one) => ({ level: Number(one.ariaLevel), isOpen: one.ariaExpanded === null ? undefined : one.ariaExpanded === 'true' })), at, event.key);
    if (move === undefined) return;
    event.preventDefault();
    if ('focus' in move) items[move.focus]!.focus();
    else if ('toggle' in move) this.fold(item);
  }
}
