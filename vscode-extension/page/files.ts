// The files of the page: examples, what the user has opened and written. They are kept in the storage of the browser,
// which all tabs share; nothing is sent anywhere. Where the browser refuses to store anything they last as long as the page.
import { freeName } from './patterns';
import { unique } from './unique';

/** A file as it is stored. */
export interface Stored {
  readonly bytes: Uint8Array;
  /** Each write has another one. */
  readonly revision: string;
  /** When it was written, in milliseconds. */
  readonly time: number;
  /** It is as it was typed, and was not saved since. */
  readonly isDraft: boolean;
  /** The links that it was opened by or shared with, as address.ts calls them. */
  readonly links: readonly string[];
}

/** Where files are kept between visits. */
export interface Storage {
  all(): Promise<[path: string, stored: Stored][]>;
  get(path: string): Promise<Stored | undefined>;
  /** Stores or removes a file where its revision is the one expected. Else it changes nothing and returns what is there. */
  replace(path: string, expected: string | undefined, by: Stored | undefined): Promise<'replaced' | { there: Stored | undefined }>;
  /** Another tab has replaced a file. */
  onDidReplace(listener: (path: string) => void): void;
}

export interface Change {
  readonly path: string;
  readonly kind: 'created' | 'changed' | 'removed';
  /** By another tab. */
  readonly isElsewhere: boolean;
}

/** What users are told. */
export interface Told {
  /** Why the storage takes nothing: once, until it takes all again. */
  refused(reason: string): void;
  /** Another tab has written the file meanwhile. What it wrote is kept as the other one. */
  both(path: string, other: string): void;
}

type Own = Omit<Stored, 'bytes' | 'revision'> & { bytes(): Uint8Array };

/** Milliseconds until what is typed is stored. */
const soon = 500;
/** How many links lead to a file, at most. */
const mostLinks = 20;

export class Files {
  private readonly own = new Map<string, Own>();
  /** The revisions of what is stored, as far as this tab has read or written it. */
  private readonly read_ = new Map<string, string>();
  /** Paths whose file here is not the stored one. While one is here, no other tab changes its file in this one. */
  private readonly pending = new Set<string>();
  private readonly listeners = new Set<(change: Change) => void>();
  private readonly began = Date.now();
  private works = true;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** One thing at a time happens between this tab and the storage. */
  private turn: Promise<void> = Promise.resolve();

  /** @param given files that are there from the start, by their paths, and are stored only once they are changed */
  constructor(
    private readonly storage: Storage,
    private readonly given: ReadonlyMap<string, () => Promise<Uint8Array>>,
    private readonly told: Told,
  ) {
    storage.onDidReplace((path) => this.inTurn(async () => this.adopt(path, await storage.get(path))));
  }

  /** Their paths, in order. */
  get paths(): string[] {
    return [...new Set([...this.own.keys(), ...this.given.keys()])].sort();
  }

  has(path: string): boolean {
    return this.own.has(path) || this.given.has(path);
  }

  /** What the user has written, at once; nothing of others. */
  ofUser(path: string): { readonly bytes: Uint8Array; readonly isDraft: boolean } | undefined {
    const own = this.own.get(path);
    return own && { bytes: own.bytes(), isDraft: own.isDraft };
  }

  isOwn(path: string): boolean {
    return this.own.has(path);
  }

  async read(path: string): Promise<Uint8Array> {
    const bytes = this.own.get(path)?.bytes() ?? (await this.asGiven(path));
    if (bytes === undefined) throw new Error(`there is no file ${path.slice(1)}`);
    return bytes;
  }

  /** A file as it was given, if it was. */
  async asGiven(path: string): Promise<Uint8Array | undefined> {
    return this.given.get(path)?.();
  }

  /** When a file was changed last, in milliseconds. */
  time(path: string): number {
    return this.own.get(path)?.time ?? this.began;
  }

  /** Ends when the file is stored, or the user was told that it is not. */
  async write(path: string, bytes: Uint8Array): Promise<void> {
    this.change(path, () => bytes, false);
    await this.store();
  }

  /** Keeps what is typed, in a moment. */
  draft(path: string, bytes: () => Uint8Array): void {
    this.change(path, bytes, true);
    this.timer ??= setTimeout(() => void this.store(), soon);
  }

