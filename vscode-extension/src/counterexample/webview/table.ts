/// <reference lib="dom" />
// The values as a table of HTML: what a screen reader can walk through. Of a long
// trace it has the steps around the cursor, of many signals a page.
import type { State } from './state';

const columns = 16;
const lines = 60;

export interface TableListener {
  moveTo(step: number): void;
  go(signal: number): void;
}

export class Table {
  private page = 0;

  constructor(
    private readonly parent: HTMLElement,
    private readonly listener: TableListener,
  ) {}

  draw(state: State): void {
    const { trace, step } = state;
    const shown = state.rows.flatMap((row) => (row.kind === 'signal' ? [row.signal] : []));
    const pages = Math.max(Math.ceil(shown.length / lines), 1);
    this.page = Math.min(this.page, pages - 1);
    const first = Math.min(Math.max(step - columns / 2, 0), Math.max(trace.steps - columns, 0));
    const steps = Array.from({ length: Math.min(columns, trace.steps) }, (_, index) => first + index);
    const table = document.createElement('table');
    const caption = table.createCaption();
    caption.textContent = `Counterexample of ${trace.name}: steps ${first} to ${steps.at(-1)} of ${trace.steps - 1}; signals ${this.page * lines + 1} to ${Math.min((this.page + 1) * lines, shown.length)} of ${shown.length}`;
    const head = table.createTHead().insertRow();
    head.append(cell('th', 'Signal', 'col'));
    for (const one of steps) {
      const header = cell('th', '', 'col');
      header.append(button(String(one), `Go to step ${one}`, () => this.listener.moveTo(one)));
      if (one === step) header.setAttribute('aria-current', 'true');
      head.append(header);
    }
    const body = table.createTBody();
    for (const index of shown.slice(this.page * lines, (this.page + 1) * lines)) {
      const signal = trace.signals[index]!;
      const row = body.insertRow();
      const name = cell('th', '', 'row');
      if (signal.inText) name.append(button(signal.name, `Go to ${signal.name} in the text`, () => this.listener.go(index)));
      else name.textContent = `${signal.name} (no longer in the text)`;
      row.append(name);
      for (const one of steps) {
        const value = cell('td', signal.values[one] ?? '');
        if (one === step) value.setAttribute('aria-current', 'true');
        row.append(value);
      }
    }
    const focused = (document.activeElement as HTMLElement | null)?.title;
    this.parent.replaceChildren(this.turns(state, pages), table);
    // The table is made anew; the focus stays on what had it.
    if (focused !== undefined && focused !== '') [...this.parent.querySelectorAll('button')].find(({ title }) => title === focused)?.focus();
  }

  private turns(state: State, pages: number): HTMLElement {
    const row = document.createElement('div');
    row.className = 'turn';
    row.append(
      button('◂ Earlier steps', 'Earlier steps', () => this.listener.moveTo(state.step - columns)),
      button('Later steps ▸', 'Later steps', () => this.listener.moveTo(state.step + columns)),
    );
    if (pages > 1) {
      const turn = (by: number) => {
        this.page = Math.min(Math.max(this.page + by, 0), pages - 1);
        this.draw(state);
      };
      row.append(button('▴ Signals before', 'Signals before', () => turn(-1)), button('More signals ▾', 'More signals', () => turn(1)));
    }
    return row;
  }
}

function cell(kind: 'th' | 'td', text: string, scope?: string): HTMLElement {
  const element = document.createElement(kind);
  element.textContent = text;
  if (scope !== undefined) element.setAttribute('scope', scope);
  return element;
}

function button(text: string, title: string, run: () => void): HTMLElement {
  const element = document.createElement('button');
  element.textContent = text;
  element.title = title;
  element.addEventListener('click', run);
  return element;
}
