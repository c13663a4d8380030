/** What the server answers to what it cannot do: a sentence for the user. */
export class Refusal extends Error {}