  async remove(path: string): Promise<void> {
    if (!this.own.delete(path)) return;
    this.pending.add(path);
    this.tell(path, this.given.has(path) ? 'changed' : 'removed', false);
    await this.store();
  }

  /** A file of the user is what a link leads to from here on. */
  async link(path: string, link: string): Promise<void> {
    const own = this.own.get(path);
    if (own === undefined || own.links.includes(link)) return;
    this.own.set(path, { ...own, links: [link, ...own.links].slice(0, mostLinks) });
    this.pending.add(path);
    await this.store();
  }

  linked(link: string): string | undefined {
    return [...this.own].find(([, { links }]) => links.includes(link))?.[0];
  }

  /** Something was written that the storage refuses. */
  get isAtRisk(): boolean {
    return !this.works && this.pending.size > 0;
  }

  onDidChange(listener: (change: Change) => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** Takes over what other tabs have stored. */
  refresh(): Promise<void> {
    return this.inTurn(async () => {
      const all = new Map(await this.storage.all());
      for (const path of new Set([...all.keys(), ...this.read_.keys()])) this.adopt(path, all.get(path));
    });
  }

  /** Stores all that is not. */
  store(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    return this.inTurn(async () => {
      const reasons: unknown[] = [];
      for (const path of [...this.pending]) await this.put(path).catch((error: unknown) => reasons.push(error));
      if (reasons.length > 0) throw reasons[0];
    });
  }

  private inTurn(run: () => Promise<void>): Promise<void> {
    const done = this.turn.then(run).then(
      () => void (this.works ||= this.pending.size === 0),
      (error: unknown) => {
        if (this.works) this.told.refused(error instanceof Error ? error.message : String(error));
        this.works = false;
      },
    );
    return (this.turn = done);
  }

  private change(path: string, bytes: () => Uint8Array, isDraft: boolean): void {
    const [before, isThere] = [this.own.get(path), this.has(path)];
    this.own.set(path, { bytes, isDraft, time: Math.max(Date.now(), this.time(path) + 1), links: before?.links ?? [] });
    this.pending.add(path);
    if (!isDraft || before === undefined) this.tell(path, isThere ? 'changed' : 'created', false);
  }

  /** Replaces what this tab has read. What another tab has written since gets a name of its own. */
  private async put(path: string): Promise<void> {
    const own = this.own.get(path);
    const by = own && { ...own, bytes: own.bytes(), revision: unique() };
    this.pending.delete(path); // what is typed from here on is stored next
    try {
      for (;;) {
        const answer = await this.storage.replace(path, this.read_.get(path), by);
        if (answer === 'replaced') return this.know(path, by?.revision);
        const { there } = answer;
        if (by === undefined) return this.adopt(path, there); // what another tab has changed meanwhile is not removed
        if (there !== undefined && !equal(there.bytes, by.bytes)) this.told.both(path, await this.keep(path, there));
        this.know(path, there?.revision);
      }
    } catch (error) {
      this.pending.add(path);
      throw error;
    }
  }

  /** Stores a file under another name, and returns its path. */
  private async keep(path: string, file: Stored): Promise<string> {
    for (;;) {
      const other = `/${freeName(path.slice(1), (name) => this.has(`/${name}`))}`;
      const answer = await this.storage.replace(other, undefined, { ...file, links: [] });
      this.adopt(other, answer === 'replaced' ? file : answer.there);
      if (answer === 'replaced') return other;
    }
  }

  private adopt(path: string, stored: Stored | undefined): void {
    if (this.pending.has(path) || this.read_.get(path) === stored?.revision) return;
    const isThere = this.has(path);
    this.know(path, stored?.revision);
    if (stored === undefined) this.own.delete(path);
    else this.own.set(path, { ...stored, bytes: () => stored.bytes });
    this.tell(path, !this.has(path) ? 'removed' : isThere ? 'changed' : 'created', true);
  }

  private know(path: string, revision: string | undefined): void {
    if (revision === undefined) this.read_.delete(path);
    else this.read_.set(path, revision);
  }

  private tell(path: string, kind: Change['kind'], isElsewhere: boolean): void {
    for (const listener of this.listeners) listener({ path, kind, isElsewhere });
  }
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
