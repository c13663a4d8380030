/** A text that stands nowhere else. Browsers offer `crypto.randomUUID` to pages with https alone. */
export function unique(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('');
}
