/// <reference lib="dom" />
// The values as a table of HTML: what a screen reader can walk through. Of a long
// trace it has the steps around the cursor, of many signals a page.
import { isHeading, type Row } from './model';
import { labelOf, placeText, roundAt, roundsOf, stretchText } from './rounds';
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
    const rounds = roundsOf(trace);
    // The property is the first line of each page.
    const property = state.rows.slice(0, state.hasPinned ? 1 : 0);
    const shown = state.rows.slice(property.length).filter((row) => !isHeading(row));
    const pages = Math.max(Math.ceil(shown.length / lines), 1);
    this.page = Math.min(this.page, pages - 1);
    const first = Math.min(Math.max(step - columns / 2, 0), Math.max(trace.steps - columns, 0));
    const steps = Array.from({ length: Math.min(columns, trace.steps) }, (_, index) => first + index);
    const table = document.createElement('table');
    const caption = table.createCaption();
    caption.textContent = `${trace.play !== undefined ? 'Played run:' : trace.compared === true ? 'Difference in' : trace.reached === true ? 'Run that reaches' : 'Counterexample of'} ${trace.name}: ${stretchText(trace, first, first + steps.length - 1)}; signals ${Math.min(this.page * lines + 1, shown.length)} to ${Math.min((this.page + 1) * lines, shown.length)} of ${shown.length}, and the property`;
    const head = table.createTHead().insertRow();
    head.append(cell('th', 'Signal', 'col'));
    for (const one of steps) {
      const header = cell('th', '', 'col');
      const round = rounds === undefined ? 0 : roundAt(rounds, one);
      header.append(button(`${labelOf(rounds, one)}${'′'.repeat(Math.min(Math.max(round - 1, 0), 3))}${round > 0 ? ' ↻' : ''}`, `Go to ${placeText(trace, one)}`, () => this.listener.moveTo(one)));
      if (one === step) header.setAttribute('aria-current', 'true');
      head.append(header);
    }
    const body = table.createTBody();
    for (const row of [...property, ...shown.slice(this.page * lines, (this.page + 1) * lines)]) this.line(body.insertRow(), state, row, steps);
    const focused = (document.activeElement as HTMLElement | null)?.title;
    this.parent.replaceChildren(this.turns(state, pages), table);
    // The table is rebuilt; the focus stays on what had it.
    if (focused !== undefined && focused !== '') [...this.parent.querySelectorAll('button')].find(({ title }) => title === focused)?.focus();
  }

  private line(line: HTMLTableRowElement, state: State, row: Row, steps: readonly number[]): void {
    const subject = state.subjectOf(row);
    if (subject === undefined || isHeading(row)) return;
    const name = cell('th', '', 'row');
    const signal = row.kind === 'bus' ? row.bus.bits[0]! : row.signal;
    const isExpression = row.kind === 'signal' && state.trace.signals[signal]!.group === 'expressions';
    if (isExpression) name.textContent = subject.name;
    else if (subject.inText) name.append(button(subject.name, `Go to ${subject.name} in the text`, () => this.listener.go(signal)));
    else name.textContent = `${subject.name} (no longer in the text)`;
    line.append(name);
    if (subject.error !== undefined) {
      const wrong = cell('td', subject.error);
      wrong.setAttribute('colspan', String(steps.length));
      line.append(wrong);
      return;
    }
    for (const one of steps) {
      const value = cell('td', subject.at(one));
      if (one === state.step) value.setAttribute('aria-current', 'true');
      line.append(value);
    }
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
