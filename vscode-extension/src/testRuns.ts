// The results of the Test Explorer. A run that the user began reports what it
// was asked for; every other check, begun by a save, a lens or a command, is
// followed by a run of its own. Either ends when nothing of it is on its way.
import { type TestController, type TestItem, TestMessage, type TestRun, TestRunRequest } from 'vscode';
import type { Checks } from './checks';
import { valuesOf } from './latches';
import { type LatchTrace, latches, type PropertyStatus } from './protocol';
import { Refusal } from './refusal';
import type { Server } from './server';
import { isActive, type StatusModel } from './status';
import type { TestTree } from './testTree';

/** A status that was sent, with the item of its property. */
export interface Sent {
  uri: string;
  item: TestItem;
  status: PropertyStatus;
}

/** Milliseconds without a check or a message, after which none that was asked for is still to come. */
export const quiet = 1500;

const explained = 50; // failures of a run whose counterexamples are asked for
const shownLatches = 24; // of a counterexample, in the message of a failure

/** One run and what it waits for. */
export class Run {
  /** What it was asked for and has no result yet; the value is how far it is. */
  readonly open = new Map<TestItem, 'asked' | 'queued' | 'running'>();
  readonly reported = new Set<TestItem>();
  failures = 0;
  /** More may be added, so that having nothing open is not the end. */
  starting = false;
  ended = false;
  private reports = 0;
  private finish: () => void = () => {};
  readonly done = new Promise<void>((resolve) => (this.finish = resolve));

  constructor(readonly run: TestRun) {}

  /** Holds the run open until a report is complete. */
  async reporting(report: () => Promise<void>): Promise<void> {
    this.reports++;
    try {
      await report();
    } finally {
      this.reports--;
      this.endIfDone();
    }
  }

  endIfDone(): void {
    if (this.open.size === 0 && this.reports === 0 && !this.starting) this.end();
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.open.clear();
    this.run.end();
    this.finish();
  }
}

export class TestRuns {
  private readonly owners = new Map<TestItem, Run>();
  /** Follows what no run of the user asked for. */
  private following: Run | undefined;
  /** A run of everything, which takes what nothing else asked for. */
  private everything: Run | undefined;
  /** Stopped here; what the server said before it heard of that does not count. */
  private readonly stopped = new Set<TestItem>();
  /** What each item shows: verdict and freshness of the last report. */
  private readonly shown = new WeakMap<TestItem, string>();
  private readonly unfinished = new Set<Run>();

  constructor(
    private readonly controller: TestController,
    private readonly tree: TestTree,
    private readonly model: StatusModel,
    private readonly checks: Checks,
    private readonly server: Pick<Server, 'execute'>,
  ) {}

  /** Begins a run for a request of the user; the caller claims items and ends it. */
  begin(request: TestRunRequest, everything = false): Run {
    const run = this.create(request);
    run.starting = true;
    if (everything) this.everything = run;
    return run;
  }

  /** The run reports the item when it has a result. An item belongs to the run that asked last. */
  claim(run: Run, item: TestItem): void {
    this.release(item);
    run.open.set(item, 'asked');
    this.owners.set(item, run);
  }

  /** What is on its way, and what comes of it. Returns the rest, which no run waits for. */
  follow(batch: readonly Sent[]): Sent[] {
    const rest: Sent[] = [];
    for (const sent of batch) {
      if (isActive(sent.status)) this.activate(sent);
      else if (this.owners.has(sent.item)) this.conclude(sent);
      else rest.push(sent);
    }
    this.following?.endIfDone();
    return rest;
  }

  /** Reports verdicts that changed without a check, as by an edit or its undoing. */
  settle(batch: readonly Sent[]): void {
    const news: Sent[] = [];
    const stale: TestItem[] = [];
    for (const sent of batch) {
      const before = this.shown.get(sent.item);
      const now = signature(sent.status);
      if (before === now || this.owners.has(sent.item)) continue;
      if (sent.status.verdict === 'none') {
        if (before === 'skipped') continue; // as it was stopped
        if (before !== undefined) stale.push(sent.item);
        this.shown.delete(sent.item);
      } else if (before === `${sent.status.verdict}/fresh` && sent.status.freshness === 'stale') {
        stale.push(sent.item);
        this.shown.set(sent.item, now);
      } else {
        news.push(sent);
      }
    }
    if (stale.length > 0) this.controller.invalidateTestResults(stale);
    if (news.length === 0) return;
    const run = this.following ?? this.create(requestFor(news));
    news.forEach((sent) => this.report(run, sent));
    if (run !== this.following) run.endIfDone();
  }

  /** What an item shows, like `proved/fresh`, `skipped`, or how far its check is. */
  showing(item: TestItem): string | undefined {
    return this.owners.get(item)?.open.get(item) ?? this.shown.get(item);
  }

  /** Says that an item could not be checked. */
  refuse(run: Run, item: TestItem, why: string): void {
    if (!run.ended) run.run.errored(item, new TestMessage(why));
    this.shown.set(item, 'refused');
    this.release(item);
  }

  /** For an item whose property is gone. */
  drop(item: TestItem): void {
    const owner = this.owners.get(item);
    this.release(item);
    owner?.endIfDone();
  }

  skip(run: Run, item: TestItem): void {
    if (!run.ended) run.run.skipped(item);
    this.shown.set(item, 'skipped');
    this.release(item);
  }

  release(item: TestItem): void {
    const owner = this.owners.get(item);
    this.owners.delete(item);
    owner?.open.delete(item);
  }

