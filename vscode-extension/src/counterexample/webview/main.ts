/// <reference lib="dom" />
// The page of the trace panel: wires what the user does to the state, and the
// state to what is drawn. At most one picture is drawn for a frame.
import { type Action, type FromPage, type PageRuns, type PageSignal, type PageState, type PlayMove, type SearchButton, searchButtons, type ToPage } from '../messages';
import type { Radix } from '../../radices';
import { nextRadix, wordRadices } from '../radix';
import type { Bus } from './buses';
import { Chooser } from './chooser';
import { draw, rowHeight, rulerHeight } from './draw';
import { listenToKeys, type Page } from './keys';
import { canSet, canSetWord, find, isHeading, parseFilter, type Row, type Target, valueText, visible } from './model';
import { Names, rowAt } from './names';
import { Overflow } from './overflow';
import { labelOf, type Rounds, roundsOf, stepName } from './rounds';
import { State } from './state';
import { Table } from './table';
import { onThemeChange, readTheme } from './theme';

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void; getState(): PageState | undefined; setState(state: PageState): void };

const byId = <Kind extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as Kind;

const isDisabled = (id: string) => byId(id).getAttribute('aria-disabled') === 'true';

class TracePage implements Page {
  readonly state = new State();
  private readonly api = acquireVsCodeApi();
  private readonly scroll = byId('scroll');
  private readonly space = byId('space');
  private readonly view = byId('view');
  private readonly canvas = byId<HTMLCanvasElement>('canvas');
  private readonly context = this.canvas.getContext('2d')!;
  private readonly expression = byId<HTMLInputElement>('expression');
  /** The expression that the one in the field takes the place of. */
  private instead: string | undefined;
  readonly filter = byId<HTMLInputElement>('filter');
  private readonly names = new Names(byId('names'), { choose: (row, event) => this.choose(row, event), remove: (signal) => this.send({ type: 'remove', signal }), flip: (row) => this.flipRow(row) });
  private readonly table = new Table(byId('tableview'), { moveTo: (step) => this.moveTo(step), go: (signal) => this.go(signal, true) });
  private readonly overflow = new Overflow(byId('bar'), byId('more'), byId('menu'), () => this.takeKeyboard());
  private readonly chooser = new Chooser(byId('chooser'), byId('signals'), { hide: (names) => this.hide(names), opened: (isOpen) => this.opened(isOpen), leave: () => this.takeKeyboard() });
  /** Which signals are hidden is known. */
  private knowsHidden = false;
  private theme = readTheme();
  private frame = 0;
  private saving = 0;
  /** The panel is to be told what is drawn next. */
  private announces = false;

