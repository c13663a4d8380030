// What is kept of trace panels in the state of the workspace, for those that are
// opened again: expressions over the signals of a file, its signals that are hidden, and how numbers are written.
import type { Memento } from 'vscode';
import type { Radix } from '../radices';
import { radices } from './radix';

const expressionsKey = 'aiglens.trace.expressions';
const hiddenKey = 'aiglens.trace.hidden';
const radixKey = 'aiglens.trace.radix';
const mostFiles = 200; // of which something is kept: those that were changed last

export class Remembered {
  constructor(private readonly state: Memento) {}

  expressions(uri: string): string[] {
    return this.of(expressionsKey, uri);
  }

  /** Adds an expression, in the place of another if that is there. One that is there already stays where it is. */
  async putExpression(uri: string, text: string, instead?: string): Promise<void> {
    const before = this.expressions(uri);
    const others = before.filter((one) => one !== text || one === instead);
    const at = instead === undefined ? -1 : others.indexOf(instead);
    if (at >= 0) await this.keep(expressionsKey, uri, others.with(at, text));
    else if (!before.includes(text)) await this.keep(expressionsKey, uri, [...before, text]);
  }

  async removeExpression(uri: string, text: string): Promise<void> {
    await this.keep(expressionsKey, uri, this.expressions(uri).filter((one) => one !== text));
  }

  /** The names of signals that are not to be shown. */
  hidden(uri: string): string[] {
    return this.of(hiddenKey, uri);
  }

  async putHidden(uri: string, names: string[]): Promise<void> {
    await this.keep(hiddenKey, uri, names);
  }

  get radix(): Radix | undefined {
    return radices.find((one) => one === this.state.get(radixKey));
  }

  async putRadix(radix: Radix): Promise<void> {
    await this.state.update(radixKey, radix);
  }

  private all(key: string): [uri: string, texts: string[]][] {
    return this.state.get(key, []);
  }

  private of(key: string, uri: string): string[] {
    return this.all(key).find(([file]) => file === uri)?.[1] ?? [];
  }

  private async keep(key: string, uri: string, texts: string[]): Promise<void> {
    const others = this.all(key).filter(([file]) => file !== uri);
    const all = texts.length > 0 ? [...others, [uri, texts]] : others;
    await this.state.update(key, all.slice(-mostFiles));
  }
}
