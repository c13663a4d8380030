/// <reference lib="dom" />
// The names column: as many elements as rows are in view, used again for others
// when the rows scroll.
import { rowHeight, rulerHeight } from './draw';
import { groupNames, type Window } from './model';
import type { State } from './state';

export interface NamesListener {
  choose(row: number, event: MouseEvent): void;
  remove(signal: number): void;
}

export class Names {
  private readonly pool: HTMLElement[] = [];
  private readonly list = document.createElement('div');
  private drawn = '';

  constructor(
    parent: HTMLElement,
    private readonly listener: NamesListener,
  ) {
    parent.append(this.list);
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
    for (let index = 0; index < Math.max(rows.last - rows.first, this.pool.length); index++) {
      const element = this.pool[index] ?? this.create(index);
      const row = rows.first + index;
      element.hidden = row >= rows.last;
      if (element.hidden) element.replaceChildren();
      else this.fill(element, state, row);
    }
  }

  private create(index: number): HTMLElement {
    const element = document.createElement('div');
    element.style.top = `${index * rowHeight}px`;
    element.style.height = `${rowHeight}px`;
    element.addEventListener('click', (event) => this.listener.choose(Number(element.dataset['row']), event));
    element.addEventListener('dblclick', (event) => this.listener.choose(Number(element.dataset['row']), event));
    this.list.append(element);
    this.pool.push(element);
    return element;
  }

  private fill(element: HTMLElement, state: State, index: number): void {
    const row = state.rows[index]!;
    element.dataset['row'] = String(index);
    if (row.kind === 'group') {
      const count = row.shown === row.of ? String(row.of) : `${row.shown} of ${row.of}`;
      element.className = 'row group';
      element.title = row.collapsed ? 'Show these signals' : 'Hide these signals';
      element.replaceChildren(span('twistie', row.collapsed ? '▸' : '▾'), span('name', `${groupNames[row.group]} (${count})`));
      return;
    }
    const signal = state.trace.signals[row.signal]!;
    const value = signal.values[state.step] ?? '';
    const changed = state.step > 0 && signal.values[state.step - 1] !== value;
    const faint = signal.group === 'latches' && !signal.relevant;
    element.className = ['row', faint && 'faint', !signal.inText && 'gone', index === state.selected && 'selected'].filter(Boolean).join(' ');
    element.title = [signal.name, faint ? 'no part in why the property fails' : '', signal.inText ? '' : 'no longer in the text'].filter(Boolean).join(': ');
    element.replaceChildren(span('name', signal.name), span(changed ? 'value changed' : 'value', value));
    if (signal.group === 'gates') element.append(this.removal(row.signal, signal.name));
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

function span(className: string, text: string): HTMLElement {
  const element = document.createElement('span');
  element.className = className;
  element.textContent = text;
  return element;
}

/** The row below a point of the view; −1 above the rows. */
export function rowAt(y: number, top: number): number {
  return y < rulerHeight ? -1 : Math.floor((y - rulerHeight + top) / rowHeight);
}
