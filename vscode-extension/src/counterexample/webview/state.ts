// The state of the page: the trace, the cursor, what is chosen. Tells those who
// draw when something has changed.
import type { SignalGroup } from '../../protocol';
import type { PageTrace, ViewState } from '../messages';
import { asksForValue, isConstant, Markers, type Row, rowsOf } from './model';
import { changesOf } from './waves';

export const widest = 120; // pixels of a step
const fittedWidest = 64;
/** Browsers lay out no wider elements. */
const widestTrace = 16_000_000;

const empty: PageTrace = { name: '', file: '', steps: 1, stale: false, signals: [], more: 0 };

export class State {
  trace = empty;
  step = 0;
  /** The index of the selected row. */
  selected = -1;
  rows: Row[] = [];
  filter = '';
  hideUnchanged = false;
  hideIrrelevant = false;
  asTable = false;
  namesWidth = 210;
  readonly collapsed = new Set<SignalGroup>();
  markers = new Markers();
  /** Of the canvas, in pixels. */
  room = 600;
  private zoomed: number | null = null;
  private readonly changes = new Map<number, Int32Array>();
  private readonly constants = new Map<number, boolean>();

  load(trace: PageTrace, step: number | null): void {
    const before = this.selectedName;
    const another = trace.name !== this.trace.name || trace.steps !== this.trace.steps;
    this.trace = trace;
    this.changes.clear();
    this.constants.clear();
    this.markers.limit(trace.steps);
    this.step = step ?? (another ? trace.steps - 1 : Math.min(this.step, trace.steps - 1));
    this.arrange();
    this.select(before ?? trace.signals[0]?.name);
  }

  /** Pixels of a step. */
  get stepWidth(): number {
    const fitted = Math.min(this.room / this.trace.steps, fittedWidest);
    return Math.min(this.zoomed ?? fitted, widest, widestTrace / this.trace.steps);
  }

  get isFitted(): boolean {
    return this.zoomed === null;
  }

  zoom(factor: number): void {
    const fitted = Math.min(this.room / this.trace.steps, fittedWidest);
    const width = Math.min(this.stepWidth * factor, widest);
    this.zoomed = width <= fitted ? null : width;
  }

  fit(): void {
    this.zoomed = null;
  }

  /** Renews the rows; the selected signal stays selected where it is still there. */
  arrange(): void {
    const before = this.selectedSignal;
    this.rows = rowsOf(this.trace.signals, this, this.step, (signal) => this.isConstant(signal));
    this.selected = this.rows.findIndex((row) => row.kind === 'signal' && row.signal === before);
    if (this.selected < 0) this.selected = this.rows.findIndex(({ kind }) => kind === 'signal');
  }

  moveTo(step: number): void {
    this.step = Math.min(Math.max(step, 0), this.trace.steps - 1);
    if (asksForValue(this.filter)) this.arrange();
  }

  /** The index of the selected signal. */
  get selectedSignal(): number | undefined {
    const row = this.rows[this.selected];
    return row?.kind === 'signal' ? row.signal : undefined;
  }

  get selectedName(): string | undefined {
    const signal = this.selectedSignal;
    return signal === undefined ? undefined : this.trace.signals[signal]?.name;
  }

  select(name: string | undefined): void {
    const at = this.rows.findIndex((row) => row.kind === 'signal' && this.trace.signals[row.signal]!.name === name);
    if (at >= 0) this.selected = at;
  }

  toggleGroup(group: SignalGroup): void {
    if (!this.collapsed.delete(group)) this.collapsed.add(group);
    this.arrange();
  }

  changesOf(signal: number): Int32Array {
    let changes = this.changes.get(signal);
    if (changes === undefined) {
      changes = changesOf(this.trace.signals[signal]!.values);
      this.changes.set(signal, changes);
    }
    return changes;
  }

  private isConstant(signal: number): boolean {
    let constant = this.constants.get(signal);
    if (constant === undefined) {
      constant = isConstant(this.trace.signals[signal]!.values);
      this.constants.set(signal, constant);
    }
    return constant;
  }

  /** What is kept while the page is not shown. */
  save(): ViewState {
    const { filter, hideUnchanged, hideIrrelevant, namesWidth, asTable } = this;
    return { filter, hideUnchanged, hideIrrelevant, namesWidth, asTable, collapsed: [...this.collapsed], markers: [...this.markers.all], stepWidth: this.zoomed };
  }

  restore(view: ViewState): void {
    const { collapsed, markers, stepWidth, ...rest } = view;
    Object.assign(this, rest);
    for (const group of collapsed) this.collapsed.add(group);
    this.markers = new Markers([...markers]);
    this.zoomed = stepWidth;
  }
}
