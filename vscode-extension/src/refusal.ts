import type { PropertyParams } from './protocol';

/** What the server answers to what it cannot do: a sentence for the user. */
export class Refusal extends Error {
  /** @param earlier the property whose counterexample is about an earlier text, which its trace shows */
  constructor(
    message: string,
    readonly earlier?: PropertyParams,
  ) {
    super(message);
  }
}
