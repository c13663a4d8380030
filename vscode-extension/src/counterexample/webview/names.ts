/// <reference lib="dom" />
// The names column: as many elements as rows are in view, used again for others
// when the rows scroll.
import type { PageTrace } from '../messages';
import { rowHeight, rulerHeight } from './draw';
import { canSet, canSetWord, groupNames, shownName, type Window } from './model';
import type { State } from './state';

export interface NamesListener {
  choose(row: number, event: MouseEvent): void;
  remove(signal: number): void;
  /** The value of a row of a played run was clicked that could be another one. */
  flip(row: number): void;
}

export class Names {
  private readonly pool: HTMLElement[] = [];
  private readonly list = document.createElement('div');
  /** Of the first row, which does not scroll. */
  private readonly head: HTMLElement;
  private drawn = '';

  constructor(
    parent: HTMLElement,
    private readonly listener: NamesListener,
  ) {
    this.head = this.create(0);
    parent.append(this.head, this.list);
  }

  /** Has the next draw renew every row. */
  invalidate(): void {
    this.drawn = '';
  }

  draw(state: State, rows: Window, top: number): void {
    this.list.style.transform = `translateY(${-(top - rows.first * rowHeight)}px)`;
    const drawn = `${rows.first} ${rows.last} ${state.step} ${state.selected}`;
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.head.hidden = !state.hasPinned;
    if (state.hasPinned) this.fill(this.head, state, 0);
    for (let index = 0; index < Math.max(rows.last - rows.first, this.pool.length); index++) {
      const element = this.pool[index] ?? this.pooled(index);
      const row = rows.first + index;
      element.hidden = row >= rows.last || (row === 0 && state.hasPinned);
      if (element.hidden) element.replaceChildren();
      else this.fill(element, state, row);
    }
  }

  private create(index: number): HTMLElement {
    const element = document.createElement('div');
    element.style.top = `${index * rowHeight}px`;
    element.style.height = `${rowHeight}px`;
    const row = () => Number(element.dataset['row']);
    element.addEventListener('click', (event) => (isOnFlip(event) ? this.listener.flip(row()) : this.listener.choose(row(), event)));
    // Two clicks on a value are two flips.
    element.addEventListener('dblclick', (event) => isOnFlip(event) || this.listener.choose(row(), event));
    return element;
  }

  private pooled(index: number): HTMLElement {
    const element = this.create(index);
    this.list.append(element);
    this.pool.push(element);
    return element;
  }

  private fill(element: HTMLElement, state: State, index: number): void {
    const row = state.rows[index]!;
    element.dataset['row'] = String(index);
    element.style.paddingLeft = '';
    if (row.kind === 'group') {
      const count = row.shown === row.of ? String(row.of) : `${row.shown} of ${row.of}`;
      element.className = 'row group';
      const order = row.group === 'latches' && state.trace.compared !== true && state.trace.play === undefined ? `, those first that come first in why ${whyOf(state.trace)}` : '';
      element.title = row.group === 'differ' ? `${row.collapsed ? 'Show' : 'Hide'} what differs, that first which differs first` : `${row.collapsed ? 'Show' : 'Hide'} these signals${order}`;
      element.replaceChildren(span('twistie', row.collapsed ? '▸' : '▾'), span('name', `${groupNames[row.group]} (${count})`));
      return;
    }
    if (row.kind === 'scope') {
      element.className = 'row scope';
      element.style.paddingLeft = indent(row.depth);
      element.title = `${row.open ? 'Hide' : 'Show'} the signals of ${row.key.slice(row.key.indexOf('/') + 1)}`;
      element.replaceChildren(span('twistie', row.open ? '▾' : '▸'), span('name', row.name));
      return;
    }
    const subject = state.subjectOf(row)!;
    const { trace, step } = state;
    const members = (row.kind === 'bus' ? row.bus.bits : [row.signal]).map((signal) => trace.signals[signal]!);
    const value = subject.at(step);
    const changed = step > 0 && subject.at(step - 1) !== value;
    const faint = members.every(({ group, relevant }) => group === 'latches' && !relevant);
    const isPinned = index === 0 && state.hasPinned;
    const isSettable = !trace.stale && (row.kind === 'bus' ? canSetWord(row.bus, trace.signals, step) : canSet(members[0]!, step));
    const classes = ['row', isPinned && 'pinned', row.kind === 'signal' && row.bit && 'bit', faint && 'faint', !subject.inText && 'gone', subject.error !== undefined && 'wrong', index === state.selected && 'selected', isSettable && 'settable'];
    element.className = classes.filter(Boolean).join(' ');
    const { formula, error } = row.kind === 'signal' ? members[0]! : {};
    const called = row.kind === 'bus' ? `${subject.name}[${row.bus.word.high}:${row.bus.word.low}]` : subject.name;
    const name = formula === undefined ? called : `${called} = ${formula}`;
    element.title = [name, error ?? '', faint ? `no part in why ${whyOf(trace)}` : '', subject.inText ? '' : 'no longer in the text'].filter(Boolean).join(': ');
    const twistie = row.kind === 'bus' ? [span('twistie', row.open ? '▾' : '▸')] : [];
    const shown = span(changed ? 'value changed' : 'value', error === undefined ? value : '!');
    if (isSettable && trace.play !== undefined) {
      shown.classList.add('flips');
      shown.title = row.kind === 'bus' ? 'Click to type a value for this step  ( f )' : 'Click for the other value in this step  ( f, Space )';
    }
    if (row.depth !== undefined) element.style.paddingLeft = indent(row.depth + (row.kind === 'signal' && row.bit === true ? 1 : 0));
    element.replaceChildren(...twistie, nameWith(shownName(row, trace.signals, subject.name), formula), shown);
    if (row.kind === 'signal' && ['gates', 'expressions'].includes(members[0]!.group)) element.append(this.removal(row.signal, subject.name));
  }

  private removal(signal: number, name: string): HTMLElement {
    const button = document.createElement('button');
    button.className = 'remove';
    button.textContent = '×';
    button.tabIndex = -1;
    button.title = `Remove ${name}  ( Delete )`;
    button.addEventListener('click', (event) => {
      event.stopPropagation();
      this.listener.remove(signal);
    });
    return button;
  }
}

/** The room before a row inside of so many instances. */
function indent(depth: number): string {
  return `${22 + 14 * depth}px`;
}

function nameWith(text: string, formula: string | undefined): HTMLElement {
  const name = span('name', text);
  if (formula !== undefined) name.append(span('formula', ` = ${formula}`));
  return name;
}

function span(className: string, text: string): HTMLElement {
  const element = document.createElement('span');
  element.className = className;
  element.textContent = text;
  return element;
}

/** The row below a point of the view; −1 above the rows. */
export function rowAt(y: number, top: number, pinned: boolean): number {
  if (y < rulerHeight) return -1;
  return pinned && y < rulerHeight + rowHeight ? 0 : Math.floor((y - rulerHeight + top) / rowHeight);
}

function isOnFlip({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('.flips') !== null;
}

/** What a run is the reason of. */
function whyOf({ reached }: Pick<PageTrace, 'reached'>): string {
  return reached === true ? 'the cover is reached' : 'the property fails';
}
