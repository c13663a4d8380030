// The radix of the trace panel: how the numbers of vectors are written. The user chooses it in
// the page (webview/main.ts), and it is kept with the workspace (remembered.ts).

/** How a vector is written. */
export type Radix = 'binary' | 'decimal' | 'hex';

export const radices: readonly Radix[] = ['binary', 'decimal', 'hex'];

/** The radix after this one, for the key that goes through all. */
export function nextRadix(radix: Radix): Radix {
  return radices[(radices.indexOf(radix) + 1) % radices.length]!;
}

/** The value of a vector, the most significant bit first. What has an x in it is x: a digit, or a decimal number. */
export function busText(bits: string, radix: Radix): string {
  if (radix === 'binary') return bits;
  if (radix === 'decimal') return bits.includes('x') ? 'x' : BigInt(`0b${bits}`).toString();
  const digits = bits.padStart(Math.ceil(bits.length / 4) * 4, '0').match(/.{4}/g)!;
  return digits.map((digit) => (digit.includes('x') ? 'x' : Number.parseInt(digit, 2).toString(16))).join('');
}
