// In which radix the values of single words are written, as people choose it in the trace panel and in the Circuit
// view. This owns the choice: it is kept with the workspace, by file and by the name of the word, and the server,
// which writes values by it, is told all of a file whenever one changes and when it has started again.
import { Disposable, EventEmitter, type Memento } from 'vscode';
import * as protocol from './protocol';
import type { Server } from './server';

const key = 'aiglens.radices';
const mostFiles = 200; // of which something is kept: those that were changed last

/** How a word is written; default: by the names of its values and in its own radix. */
export type Radix = 'default' | protocol.WordRadix;

export class Radices {
  private readonly changes = new EventEmitter<string>();
  /** After the server writes words of a file otherwise than before. */
  readonly onDidChange = this.changes.event;
  private readonly listener: Disposable;
  /** The server that has been told. */
  private told: object | undefined;
  /** One after the other: the last one that is sent is the last one that the server takes. */
  private telling: Promise<void> = Promise.resolve();

  constructor(
    private readonly state: Memento,
    private readonly server: Pick<Server, 'running' | 'execute' | 'onDidChangeState'>,
  ) {
    this.listener = server.onDidChangeState(() => this.tellAll());
    this.tellAll();
  }

  /** The words of a file that have one. */
  of(uri: string): readonly protocol.ChosenRadix[] {
    return this.all.find(([file]) => file === uri)?.[1] ?? [];
  }

  ofWord(uri: string, word: string): Radix {
    return this.of(uri).find((one) => one.word === word)?.radix ?? 'default';
  }

  async choose(uri: string, word: string, radix: Radix): Promise<void> {
    const others = this.of(uri).filter((one) => one.word !== word);
    const words = radix === 'default' ? others : [...others, { word, radix }];
    const files = this.all.filter(([file]) => file !== uri);
    await this.state.update(key, (words.length > 0 ? [...files, [uri, words]] : files).slice(-mostFiles));
    await this.tell(uri);
  }

  dispose(): void {
    this.listener.dispose();
    this.changes.dispose();
  }

  private get all(): [uri: string, words: protocol.ChosenRadix[]][] {
    return this.state.get(key, []);
  }

  /** A server that refuses or ends meanwhile writes words as before; what is kept is sent to the next one. */
  private tellAll(): void {
    const { running } = this.server;
    if (running === this.told) return;
    this.told = running;
    if (running !== undefined) for (const [uri] of this.all) this.tell(uri).catch(() => undefined);
  }

  private tell(uri: string): Promise<void> {
    this.telling = this.telling.catch(() => undefined).then(() => this.send(uri));
    return this.telling;
  }

  /** A server that does not run is told once it does. */
  private async send(uri: string): Promise<void> {
    try {
      if (this.server.running !== undefined) await this.server.execute(protocol.radices, { uri, words: [...this.of(uri)] });
    } finally {
      this.changes.fire(uri); // what is chosen is kept, whatever the server says
    }
  }
}
