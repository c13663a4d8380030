// The state of the page: the trace, the cursor, what is chosen. Tells what
// draws it when something has changed.
import type { PageGroup, PageTrace, ViewState } from '../messages';
import type { ChosenRadix } from '../../protocol';
import type { Radix } from '../../radices';
import { chosenText, wordText } from '../radix';
import { bitsAt, type Bus, busChanges, busesOf } from './buses';
import { asksForValue, canSet, isConstant, isHeading, Markers, type Row, rowsOf, type Subject, subjectFrom } from './model';
import { changesOf } from './waves';

const widest = 120; // pixels of a step, but for those that are fitted
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
  choosing = false;
  /** What the user has chosen, and what there is room for. */
  namesWidth = 210;
  namesShown = 210;
  radix: Radix = 'default';
  /** Of words that have one of their own, by their names. */
  private chosen: ReadonlyMap<string, ChosenRadix['radix']> = new Map();
  readonly collapsed = new Set<PageGroup>();
  readonly openBuses = new Set<string>();
  readonly closedScopes = new Set<string>();
  hidden: ReadonlySet<string> = new Set();
  markers = new Markers();
  /** Of the canvas, in pixels. */
  room = 600;
  private zoomed: number | null = null;
  private buses: Bus[] = [];
  /** What the last picture has, in which people click; rows and trace may be others by now. */
  private picture: { rows: readonly Row[]; trace: PageTrace } = { rows: [], trace: empty };
  private readonly changes = new Map<number | Bus, Int32Array>();
  private readonly constants = new Map<number, boolean>();

  load(trace: PageTrace, step: number | null): void {
    const before = this.selectedName;
    const another = trace.name !== this.trace.name || withoutRounds(trace) !== withoutRounds(this.trace);
    this.trace = trace;
    this.buses = busesOf(trace.words ?? []);
    this.changes.clear();
    this.constants.clear();
    this.markers.limit(trace.steps);
    this.step = Math.min(step ?? (another ? withoutRounds(trace) - 1 : this.step), trace.steps - 1);
    this.arrange();
    this.select(before ?? trace.signals[0]?.name);
  }

  /** Pixels of a step. Those that are fitted fill the room. */
  get stepWidth(): number {
    return Math.min(this.zoomed ?? this.fitted, widestTrace / this.trace.steps);
  }

  private get fitted(): number {
    return this.room / this.trace.steps;
  }

  get isFitted(): boolean {
    return this.zoomed === null;
  }

  zoom(factor: number): void {
    const width = Math.min(this.stepWidth * factor, widest);
    this.zoomed = width <= this.fitted ? null : width;
  }

  fit(): void {
    this.zoomed = null;
  }

  /** Renews the rows; what is selected stays selected where it is still there, a bit of a closed word as that. */
  arrange(): void {
    const before = this.rows[this.selected];
    this.rows = rowsOf(this.trace.signals, this.buses, this, this.step, (signal) => this.isConstant(signal), (bus, step) => this.busAt(bus, step));
    this.selected = before === undefined ? -1 : before.kind === 'signal' ? this.rowOf(before.signal) : this.rows.findIndex((row) => keyOfRow(row) === keyOfRow(before));
    if (this.selected < 0) this.selected = this.rows.findIndex((row) => !isHeading(row));
  }

  /** The row of a signal, or of the word that it is a bit of; −1 for one that is hidden. */
  rowOf(signal: number): number {
    const own = this.rows.findIndex((row) => row.kind === 'signal' && row.signal === signal);
    return own >= 0 ? own : this.rows.findIndex((row) => row.kind === 'bus' && row.bus.bits.includes(signal));
  }

  /** Tells that the rows are drawn as they are. */
  seen(): void {
    this.picture = { rows: this.rows, trace: this.trace };
  }

  /** The present index of a row of the last picture; −1 for one that is there no more. */
  rowSeen(index: number): number {
    const { rows, trace } = this.picture;
    const row = rows[index];
    if (row === undefined || (rows === this.rows && trace === this.trace)) return row === undefined ? -1 : index;
    const key = nameOfRow(row, trace);
    return this.rows.findIndex((one) => nameOfRow(one, this.trace) === key);
  }

  /** Whether the first row is that of the property, which does not scroll. */
  get hasPinned(): boolean {
    const [first] = this.rows;
    return first?.kind === 'signal' && this.trace.signals[first.signal]!.group === 'property';
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

  /** The word of the selected row. */
  get selectedBus(): Bus | undefined {
    const row = this.rows[this.selected];
    return row?.kind === 'bus' ? row.bus : undefined;
  }

  get inputsFirst(): boolean {
    return this.trace.play !== undefined;
  }

  /** Whether the value of the selected signal at the cursor is one that a player chooses. */
  get canFlip(): boolean {
    const { selectedSignal, trace, step } = this;
    return selectedSignal !== undefined && trace.play !== undefined && !trace.stale && canSet(trace.signals[selectedSignal]!, step);
  }

  get hasBuses(): boolean {
    return this.buses.length > 0;
  }

  get words(): readonly Bus[] {
    return this.buses;
  }

  /** Shows other signals from now on. */
  hide(names: Iterable<string>): void {
    this.hidden = new Set(names);
    this.arrange();
  }

  /** What the selected row is about. */
  get subject(): Subject | undefined {
    return this.subjectOf(this.rows[this.selected]);
  }

  subjectOf(row: Row | undefined): Subject | undefined {
    const { signals } = this.trace;
    if (row?.kind === 'signal') return signals[row.signal] && subjectFrom(signals[row.signal]!);
    if (row?.kind !== 'bus') return undefined;
    const { name, bits } = row.bus;
    return { name, at: (step) => this.busAt(row.bus, step), isOpen: (step) => this.isOpen(row.bus, step), inText: bits.some((bit) => signals[bit]!.inText) };
  }

  /** The value of a word as it is shown. */
  busAt(bus: Bus, step: number): string {
    const bits = bitsAt(bus, this.trace.signals, step);
    const own = this.chosen.get(bus.name);
    return own === undefined ? wordText(bus.word, bits, this.radix) : chosenText(bus.word, bits, own);
  }

  /** The value of a word as the user may type it. */
  typedAt(bus: Bus, step: number): string {
    // A negative number is no value of a word without a sign.
    return this.chosen.get(bus.name) === 'signed' ? wordText(bus.word, bitsAt(bus, this.trace.signals, step), 'default') : this.busAt(bus, step);
  }

  /** The radix of a word of its own. */
  chosenOf(bus: Bus): Radix {
    return this.chosen.get(bus.name) ?? 'default';
  }

  choose(all: readonly ChosenRadix[]): void {
    this.chosen = new Map(all.map(({ word, radix }) => [word, radix]));
    if (asksForValue(this.filter)) this.arrange();
  }

  /** Whether a bit of a word is not known at a step. */
  isOpen(bus: Bus, step: number): boolean {
    return bitsAt(bus, this.trace.signals, step).includes('x');
  }

  get selectedName(): string | undefined {
    return this.subject?.name;
  }

  select(name: string | undefined): void {
    const at = this.rows.findIndex((row) => !isHeading(row) && this.subjectOf(row)!.name === name);
    if (at >= 0) this.selected = at;
  }

  toggleBus({ key }: Bus): void {
    if (!this.openBuses.delete(key)) this.openBuses.add(key);
    this.arrange();
  }

  toggleScope(key: string): void {
    if (!this.closedScopes.delete(key)) this.closedScopes.add(key);
    this.arrange();
  }

  toggleGroup(group: PageGroup): void {
    if (!this.collapsed.delete(group)) this.collapsed.add(group);
    this.arrange();
  }

  /** The steps at which a signal or a word changes. */
  changesOf(of: number | Bus): Int32Array {
    let changes = this.changes.get(of);
    if (changes === undefined) {
      const { signals } = this.trace;
      changes = typeof of === 'number' ? changesOf(signals[of]!.values) : busChanges(of.bits.map((bit) => signals[bit]!.values));
      this.changes.set(of, changes);
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
    const { filter, hideUnchanged, hideIrrelevant, namesWidth, asTable, radix, choosing } = this;
    return { filter, hideUnchanged, hideIrrelevant, namesWidth, asTable, radix, choosing, collapsed: [...this.collapsed], openBuses: [...this.openBuses], closedScopes: [...this.closedScopes], markers: [...this.markers.all], stepWidth: this.zoomed };
  }

  restore(view: ViewState): void {
    const { collapsed, openBuses = [], closedScopes = [], markers, stepWidth, ...rest } = view;
    Object.assign(this, rest);
    for (const group of collapsed) this.collapsed.add(group);
    for (const key of openBuses) this.openBuses.add(key);
    for (const key of closedScopes) this.closedScopes.add(key);
    this.markers = new Markers([...markers]);
    this.zoomed = stepWidth;
  }
}

/** The steps of a trace with one round of its loop. */
function withoutRounds({ steps, loop = 0, rounds = 1 }: PageTrace): number {
  return steps - loop * (rounds - 1);
}

/** What names a row in other traces, too. */
function nameOfRow(row: Row, { signals }: PageTrace): string {
  if (row.kind !== 'signal') return `${row.kind} ${keyOfRow(row)}`;
  const { group, name } = signals[row.signal]!;
  return `${group} ${name}`;
}

function keyOfRow(row: Row): string {
  if (row.kind === 'signal') return String(row.signal);
  if (row.kind === 'scope') return row.key;
  return row.kind === 'bus' ? row.bus.key : row.group;
}