  /** Ends a run at once and has the server stop what belonged to it. */
  async cancel(run: Run): Promise<void> {
    if (run.ended) return;
    const items = [...run.open.keys()];
    const everything = run === this.everything;
    items.forEach((item) => {
      this.stopped.add(item);
      this.skip(run, item);
    });
    run.end();
    this.forget(run);
    try {
      if (everything) await this.checks.stop();
      else await Promise.all(this.stopsOf(items).map((params) => this.checks.stop(params)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    } finally {
      items.forEach((item) => this.stopped.delete(item));
    }
  }

  /** The server is gone, and every result with it. */
  clear(): void {
    for (const run of [...this.unfinished]) {
      run.end();
      this.forget(run);
    }
    this.owners.clear();
  }

  /** Asks for the present status of what a run waits for, which may be sent only when it differs. */
  async ask(run: Run): Promise<void> {
    const uris = new Set([...run.open.keys()].flatMap((item) => this.tree.subject(item).uri ?? []));
    await Promise.all([...uris].map(async (uri) => this.answered(run, uri, await this.statuses(uri))));
    run.endIfDone();
  }

  private answered(run: Run, uri: string, statuses: Iterable<PropertyStatus> | undefined): void {
    if (statuses === undefined) return;
    const known = new Map([...statuses].map((status) => [status.property, status]));
    for (const item of [...run.open.keys()]) {
      const subject = this.tree.subject(item);
      if (subject.uri !== uri || subject.property === undefined) continue;
      const status = known.get(subject.property);
      if (status === undefined) this.skip(run, item); // the file was closed
      else this.follow([{ uri, item, status }]);
    }
  }

  /**
   * The statuses of a file. The server keeps none of a file that is not open and
   * not being checked: then what it sent last holds, once nothing is on its way.
   */
  private async statuses(uri: string): Promise<Iterable<PropertyStatus> | undefined> {
    try {
      return await this.checks.properties(uri);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const file = this.model.file(uri);
      if (file === undefined) return [];
      return this.model.quietFor >= quiet ? file.properties.values() : undefined;
    }
  }

  forget(run: Run): void {
    this.unfinished.delete(run);
    if (this.following === run) this.following = undefined;
    if (this.everything === run) this.everything = undefined;
    for (const [item, owner] of [...this.owners]) if (owner === run) this.owners.delete(item);
  }

  private create(request: TestRunRequest): Run {
    const run = new Run(this.controller.createTestRun(request, undefined, false));
    this.unfinished.add(run);
    void run.done.then(() => this.forget(run));
    run.run.token.onCancellationRequested(() => void this.cancel(run));
    return run;
  }

  private activate({ item, status }: Sent): void {
    if (this.stopped.has(item)) return;
    let run = this.owners.get(item);
    if (run === undefined) {
      run = this.everything ?? (this.following ??= this.create(new TestRunRequest([item], undefined, undefined, false, true)));
      this.claim(run, item);
    }
    const now = status.freshness === 'running' ? 'running' : 'queued';
    if (run.ended || run.open.get(item) === now) return;
    run.open.set(item, now);
    if (now === 'running') run.run.started(item);
    else run.run.enqueued(item);
  }

  private conclude(sent: Sent): void {
    const run = this.owners.get(sent.item);
    if (run === undefined) return;
    if (sent.status.verdict === 'none') {
      this.skip(run, sent.item); // it was stopped
    } else {
      this.report(run, sent);
      this.release(sent.item);
    }
    if (run !== this.following) run.endIfDone();
  }

  /** Reports the verdict in a run. */
  report(run: Run, sent: Sent): void {
    if (run.ended) return;
    this.shown.set(sent.item, signature(sent.status));
    run.reported.add(sent.item);
    const { item, status, uri } = sent;
    const duration = status.seconds === undefined ? undefined : status.seconds * 1000;
    const words = status.message || status.text;
    run.run.appendOutput(`${status.name}: ${words.replace(/\r?\n/g, '\r\n  ')}\r\n`, undefined, item);
    void run.reporting(async () => {
      const failed = status.standing === 'failed';
      const found = failed && status.verdict === 'refuted' && run.failures++ < explained ? await this.counterexample(uri, status) : '';
      if (status.standing === 'passed') run.run.passed(item, duration);
      else if (failed) run.run.failed(item, new TestMessage(words + found), duration);
      else if (status.standing === 'useless') run.run.skipped(item);
      else run.run.errored(item, new TestMessage(words), duration);
      if (status.freshness === 'stale') this.controller.invalidateTestResults(item);
    });
  }

  /** The latches over the steps, below the message; nothing where the server has none to show. */
  private async counterexample(uri: string, { property, freshness }: PropertyStatus): Promise<string> {
    if (freshness !== 'fresh') return '';
    const all = await this.server.execute(latches, { uri, property }).catch(() => undefined);
    return counterexampleText(all ?? []);
  }

  private stopsOf(items: readonly TestItem[]): { uri: string; property: string }[] {
    return items.flatMap((item) => {
      const { uri, property } = this.tree.subject(item);
      return uri === undefined || property === undefined ? [] : { uri, property };
    });
  }
}

function requestFor(news: readonly Sent[]): TestRunRequest {
  return new TestRunRequest(news.map(({ item }) => item), undefined, undefined, false, true);
}

function signature({ verdict, freshness }: PropertyStatus): string {
  return `${verdict}/${freshness}`;
}

/** One line a latch, with the values below each other and the failing step, or the loop, in brackets. */
export function counterexampleText(all: readonly LatchTrace[]): string {
  if (all.length === 0) return '';
  const shown = all.slice(0, shownLatches);
  const width = Math.max(...shown.map(({ name }) => name.length));
  const lines = shown.map(({ name, values, loop }) => `${name.padEnd(width)}  ${valuesOf(values, loop)}`);
  const more = all.length > shown.length ? [`and ${all.length - shown.length} more`] : [];
  return `\n\n${[...lines, ...more].join('\n')}`;
}