  constructor() {
    const kept = this.api.getState();
    if (kept?.view !== undefined) this.state.restore(kept.view);
    this.filter.value = this.state.filter;
    window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => this.receive(data));
    new ResizeObserver(() => this.layout()).observe(this.scroll);
    new ResizeObserver(() => this.overflow.fill()).observe(byId('bar'));
    this.scroll.addEventListener('scroll', () => this.redraw(), { passive: true });
    onThemeChange(() => {
      this.theme = readTheme();
      this.redraw();
    });
    // The window of the page gets the keyboard by other ways than a click, too.
    window.addEventListener('focus', () => {
      if (document.activeElement === null || document.activeElement === document.body) this.takeKeyboard();
    });
    this.listenToButtons();
    this.listenToExpression();
    this.listenToMouse();
    listenToKeys(this, this.view);
    this.layout();
    this.send({ type: 'ready' });
  }

  send(message: FromPage): void {
    this.api.postMessage(message);
  }

  private receive(message: ToPage): void {
    const { state } = this;
    switch (message.type) {
      case 'trace': {
        if (message.radix !== undefined) state.radix = message.radix;
        state.choose(message.chosen ?? []);
        this.api.setState({ ...message.about, view: state.save(), ...(message.run === undefined ? {} : { run: message.run }) });
        document.body.classList.toggle('reached', message.trace.reached === true);
        document.body.classList.toggle('played', message.trace.play !== undefined);
        document.body.classList.toggle('compared', message.trace.compared === true);
        // Later ones may come from before the last choice.
        if (!this.knowsHidden) state.hidden = new Set(message.hidden);
        this.knowsHidden = true;
        const before = state.inputsFirst;
        state.load(message.trace, message.step);
        byId('debug').hidden = message.noDebugger === true;
        this.showRuns(message.runs);
        this.announces = true;
        this.renew();
        if (before !== state.inputsFirst) this.selectRow(state.selected); // its group stands elsewhere
        this.revealCursor();
        break;
      }
      case 'places':
        state.trace.stale = message.stale;
        this.showRuns(message.runs);
        message.inText.forEach((inText, index) => {
          const signal = state.trace.signals[index];
          if (signal !== undefined) signal.inText = inText;
        });
        this.renew();
        break;
      case 'nothing':
        byId('nothing').hidden = false;
        byId('nothing').querySelector('p')!.textContent = message.message;
        byId('main').hidden = true;
        break;
      case 'step':
        if (message.step !== null && message.step !== state.step) this.moveTo(message.step, false);
        break;
      case 'select': {
        const at = state.rowOf(message.signal);
        if (at >= 0) this.selectRow(at);
        break;
      }
      case 'hidden':
        state.hide(message.hidden);
        this.renew();
        break;
      case 'chosen':
        state.choose(message.chosen);
        this.renew();
        break;
      case 'searching':
        this.showSearch(message.buttons, message.words);
        break;
      case 'focus':
        // What else has the keyboard by now, such as the text, keeps it; the window of the page has it when it gets the focus.
        if (document.hasFocus()) this.takeKeyboard();
        else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    }
  }

  private takeKeyboard(): void {
    const nothing = byId('nothing');
    const place = !nothing.hidden ? byId('check') : this.state.asTable ? byId('tableview') : this.view;
    place.focus({ preventScroll: true });
  }

  /** Disables the buttons of searches that run; they keep the keyboard, to have it when the search ends. */
  private showSearch(buttons: readonly SearchButton[], words: string): void {
    for (const id of searchButtons) {
      if (buttons.includes(id)) byId(id).setAttribute('aria-disabled', 'true');
      else byId(id).removeAttribute('aria-disabled');
    }
    byId('searching').textContent = words;
  }

  /** Which of several runs it is, and what leads to the others. */
  private showRuns({ others, among }: PageRuns = {}): void {
    byId('runs').hidden = others !== true;
    byId('first').hidden = (among?.number ?? 1) === 1;
    const line = byId('among');
    line.hidden = among === undefined;
    if (among === undefined) return;
    const words = among.message === '' ? '' : `: ${among.message}`;
    line.textContent = `${this.state.trace.reached === true ? 'Run' : 'Counterexample'} ${among.number} of ${among.known}${words}`;
  }

  /** Renews all that is drawn, after rows or widths may have changed. */
  renew(): void {
    const { state } = this;
    const { trace } = state;
    byId('nothing').hidden = true;
    byId('main').hidden = false;
    this.scroll.hidden = state.asTable;
    byId('tableview').hidden = !state.asTable;
    const pressed: [string, boolean][] = [['unchanged', state.hideUnchanged], ['irrelevant', state.hideIrrelevant], ['table', state.asTable]];
    for (const [id, value] of pressed) byId(id).setAttribute('aria-pressed', String(value));
    byId<HTMLSelectElement>('radix').value = state.radix;
    for (const id of ['words', 'word']) byId(id).hidden = !state.hasBuses;
    this.filter.setAttribute('aria-invalid', String(parseFilter(state.filter) === undefined));
    const banner = byId('banner');
    this.renewPlay();
    const notes = [
      trace.stale && trace.play !== undefined ? 'The text has changed since: this is a run of an earlier text.' : trace.stale ? trace.compared === true ? 'A text has changed since: these are the values in the texts that were compared.' : 'The text has changed since: these are the values in the text that was checked.' : '',
      trace.more > 0 ? `${trace.more} more signals are left out, because they are too many.` : '',
    ].filter((part) => part !== '');
    banner.hidden = notes.length === 0;
    banner.textContent = notes.join(' ');
    const rounds = roundsOf(trace);
    byId('corner').textContent = rounds === undefined ? `${trace.steps} ${trace.steps === 1 ? 'step' : 'steps'}` : stepsOf(rounds);
    byId('round').hidden = rounds === undefined || trace.stale;
    this.chooser.draw(state);
    this.overflow.fill();
    this.names.invalidate();
    this.layout();
  }

  chooseSignals(): void {
    this.chooser.open(true);
  }

  private hide(names: ReadonlySet<string>): void {
    this.state.hide(names);
    this.send({ type: 'hide', hidden: [...names] });
    this.renew();
  }

  private opened(isOpen: boolean): void {
    if (this.state.choosing === isOpen) return;
    this.state.choosing = isOpen;
    this.keep();
  }

  /** Renews what can be done with a run. */
  private renewPlay(): void {
    const { trace } = this.state;
    const { play } = trace;
    const canFlip = trace.signals.some(({ settable }) => settable !== undefined);
    for (const id of ['steps', 'play-add', 'play-random', 'play-until', 'less', 'play-cut', 'play-reset']) byId(id).hidden = play === undefined || trace.stale;
    byId('flip').hidden = trace.stale || !canFlip;
    byId('play-on').hidden = trace.stale || (play === undefined ? !canFlip : play.origin === undefined);
    byId('play-carry').hidden = play === undefined || !trace.stale;
    byId('play-back').hidden = play?.origin === undefined;
    const outcome = byId('outcome');
    outcome.textContent = play?.words ?? '';
    outcome.className = play?.outcome ?? '';
  }

  flip(): void {
    const { selectedSignal, selectedBus, subject, step, trace } = this.state;
    if (byId('flip').hidden || subject === undefined) return;
    if (selectedSignal !== undefined && canSet(trace.signals[selectedSignal]!, step)) this.send({ type: 'flip', signal: selectedSignal, step });
    else if (selectedBus !== undefined && canSetWord(selectedBus, trace.signals, step)) this.send({ type: 'set', word: trace.words!.indexOf(selectedBus.word), step, value: this.state.typedAt(selectedBus, step) });
    else byId('live').textContent = `${subject.name}: only inputs can have another value, and in step 0 latches without a reset.`;
  }

  private flipRow(clicked: number): void {
    const row = this.state.rowSeen(clicked);
    if (row < 0) return;
    this.view.focus({ preventScroll: true });
    this.selectRow(row);
    this.flip();
  }

  play(move: PlayMove): void {
    const { selectedSignal, step } = this.state;
    if (byId(`play-${move}`).hidden || isDisabled(`play-${move}`)) return;
    if (move === 'until' && selectedSignal === undefined) {
      byId('live').textContent = 'Select the signal that is to become 1, or an expression, first.';
      return;
    }
    this.send({ type: 'play', move, step, ...(selectedSignal === undefined ? {} : { signal: selectedSignal }) });
  }

  private layout(): void {
    const { state } = this;
    const { clientWidth: width, clientHeight: height } = this.scroll;
    if (width === 0 || height === 0) return void this.redraw();
    // In a narrow window half is for the waves.
    state.namesShown = Math.min(state.namesWidth, Math.round(width / 2));
    state.room = Math.max(width - state.namesShown, 50);
    const ratio = devicePixelRatio;
    this.canvas.width = Math.round(state.room * ratio);
    this.canvas.height = Math.round(height * ratio);
    Object.assign(this.canvas.style, { left: `${state.namesShown}px`, width: `${state.room}px`, height: `${height}px` });
    Object.assign(this.view.style, { width: `${width}px`, height: `${height}px` });
    Object.assign(byId('corner').style, { width: `${state.namesShown}px`, height: `${rulerHeight}px` });
    Object.assign(byId('names').style, { top: `${rulerHeight}px`, width: `${state.namesShown}px` });
    byId('sash').style.left = `${state.namesShown}px`;
    this.resizeSpace();
    this.redraw();
  }

  private resizeSpace(): void {
    const { state } = this;
    // What is fitted needs no scroll bar, not even by the part of a pixel.
    const wide = state.isFitted ? 0 : state.namesShown + Math.ceil(state.stepWidth * state.trace.steps);
    this.space.style.width = `${Math.max(wide, this.scroll.clientWidth)}px`;
    this.space.style.height = `${Math.max(rulerHeight + state.rows.length * rowHeight, this.scroll.clientHeight)}px`;
  }

  redraw(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.paint());
  }

  private paint(): void {
    this.frame = 0;
    const { state, context } = this;
    const { trace, stepWidth } = state;
    if (trace.signals.length === 0) return;
    state.seen();
    const { scrollLeft: left, scrollTop: top } = this.scroll;
    const height = this.canvas.clientHeight;
    const rows = visible(top, height - rulerHeight, rowHeight, state.rows.length);
    const pinned = state.hasPinned;
    if (state.asTable) {
      this.table.draw(state);
    } else {
      const steps = visible(left, state.room, stepWidth, trace.steps);
      context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
      const { step, selected, markers } = state;
      const picture = { width: state.room, height, left, top, stepWidth, steps: trace.steps, rounds: roundsOf(trace), step, selected, pinned, markers: markers.all, rows: state.rows, signals: trace.signals, changes: (of: number | Bus) => state.changesOf(of), busAt: (bus: Bus, at: number) => state.busAt(bus, at), isOpen: (bus: Bus, at: number) => state.isOpen(bus, at) };
      draw(context, picture, this.theme, rows, steps);
      this.names.draw(state, rows, top);
    }
    this.say();
    if (this.announces) {
      this.announces = false;
      this.send({ type: 'shown', signals: trace.signals.length, steps: trace.steps, rows: rows.last - rows.first, room: this.pageOfRows + 1 });
    }
  }

  /** The radix of the selected word; of none it cannot be chosen, nor in a comparison, whose words are those of two texts. */
  private showWordRadix(): void {
    const { selectedBus, trace } = this.state;
    const select = byId<HTMLSelectElement>('word-radix');
    select.disabled = selectedBus === undefined || trace.compared === true;
    select.value = selectedBus === undefined ? 'default' : this.state.chosenOf(selectedBus);
  }

  private say(): void {
    this.showWordRadix();
    const { trace, step, subject, markers } = this.state;
    const live = byId('live');
    const text = valueText(subject, step, trace);
    if (live.textContent !== text) {
      live.textContent = text;
      live.title = text; // in a narrow panel the end is cut off
      this.canvas.setAttribute('aria-label', `Waveforms of the ${trace.play !== undefined ? 'played' : trace.compared === true ? 'difference in' : trace.reached === true ? 'run that reaches' : 'counterexample of'} ${trace.name}. ${text}`);
    }
    const list = byId('markers');
    if (list.dataset['drawn'] === markers.all.join()) return;
    list.dataset['drawn'] = markers.all.join();
    list.replaceChildren(
      ...markers.all.map((one) => {
        const button = document.createElement('button');
        button.textContent = `◆ ${labelOf(roundsOf(trace), one)}`;
        button.title = `Go to the marked ${stepName(roundsOf(trace), one)}`;
        button.addEventListener('click', () => this.moveTo(one));
        return button;
      }),
    );
  }

  /** Keeps what the user has chosen, once the user rests. */
  keep(): void {
    clearTimeout(this.saving);
    this.saving = window.setTimeout(() => {
      const kept = this.api.getState();
      if (kept !== undefined) this.api.setState({ ...kept, view: this.state.save() });
    }, 200);
  }

  moveTo(step: number, announce = true): void {
    const rows = this.state.rows;
    this.state.moveTo(step);
    if (rows !== this.state.rows) this.renew();
    if (announce) this.send({ type: 'step', step: this.state.step });
    this.revealCursor();
    this.redraw();
  }

  selectRow(row: number): void {
    const { state } = this;
    state.selected = Math.min(Math.max(row, 0), state.rows.length - 1);
    const y = state.selected * rowHeight;
    const room = this.scroll.clientHeight - rulerHeight - rowHeight;
    const pinned = state.hasPinned ? rowHeight : 0;
    if (pinned > 0 && state.selected === 0) return this.redraw();
    if (y - pinned < this.scroll.scrollTop) this.scroll.scrollTop = y - pinned;
    else if (y > this.scroll.scrollTop + room) this.scroll.scrollTop = y - room;
    this.redraw();
  }

  get pageOfRows(): number {
    return Math.max(Math.floor((this.scroll.clientHeight - rulerHeight) / rowHeight) - 1, 1);
  }

  private revealCursor(): void {
    const { step, stepWidth, room } = this.state;
    const x = step * stepWidth;
    const { scrollLeft } = this.scroll;
    if (x < scrollLeft || x + stepWidth > scrollLeft + room) this.scroll.scrollLeft = Math.max(x - room / 2, 0);
  }

  /** Zooms, and keeps the step at a place of the canvas where it is; without a place the cursor. */
  zoom(factor: number | undefined, place?: number): void {
    const { state, scroll } = this;
    const x = place ?? (state.step + 0.5) * state.stepWidth - scroll.scrollLeft;
    const step = (scroll.scrollLeft + x) / state.stepWidth;
    if (factor === undefined) state.fit();
    else state.zoom(factor);
    this.resizeSpace();
    scroll.scrollLeft = step * state.stepWidth - x;
    this.keep();
    this.redraw();
  }

  search(direction: 1 | -1, target: Target = byId<HTMLSelectElement>('target').value as Target): void {
    const { state } = this;
    const { subject } = state;
    if (subject === undefined) return;
    const found = find(subject, state.trace.steps, target, state.step, direction);
    if (found !== undefined) this.moveTo(found);
    else byId('live').textContent = `${state.selectedName}: none ${direction === 1 ? 'after' : 'before'} ${stepName(roundsOf(state.trace), state.step)}`;
  }

  mark(): void {
    this.state.markers.toggle(this.state.step);
    this.keep();
    this.redraw();
  }

  oneMoreRound(): void {
    if (!byId('round').hidden) this.send({ type: 'round' });
  }

  enter(signal: number | undefined): void {
    const one = signal === undefined ? undefined : this.state.trace.signals[signal];
    if (one?.group === 'expressions') this.typeExpression(one.name);
    else this.go(signal, true);
  }

  typeExpression(instead?: string): void {
    if (this.state.trace.compared === true) return;
    this.instead = instead;
    this.expression.value = instead ?? this.expression.value;
    this.overflow.reveal(this.expression);
    this.expression.focus();
    this.expression.select();
  }

  private listenToExpression(): void {
    const { expression } = this;
    expression.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== 'Escape') return;
      event.preventDefault();
      const text = expression.value.trim();
      const { instead } = this;
      if (event.key === 'Enter' && text !== '') this.send({ type: 'expression', text, ...(instead === undefined ? {} : { instead }) });
      this.instead = undefined;
      expression.value = '';
      this.overflow.close(false);
      this.takeKeyboard();
    });
  }

  /** Goes to the text of a signal; without one, to that of the selected row. */
  go(signal: number | undefined, focus: boolean): void {
    if (signal !== undefined && this.state.trace.signals[signal]?.inText === true && this.state.trace.signals[signal]?.group !== 'expressions') this.send({ type: 'go', signal, focus });
  }

  why(): void {
    if (this.state.trace.compared === true) return;
    const row = this.state.rows[this.state.selected];
    if (row?.kind === 'signal' && this.state.trace.signals[row.signal]!.group === 'expressions') byId('live').textContent = 'An expression has no causes of its own: its signals have.';
    else if (row?.kind === 'signal') this.send({ type: 'why', signal: row.signal, step: this.state.step });
    else if (row?.kind === 'bus') this.openForBits(row);
    else if (this.state.trace.play !== undefined) byId('live').textContent = 'Select a signal first: why explains the value of a signal.';
    else this.send({ type: 'action', action: 'why' });
  }

  /** A word has no causes of its own: its bits have. */
  private openForBits({ bus, open }: Extract<Row, { kind: 'bus' }>): void {
    if (!open) this.unfold(this.state.selected);
    const { step, trace } = this.state;
    const changed = ({ values }: PageSignal) => step > 0 && values[step - 1] !== values[step];
    this.selectRow(this.state.rowOf(bus.bits.find((bit) => changed(trace.signals[bit]!)) ?? bus.bits[0]!));
  }

  toggle(what: 'hideUnchanged' | 'hideIrrelevant' | 'asTable'): void {
    this.state[what] = !this.state[what];
    this.arranged();
  }

  unfold(row: number): void {
    const one = this.state.rows[row];
    if (one?.kind === 'group') this.state.toggleGroup(one.group);
    else if (one?.kind === 'scope') this.state.toggleScope(one.key);
    else if (one?.kind === 'bus') this.state.toggleBus(one.bus);
    else return;
    this.arranged();
  }

  turnRadix(): void {
    this.setRadix(nextRadix(this.state.radix));
  }

  turnWordRadix(): void {
    const { selectedBus } = this.state;
    if (selectedBus === undefined) byId('live').textContent = 'Select a word first: its values are written in the radix that you choose.';
    else this.setWordRadix(nextRadix(this.state.chosenOf(selectedBus), wordRadices.map(([radix]) => radix)));
  }

  /** All that shows the word follows once the server knows. */
  private setWordRadix(radix: Radix): void {
    const { selectedBus, trace } = this.state;
    if (selectedBus !== undefined && trace.compared !== true) this.send({ type: 'wordRadix', word: selectedBus.name, radix });
  }

  private setRadix(radix: Radix): void {
    this.state.radix = radix;
    this.send({ type: 'radix', radix });
    this.keep();
    this.renew();
  }

  private arranged(): void {
    this.state.arrange();
    this.keep();
    this.renew();
  }

  private choose(clicked: number, event: MouseEvent): void {
    const row = this.state.rowSeen(clicked);
    const chosen = this.state.rows[row];
    if (event.type === 'click') this.view.focus({ preventScroll: true });
    if (chosen?.kind === 'signal') {
      this.selectRow(row);
      if (event.type === 'dblclick') this.enter(chosen.signal);
      else this.go(chosen.signal, false);
    } else if (event.type === 'click') {
      if (chosen?.kind === 'bus') this.selectRow(row);
      this.unfold(row);
    }
  }

  private listenToButtons(): void {
    const press = (id: string, run: () => void) => byId(id).addEventListener('click', run);
    press('previous', () => this.search(-1));
    press('next', () => this.search(1));
    press('unchanged', () => this.toggle('hideUnchanged'));
    press('irrelevant', () => this.toggle('hideIrrelevant'));
    press('table', () => this.toggle('asTable'));
    press('out', () => this.zoom(1 / 1.5));
    press('in', () => this.zoom(1.5));
    press('fit', () => this.zoom(undefined));
    byId('radix').addEventListener('change', () => this.setRadix(byId<HTMLSelectElement>('radix').value as Radix));
    byId('word-radix').addEventListener('change', () => this.setWordRadix(byId<HTMLSelectElement>('word-radix').value as Radix));
    press('mark', () => this.mark());
    press('round', () => this.oneMoreRound());
    press('why', () => this.why());
    press('flip', () => this.flip());
    for (const move of ['add', 'random', 'until', 'cut', 'reset', 'carry', 'on', 'back'] satisfies PlayMove[]) press(`play-${move}`, () => this.play(move));
    for (const action of ['add', 'debug', 'export', 'check', 'another', 'shortest', 'first'] satisfies Action[]) press(action, () => isDisabled(action) || this.send({ type: 'action', action }));
    this.filter.addEventListener('input', () => {
      this.state.filter = this.filter.value;
      this.arranged();
    });
  }

  private listenToMouse(): void {
    const { canvas, scroll, state } = this;
    const stepAt = (event: MouseEvent) => Math.floor((event.offsetX + scroll.scrollLeft) / state.stepWidth);
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      const row = state.rowSeen(rowAt(event.offsetY, scroll.scrollTop, state.hasPinned));
      const chosen = state.rows[row];
      if (chosen !== undefined && !isHeading(chosen)) this.selectRow(row);
      this.moveTo(stepAt(event));
    });
    canvas.addEventListener('pointermove', (event) => {
      if (canvas.hasPointerCapture(event.pointerId) && stepAt(event) !== state.step) this.moveTo(stepAt(event));
    });
    canvas.addEventListener('dblclick', () => {
      const { selectedSignal, trace } = state;
      if (selectedSignal !== undefined && !trace.stale && trace.signals[selectedSignal]!.settable !== undefined) this.flip();
      else this.enter(selectedSignal);
    });
    scroll.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        this.zoom(Math.exp(-event.deltaY / 300), event.clientX - scroll.getBoundingClientRect().left - state.namesShown);
      },
      { passive: false },
    );
    const sash = byId('sash');
    sash.addEventListener('pointerdown', (event) => sash.setPointerCapture(event.pointerId));
    sash.addEventListener('pointermove', (event) => {
      if (!sash.hasPointerCapture(event.pointerId)) return;
      state.namesWidth = Math.min(Math.max(event.clientX - scroll.getBoundingClientRect().left, 80), scroll.clientWidth - 120);
      this.keep();
      this.layout();
    });
  }
}

/** The words of the corner for a loop: what repeats. */
function stepsOf({ first, length }: Rounds): string {
  return length === 1 ? `step ${first} repeats for ever` : `${first} to ${first + length - 1} repeat for ever`;
}

new TracePage();
