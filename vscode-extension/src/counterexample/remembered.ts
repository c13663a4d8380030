// What is kept of trace panels in the state of the workspace, for those that are
// opened again: expressions over the signals of a file, and how numbers are written.
import type { Memento } from 'vscode';
import { type Radix, radices } from './radix';

const expressionsKey = 'aiglens.trace.expressions';
const radixKey = 'aiglens.trace.radix';
const mostFiles = 200; // whose expressions are kept: those that were changed last

export class Remembered {
  constructor(private readonly state: Memento) {}

  expressions(uri: string): string[] {
    return this.all().find(([file]) => file === uri)?.[1] ?? [];
  }

  /** Adds an expression, in the place of another if that is there. One that is there already stays where it is. */
  async putExpression(uri: string, text: string, instead?: string): Promise<void> {
    const before = this.expressions(uri);
    const others = before.filter((one) => one !== text || one === instead);
    const at = instead === undefined ? -1 : others.indexOf(instead);
    if (at >= 0) await this.keep(uri, others.with(at, text));
    else if (!before.includes(text)) await this.keep(uri, [...before, text]);
  }

  async removeExpression(uri: string, text: string): Promise<void> {
    await this.keep(uri, this.expressions(uri).filter((one) => one !== text));
  }

  get radix(): Radix | undefined {
    return radices.find((one) => one === this.state.get(radixKey));
  }

  async putRadix(radix: Radix): Promise<void> {
    await this.state.update(radixKey, radix);
  }

  private all(): [uri: string, expressions: string[]][] {
    return this.state.get(expressionsKey, []);
  }

  private async keep(uri: string, expressions: string[]): Promise<void> {
    const others = this.all().filter(([file]) => file !== uri);
    const all = expressions.length > 0 ? [...others, [uri, expressions]] : others;
    await this.state.update(expressionsKey, all.slice(-mostFiles));
  }
}
